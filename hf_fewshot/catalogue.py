"""What there is to run, in words; no heavy library is needed to read it."""

from typing import NamedTuple

from hf_fewshot.registry import TASKS


class MethodEntry(NamedTuple):
    """A method: the tasks it fits, and what it takes to run it."""

    tasks: tuple[str, ...]
    needs: str
    about: str


EPISODES = ("tagging", "relation", "classification")
ALL = tuple(TASKS)
METHODS = {
    "proto": MethodEntry(EPISODES, "encoder", "prototypes: the mean of each class (ProtoBERT)"),
    "nnshot": MethodEntry(EPISODES, "encoder", "the nearest support word or example (NNShot)"),
    "structshot": MethodEntry(("tagging",), "encoder", "NNShot with Viterbi over abstract transitions (StructShot)"),
    "threshold": MethodEntry(("relation",), "encoder", "prototypes; none below a learned threshold"),
    "nav": MethodEntry(("relation",), "encoder", "prototypes; none is a learned vector (NAV)"),
    "mnav": MethodEntry(("relation",), "encoder", "prototypes; none is one of several vectors (MNAV)"),
    "sentence_pair": MethodEntry(("relation",), "encoder", "query and support read together (BERT-PAIR)"),
    "joint_proto": MethodEntry(("joint",), "encoder", "prototypes of intents and tags (JointProto)"),
    "sep_proto": MethodEntry(("joint",), "encoder", "one network for intents, one for slots (SepProto)"),
    "tagger": MethodEntry(("tagging",), "encoder", "supervised token classifier (BERT-Tagger)"),
    "span_finetuning": MethodEntry(("spans",), "encoder", "answers are spans of question and context"),
    "prompt_tuning": MethodEntry(("spans",), "masked language model", "cloze templates with demonstrations"),
    "text_to_text": MethodEntry(("spans",), "T5", "answers are written"),
    "in_context": MethodEntry(ALL, "causal language model or endpoint", "demonstrations in the prompt, no training"),
    "always_none": MethodEntry(("relation",), "", "baseline: none of the above"),
    "one_class": MethodEntry(("relation", "classification"), "", "baseline: the class with most support"),
    "no_entity": MethodEntry(("tagging",), "", "baseline: O for every word"),
    "no_slot": MethodEntry(("joint",), "", "baseline: the most frequent intent, no slot"),
    "seen_words": MethodEntry(("tagging", "joint"), "", "baseline: the tag a word has in the support set"),
    "always_empty": MethodEntry(("spans",), "", "baseline: no answer"),
    "most_frequent": MethodEntry(("spans",), "", "baseline: the most frequent set of answers"),
    "every_label": MethodEntry(("spans",), "", "baseline: all labels that the question names"),
}
