"""The relations of Few-Shot TACRED by split (Sabo et al., 2021)."""

NO_RELATION = "no_relation"

RELATIONS = {
    "train": (
        "org:alternate_names",
        "org:city_of_headquarters",
        "org:dissolved",
        "org:members",
        "org:number_of_employees/members",
        "org:political/religious_affiliation",
        "org:shareholders",
        "org:stateorprovince_of_headquarters",
        "org:subsidiaries",
        "org:website",
        "per:cause_of_death",
        "per:charges",
        "per:cities_of_residence",
        "per:city_of_birth",
        "per:countries_of_residence",
        "per:country_of_birth",
        "per:country_of_death",
        "per:date_of_death",
        "per:employee_of",
        "per:other_family",
        "per:parents",
        "per:religion",
        "per:spouse",
        "per:stateorprovince_of_birth",
        "per:title",
    ),
    "validation": (
        "org:country_of_headquarters",
        "org:founded",
        "org:parents",
        "per:age",
        "per:alternate_names",
        "per:stateorprovince_of_death",
    ),
    "test": (
        "org:founded_by",
        "org:member_of",
        "org:top_members/employees",
        "per:children",
        "per:city_of_death",
        "per:date_of_birth",
        "per:origin",
        "per:schools_attended",
        "per:siblings",
        "per:stateorprovinces_of_residence",
    ),
}

# Instances of each split: all, those with a relation, and those with a relation of the split.
N_INSTANCES = {"train": (68_124, 13_012, 8_163), "validation": (22_631, 5_436, 633), "test": (15_509, 3_325, 804)}
# Instances of no_relation and of the ten test relations, as they first appear: the published episodes follow from it.
TEST_SIZES = (14_705, 346, 37, 132, 68, 55, 81, 18, 28, 9, 30)
