"""Labels that mean the same in every task."""

# The label of examples that belong to none of the classes of an episode or split.
NOTA = "NOTA"
# The tag of words outside of all entities and slots.
OUTSIDE = "O"
# Stands for an answer that could not be parsed. It is never right: "no answer" or O would often be.
UNPARSED = "<unparsed>"
