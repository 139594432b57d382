"""Methods by the names that people know them by."""

import re

from hf_fewshot.registry import SYSTEMS

# Names in papers that are more than another way to write ours.
OF_PAPERS = {
    "protobert": "proto",
    "bertpair": "sentence_pair",
    "berttagger": "tagger",
    "lmbff": "prompt_tuning",
}


def method_named(name: str) -> str:
    """The name of a method in the registry: "ProtoBERT" is "proto", "NNShot" is "nnshot"; a name of none stays."""
    if name in SYSTEMS:
        return name
    ours = {_bare(one): one for one in SYSTEMS}
    return {**OF_PAPERS, **ours}.get(_bare(name), name)


def _bare(name: str) -> str:
    """A name without what papers write in different ways."""
    return re.sub(r"[\W_]+", "", name).casefold()
