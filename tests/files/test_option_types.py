import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

import numpy as np
import pytest

from hf_fewshot.files.option_types import check_types, option_types
from hf_fewshot.registry import SYSTEMS, resolve
from hf_fewshot.systems.options import described_options, read_options, system_class

if TYPE_CHECKING:
    from nowhere import Missing


class Colour(Enum):
    RED = "red"
    NO = "no"


@dataclass
class Inner:
    steps: int = 1


@dataclass
class Options:
    whole: int = 1
    number: float = 1.0
    flag: bool = False
    text: str = ""
    maybe: Optional[int] = None  # noqa: UP045
    either: Union[int, str] = 1  # noqa: UP007
    choice: Literal["a", "b", 3] = "a"
    colour: Colour | str = Colour.RED
    names: list[str] = field(default_factory=list)
    pair: tuple[float, float] = (0.0, 0.0)
    row: tuple[int, ...] = ()
    several: Sequence[int] = ()
    mapping: dict[str, int] = field(default_factory=dict)
    inner: Inner | None = None
    path: str | Path = ""
    anything: Any = None


GOOD = [
    {"whole": 3},
    {"whole": np.int64(3)},
    {"number": 3},
    {"number": 1e-4},
    {"flag": True},
    {"text": "1"},
    {"maybe": None},
    {"maybe": 2},
    {"either": "x"},
    {"choice": 3},
    {"colour": "red"},
    {"colour": Colour.NO},
    {"names": ["a"]},
    {"names": ("a",)},
    {"pair": [1, 2.5]},
    {"row": [1, 2, 3]},
    {"several": [1]},
    {"mapping": {"a": 1}},
    {"inner": {"steps": 2}},
    {"inner": Inner(2)},
    {"path": Path("a")},
    {"anything": len},
]


@pytest.mark.parametrize("options", GOOD, ids=str)
def test_options_of_the_annotated_type_pass(options):
    check_types(Options, options)


BAD = [
    ({"whole": "abc"}, "whole='abc', but this option must be a whole number."),
    ({"whole": "3"}, "must be a whole number. It is a number written as text: write it without quotes."),
    ({"whole": True}, "whole=True, but this option must be a whole number."),
    ({"whole": 2.0}, "must be a whole number. Write 2."),
    ({"whole": 2.5}, "whole=2.5, but this option must be a whole number."),
    ({"whole": None}, "whole=None, but this option must be a whole number."),
    ({"number": "1e-4"}, "without quotes, in YAML with a point as in 1.0e-4."),
    ({"number": float("nan")}, "number=nan, but this option must be a number."),
    ({"number": [1]}, "number=[1], but this option must be a number."),
    ({"flag": 1}, "flag=1, but this option must be true or false."),
    ({"flag": "True"}, "must be true or false. Write true without quotes."),
    ({"text": 3}, "text=3, but this option must be text."),
    ({"maybe": "none"}, "must be a whole number or none. Write null without quotes."),
    ({"either": 1.5}, "must be a whole number or text."),
    ({"choice": "c"}, "must be one of 'a', 'b', 3."),
    ({"colour": "blue"}, "must be one of red, no."),
    ({"colour": False}, 'YAML reads a bare no as false: write "no" with quotes.'),
    ({"names": "abc"}, "must be a list of texts."),
    ({"names": ["a", 1]}, "must be a list of texts."),
    ({"pair": [1]}, "must be a list of 2: a number, a number."),
    ({"row": [1, "a"]}, "must be a list of whole numbers."),
    ({"mapping": {"a": "b"}}, "must be a mapping, each value a whole number."),
    ({"mapping": [1]}, "must be a mapping, each value a whole number."),
    ({"inner": 3}, "inner=3, but this option must be a mapping or none."),
    ({"inner": {"steps": "x"}}, "steps='x', but this option of inner must be a whole number."),
    ({"inner": {"stpes": 1}}, "Unknown option of inner 'stpes'. Did you mean 'steps'?"),
    ({"whoel": 1}, "Unknown option 'whoel'. Did you mean 'whole'?"),
    ({1: 1}, "Unknown option 1."),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=str)
