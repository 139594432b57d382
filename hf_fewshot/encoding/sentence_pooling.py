"""How an encoder of sentences makes one vector of a text, as its own files say (those of sentence-transformers)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

import torch

from hf_fewshot.files.model_files import model_json
from hf_fewshot.registry import unknown
from hf_fewshot.text.short_value import short

# In the words of sentence-transformers: of what it writes today, and of the switches that it wrote before.
SWITCHES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
MODES = tuple(SWITCHES.values())
PACKAGE = "sentence_transformers"
# A module is known by its package and the last part of its type: the parts between were renamed more than once.
CHAIN = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True)
class SentencePooling:
    """What turns the vectors of all tokens of a text, special ones included, into one.

    The defaults are what sentence-transformers and SetFit take for an encoder that says nothing.

    Args:
        mode: mean, cls, max, mean_sqrt_len_tokens, weightedmean (by position) or lasttoken.
        normalize: divide the vector by its length.
        max_length: tokens of a text that the encoder reads; none: it does not say so here.
        lower_case: read texts in lower case, whatever the tokenizer does.
        prompt: what stands before every text.
    """

    mode: str = "mean"
    normalize: bool = False
    max_length: int | None = None
    lower_case: bool = False
    prompt: str = ""

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise unknown("pooling mode", self.mode, MODES)

    def pool(self, hidden: torch.Tensor, inside: torch.Tensor) -> torch.Tensor:
        """The vectors (texts, dim) of texts from those of their tokens (texts, length, dim); `inside` says which."""
        # Half precision is for what the encoder does; a sum over many tokens would lose too much of it.
        exact = hidden.to(torch.promote_types(hidden.dtype, torch.float32))
        vectors = self._pooled(exact, inside).to(hidden.dtype)
        return torch.nn.functional.normalize(vectors, dim=-1) if self.normalize else vectors

    def _pooled(self, hidden: torch.Tensor, inside: torch.Tensor) -> torch.Tensor:
        texts = torch.arange(len(hidden), device=hidden.device)
        places = torch.arange(hidden.shape[1], device=hidden.device)
        if self.mode == "cls":
            return hidden[texts, inside.int().argmax(1)]
        if self.mode == "lasttoken":
            return hidden[texts, (places * inside).argmax(1)]
        if self.mode == "max":
            return hidden.masked_fill(~inside.unsqueeze(-1), -torch.inf).amax(1)
        weights = inside.to(hidden.dtype)
        if self.mode == "weightedmean":
            weights = weights * inside.cumsum(1)
        total = weights.sum(1, keepdim=True)
        sums = (hidden * weights.unsqueeze(-1)).sum(1)
        return sums / (total.sqrt() if self.mode == "mean_sqrt_len_tokens" else total)


def read_sentence_pooling(name_or_path: str | Path) -> SentencePooling | None:
    """What the files of an encoder say of its vectors of texts; None if they say nothing.

    Nothing is loaded by the names that stand there. Vectors that take more than is known here are an error.
    """
    modules = model_json(name_or_path, "modules.json")
    if modules is None:
        return None
    return _Files(name_or_path).pooling(modules)


class _Files:
    """The files of one encoder."""

    def __init__(self, name_or_path: str | Path) -> None:
        self.name = str(name_or_path)

    def pooling(self, modules: Any) -> SentencePooling:
        if not isinstance(modules, list) or not all(map(_is_module, modules)):
            self.refuse(f"modules.json holds {short(modules)}, not a list of modules with type and path")
        kinds = tuple(self._kind(module["type"]) for module in modules)
        if kinds not in (CHAIN, CHAIN[:2]):
            self.refuse(
                f"its modules are {', '.join(kinds) or 'none'}, not {', '.join(CHAIN[:2])} and perhaps {CHAIN[2]}"
            )
        if modules[0]["path"] not in ("", "."):
            self.refuse(f"its Transformer is in {short(modules[0]['path'])}, not beside modules.json")
        if len(kinds) == len(CHAIN):
            self._require_plain_normalize(self.settings(modules[2]["path"]))
        transformer = self.mapping("sentence_bert_config.json")
        general = self.mapping("config_sentence_transformers.json")
        if general.get("truncate_dim") is not None:
            self.refuse(f"its vectors are cut to {short(general['truncate_dim'])} numbers")
        prompt = self._prompt(general)
        pooling = self.settings(modules[1]["path"])
        if prompt and pooling.get("include_prompt", True) is not True:
            self.refuse("it leaves its prompt out of the mean (include_prompt)")
        return SentencePooling(
            mode=self._mode(pooling),
            normalize=len(kinds) == len(CHAIN),
            max_length=self._max_length(transformer),
            lower_case=transformer.get("do_lower_case") is True,
            prompt=prompt,
        )

    def _kind(self, kind: str) -> str:
        package, *_, name = kind.split(".")
        # Classes of others are code of the encoder's own, which is not run.
        return name if package == PACKAGE else kind

    def _mode(self, pooling: Mapping[str, Any]) -> str:
        given = pooling.get("pooling_mode", [mode for switch, mode in SWITCHES.items() if pooling.get(switch) is True])
        modes = [given] if isinstance(given, str) else given or ["mean"]
        if not isinstance(modes, list) or len(modes) != 1 or modes[0] not in MODES:
            self.refuse(f"its pooling is {short(given)}, not one of {', '.join(MODES)}")
        return modes[0]

    def _max_length(self, transformer: Mapping[str, Any]) -> int | None:
        length = transformer.get("max_seq_length")
        if length is not None and (not isinstance(length, int) or isinstance(length, bool) or length < 1):
            self.refuse(f"max_seq_length is {short(length)}, not a whole number of at least 1")
        return length

    def _prompt(self, general: Mapping[str, Any]) -> str:
        name = general.get("default_prompt_name")
        prompts = general.get("prompts") or {}
        if name is None:
            return ""
        if not isinstance(prompts, dict) or not isinstance(prompts.get(name), str):
            self.refuse(f"default_prompt_name is {short(name)}, but its prompts are {short(prompts)}")
        return prompts[name]

    def _require_plain_normalize(self, normalize: Mapping[str, Any]) -> None:
        for key, name in normalize.items():
            if key in ("module_input_name", "module_output_name") and name != "sentence_embedding":
                self.refuse(f"its Normalize has {key} {short(name)}, not 'sentence_embedding'")

    def settings(self, path: str) -> dict[str, Any]:
        """The settings of the module in a folder of the encoder."""
        place = PurePosixPath(path)
        if place.is_absolute() or ".." in place.parts or "\\" in path:
            self.refuse(f"modules.json names the folder {short(path)}, which is not inside it")
        return self.mapping((place / "config.json").as_posix())

    def mapping(self, file: str) -> dict[str, Any]:
        """The content of a file, nothing if it is not there."""
        content = model_json(self.name, file)
        if content is not None and not isinstance(content, dict):
            self.refuse(f"{file} holds {short(content)}, not names and values")
        return content or {}

    def refuse(self, why: str) -> NoReturn:
        raise ValueError(
            f"{self.name!r} says how it makes vectors of texts, but not in a way that is known here: {why}. Choose "
            'representation="mean", or another encoder.'
        )


def _is_module(module: Any) -> bool:
    return isinstance(module, dict) and all(isinstance(module.get(key), str) for key in ("type", "path"))
