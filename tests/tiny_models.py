"""Tiny models with random weights and their tokenizers, made on the spot; the same every time."""

import json
import os
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertModel,
    BertTokenizerFast,
    BloomConfig,
    BloomForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaModel,
    RobertaTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
    T5TokenizerFast,
)

from hf_fewshot import load_episodes
from hf_fewshot.models.loading import load_tokenizer

os.environ["TOKENIZERS_PARALLELISM"] = "false"

# The words of tests/small_episodes.py.
WORDS = ["the", "in", "at", "is", "anna", "paul", "mia", "tom", "lives", "works", "was", "born", "paris", "rome"]
WORDS += ["oslo", "bern", "berlin", "acme", "corp", "bank", "a", "of", "."]
SPAN_WORDS = [*WORDS, "who", "where", "?", "or", "positive", "negative", "entailment", "neutral"]
SPAN_WORDS += [",", "list", "people"]
CLOZE_WORDS = ["it", "was", "great", "terrible", "yes", "maybe", "no", "film", "good", "fine", "bad", "dull"]
CLOZE_WORDS += ["a", "the", "tom", "sleeps", "runs", ",", ".", "?"]
T5_WORDS = ["question:", "context:", "who?", "anna", "tom", "mia", "runs", "and", "sleeps", "nobody", "|", "!"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 130,
}


def write_bert(folder: Path, words: list[str] = WORDS, *, unused: bool = True, lower: bool = True, **sizes) -> Path:
    """A BERT whose vocabulary is these words, then letters."""
    folder.mkdir(parents=True, exist_ok=True)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    reserve = [f"[unused{number}]" for number in range(1, 5)] if unused else []
    letters = [*LETTERS, *(f"##{letter}" for letter in LETTERS)]
    vocabulary = list(dict.fromkeys([*special, *reserve, *words, *letters]))
    BertTokenizerFast(vocab={t: i for i, t in enumerate(vocabulary)}, do_lower_case=lower).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(vocabulary), **(SIZES | sizes), initializer_range=0.5)
    BertModel(config).save_pretrained(folder)
    return folder


def write_sample_bert(folder: Path, **sizes) -> Path:
    """A BERT with the commonest words of FewRel's sample data."""
    episodes = load_episodes("fewrel", split="validation", sample=True, n_way=2, shots=1, n_episodes=1)
    words = Counter(word.lower() for row in episodes.examples["tokens"] for word in row)
    return write_bert(folder, [word for word, _ in words.most_common(300)], **sizes)


def write_roberta(folder: Path, words: list[str] = WORDS) -> Path:
    """A RoBERTa with a byte-level vocabulary; common words with a space before are one piece."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    merges: list[tuple[str, str]] = []
    pieces = [*special, *letters]
    for word in words:
        for size in range(1, len(word) + 1):
            if "Ġ" + word[:size] not in pieces:
                merges.append(("Ġ" + word[: size - 1], word[size - 1]))
                pieces.append("Ġ" + word[:size])
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    RobertaTokenizerFast(vocab=vocabulary, merges=merges).save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(vocab_size=len(pieces), pad_token_id=1, **SIZES, initializer_range=0.5)
    RobertaModel(config).save_pretrained(folder)
    return folder


def write_masked_bert(folder: Path, **options: Any) -> Path:
    """A BERT with its language-model head."""
    write_bert(folder, CLOZE_WORDS)
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(load_tokenizer(folder)), **(SIZES | options))
    BertForMaskedLM(config).save_pretrained(folder)
    return folder


def write_masked_roberta(folder: Path, **options: Any) -> Path:
    """A RoBERTa with its language-model head; words with a space before are one token."""
    write_roberta(folder, [*CLOZE_WORDS, "Yes", "Maybe", "No"])
    torch.manual_seed(0)
    config = RobertaConfig(vocab_size=len(load_tokenizer(folder)), pad_token_id=1, **(SIZES | options))
    RobertaForMaskedLM(config).save_pretrained(folder)
    return folder


def write_masked_deberta(folder: Path, **options: Any) -> Path:
    """A DeBERTa with its language-model head as in the published weights, whose configuration does not say so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of torch.jit, which this model's module uses
        from transformers import DebertaConfig, DebertaForMaskedLM
    write_roberta(folder, [*CLOZE_WORDS, "Yes", "Maybe", "No"])
    torch.manual_seed(0)
    sizes = SIZES | {"type_vocab_size": 0, "relative_attention": True, "pos_att_type": ["c2p", "p2c"]} | options
    config = DebertaConfig(vocab_size=len(load_tokenizer(folder)), pad_token_id=1, legacy=False, **sizes)
    DebertaForMaskedLM(config).save_pretrained(folder)
    content = json.loads((folder / "config.json").read_text())
    del content["legacy"]
    (folder / "config.json").write_text(json.dumps(content))
    return folder


def write_t5(folder: Path) -> Path:
    """A T5 whose vocabulary is a few words."""
    pieces = [(piece, 0.0) for piece in ("<pad>", "</s>", "<unk>")] + [(f"▁{word}", -1.0) for word in T5_WORDS]
    tokenizer = T5TokenizerFast(vocab=pieces, extra_ids=0)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=1,
        num_heads=4,
        dropout_rate=0.0,
        decoder_start_token_id=0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


SPECIAL = ["<pad>", "<s>", "</s>", "<|user|>", "<|assistant|>"]
CHAT = (
    "{{ '<s>' }}{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
CAUSAL_SIZES = {"vocab_size": 300, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "initializer_range": 0.3}
LLAMA_SIZES = {
    **CAUSAL_SIZES,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}


def byte_tokenizer(positions: int = 512) -> PreTrainedTokenizerFast:
    """One token per byte, and a chat template; `good`, `bad` and ` the` are one token each."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*SPECIAL, *letters]
    merges: list[tuple[str, str]] = []
    for word in ("good", "bad", "Ġthe"):
        for size in range(2, len(word) + 1):
            merges.append((word[: size - 1], word[size - 1]))
            pieces.append(word[:size])
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="<pad>", bos_token="<s>", eos_token="</s>", model_max_length=positions
    )
    tokenizer.add_special_tokens({"additional_special_tokens": SPECIAL[3:]})
    tokenizer.chat_template = CHAT
    return tokenizer


def tiny_causal_lm(kind: str, positions: int = 512) -> Any:
    """A language model: `llama` and `gpt2` can share a prefix, `mistral` and `bloom` cannot."""
    torch.manual_seed(0)
    if kind == "llama":
        model: Any = LlamaForCausalLM(LlamaConfig(**LLAMA_SIZES, max_position_embeddings=positions))
    elif kind == "gpt2":
        model = GPT2LMHeadModel(GPT2Config(**CAUSAL_SIZES, n_embd=16, n_layer=2, n_head=2, n_positions=positions))
    elif kind == "mistral":
        model = MistralForCausalLM(MistralConfig(**LLAMA_SIZES, max_position_embeddings=positions, sliding_window=8))
    else:
        model = BloomForCausalLM(BloomConfig(**CAUSAL_SIZES, hidden_size=16, n_layer=2, n_head=2))
    return model.eval()


def write_llama(folder: Path, positions: int = 512) -> Path:
    """A Llama with a tokenizer of bytes."""
    byte_tokenizer(positions).save_pretrained(folder)
    tiny_causal_lm("llama", positions).save_pretrained(folder)
    return folder