def test_options_of_another_type_are_refused_with_what_was_expected(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_types(Options, options)


def test_all_that_is_wrong_is_one_error():
    with pytest.raises(ValueError, match="Unknown option 'hole'") as raised:
        check_types(Options, {"hole": 1, "names": ["a"], "whole": "x", "inner": {"step": 1}})
    assert str(raised.value) == (
        "Unknown option 'hole'. Did you mean 'whole'? whole='x', but this option must be a whole number. "
        "Unknown option of inner 'step'. Did you mean 'steps'?"
    )


def test_long_values_are_cut():
    with pytest.raises(ValueError, match=r"^whole='a{76}\.\.\., but this option must be a whole number\.$"):
        check_types(Options, {"whole": "a" * 10_000})


def test_options_that_a_class_passes_on_are_those_of_its_parents():
    class Parent:
        def __init__(self, dim: int, *, scale: float = 1.0) -> None: ...

    class Child(Parent):
        def __init__(self, dim: int, *, own: bool = False, **options: Any) -> None: ...

    assert option_types(Child, leave_out=("dim",)) == {"scale": float, "own": bool}


def test_annotations_that_cannot_be_looked_up_allow_anything():
    def function(a: "Missing", b: int = 0) -> None: ...

    assert option_types(function) == {"a": Any, "b": int}


def test_what_takes_no_options_says_so():
    with pytest.raises(ValueError, match=r"There is no option of method 'no_entity', but got layers=1\. Leave it out"):
        read_options("no_entity", {"layers": 1})


def known_options(method):
    return [option.name for option in described_options(system_class(method).options(method))]


def test_every_method_says_which_options_it_takes():
    assert {method for method in SYSTEMS if not known_options(method)} == {
        *("always_none", "one_class", "no_entity", "no_slot", "seen_words"),
        *("always_empty", "most_frequent", "every_label", "tagger", "text_to_text"),
    }
    assert set(known_options("structshot")) == {
        *("representation", "layers", "max_length", "dropout", "similarity", "temperature", "tau", "compat")
    }
    assert set(known_options("joint_proto")) - set(known_options("sep_proto")) == {"part"}
    assert set(known_options("span_finetuning")) == {
        *("head", "max_length", "stride", "max_answer_tokens", "several", "required")
    }


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("nnshot", {"layers": "abc"}, "layers='abc', but this option of method 'nnshot' must be a whole number"),
        ("structshot", {"tau": "x"}, "tau='x', but this option of method 'structshot' must be a number"),
        ("joint_proto", {"tuning": {"steps": "many"}}, "steps='many', but this option of tuning must be a whole"),
        ("sep_proto", {"part": "intent"}, "Unknown option of method 'sep_proto' 'part'"),
        ("in_context", {"timeout": 5}, "timeout=5 is of an endpoint, but there is none. Give endpoint=URL"),
        ("in_context", {"prices": 3, "endpoint": "http://a"}, "must be a list of 2: a number, a number or none"),
        ("nothing", {}, "Unknown method 'nothing'"),
    ],
)
def test_options_of_methods_are_checked_by_name(method, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_options(method, options)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_steps": "two"}, "max_steps='two', but this training argument must be a whole number"),
        ({"learning_rate": "1e-4"}, "learning_rate='1e-4', but this training argument must be a number"),
        ({"eval_strategy": False}, "must be one of no, steps, epoch. YAML reads a bare no as false"),
        ({"bf16": 1}, "bf16=1, but this training argument must be true or false"),
        ({"early_stopping_patience": 1.5}, "must be a whole number or none"),
        ({"max_stesp": 3}, "Unknown training argument 'max_stesp'. Did you mean 'max_steps'?"),
    ],
)
def test_arguments_of_trainers_are_checked_without_making_them(given, message):
    kind = resolve("hf_fewshot.trainers.episodic_trainer:EpisodicTrainingArguments")
    check_types(kind, {"max_steps": 2, "learning_rate": 1e-4, "lr_scheduler_type": "linear", "warmup_steps": 0.1})
    with pytest.raises(ValueError, match=re.escape(message)):
        check_types(kind, given, "training argument")


def test_importing_the_checks_loads_no_heavy_library():
    code = "import sys, hf_fewshot.systems.options; print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
