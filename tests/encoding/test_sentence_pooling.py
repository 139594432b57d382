"""What the files of encoders say of their vectors of texts, and what is computed from it."""

import json

import numpy as np
import pytest
import torch

from hf_fewshot.encoding.sentence_pooling import MODES, SentencePooling, read_sentence_pooling

OLD, NEW = "sentence_transformers.models", "sentence_transformers.sentence_transformer.modules"


def write(folder, *kinds, pooling=None, files=()):
    """The files of an encoder of sentences without its weights."""
    paths = ["" for _ in kinds[:1]] + [
        f"{number}_{kind.rpartition('.')[2]}" for number, kind in enumerate(kinds[1:], start=1)
    ]
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": kind}
        for number, (kind, path) in enumerate(zip(kinds, paths, strict=True))
    ]
    written = {"modules.json": modules, "1_Pooling/config.json": pooling or {}, **dict(files)}
    for name, content in written.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content))
    return folder


def old(*kinds):
    return [f"{OLD}.{kind}" for kind in kinds]


def one_by_one(mode, tokens):
    """The pooling of one text (length, dim) in plain numpy."""
    if mode == "cls":
        return tokens[0]
    if mode == "lasttoken":
        return tokens[-1]
    if mode == "max":
        return tokens.max(0)
    if mode == "mean_sqrt_len_tokens":
        return tokens.sum(0) / np.sqrt(len(tokens))
    weights = np.arange(1, len(tokens) + 1) if mode == "weightedmean" else np.ones(len(tokens))
    return np.average(tokens, axis=0, weights=weights)


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_each_pooling_is_that_of_every_text_alone(mode, normalize):
    generator = np.random.default_rng(0)
    hidden = generator.normal(size=(4, 7, 5)).astype(np.float32)
    lengths = [7, 1, 4, 2]
    inside = np.arange(7) < np.array(lengths)[:, None]
    found = SentencePooling(mode, normalize).pool(torch.from_numpy(hidden), torch.from_numpy(inside))
    expected = np.stack([one_by_one(mode, text[:length]) for text, length in zip(hidden, lengths, strict=True)])
    if normalize:
        expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-6)


def test_a_vector_of_zeros_stays_one_when_it_is_normalised():
    pooled = SentencePooling(normalize=True).pool(torch.zeros(1, 3, 2), torch.ones(1, 3, dtype=torch.bool))
    assert pooled.tolist() == [[0.0, 0.0]]


def test_half_precision_is_added_up_in_full():
    hidden = torch.full((1, 4096, 1), 1.0, dtype=torch.bfloat16)
    pooled = SentencePooling().pool(hidden, torch.ones(1, 4096, dtype=torch.bool))
    assert pooled.dtype == torch.bfloat16
    assert pooled.item() == 1.0


def test_an_encoder_without_modules_says_nothing(tmp_path):
    assert read_sentence_pooling(tmp_path) is None


def test_old_files_are_read(tmp_path):
    switches = {"word_embedding_dimension": 4, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    settings = {"max_seq_length": 256, "do_lower_case": True}
    write(
        tmp_path,
        *old("Transformer", "Pooling", "Normalize"),
        pooling=switches,
        files={"sentence_bert_config.json": settings},
    )
    assert read_sentence_pooling(tmp_path) == SentencePooling("cls", True, 256, True)


@pytest.mark.parametrize("given", ["lasttoken", ["lasttoken"]])
def test_new_files_are_read(tmp_path, given):
    prompts = {"prompts": {"query": "query: ", "document": ""}, "default_prompt_name": "query", "truncate_dim": None}
    kinds = ["sentence_transformers.base.modules.transformer.Transformer", f"{NEW}.pooling.Pooling"]
    pooling = {"embedding_dimension": 4, "pooling_mode": given, "include_prompt": True}
    write(tmp_path, *kinds, pooling=pooling, files={"config_sentence_transformers.json": prompts})
    assert read_sentence_pooling(tmp_path) == SentencePooling("lasttoken", prompt="query: ")


def test_a_pooling_without_a_mode_is_the_mean(tmp_path):
    write(tmp_path, *old("Transformer", "Pooling"), pooling={"word_embedding_dimension": 4})
    assert read_sentence_pooling(tmp_path) == SentencePooling("mean")


def test_a_prompt_that_is_left_out_does_not_matter_where_there_is_none(tmp_path):
    write(tmp_path, *old("Transformer", "Pooling"), pooling={"pooling_mode": "max", "include_prompt": False})
    assert read_sentence_pooling(tmp_path) == SentencePooling("max")


PROMPT = {"prompts": {"query": "q: "}, "default_prompt_name": "query"}
REFUSED = [
    (old("Transformer", "Pooling", "Dense"), {}, {}, "its modules are Transformer, Pooling, Dense, not Transformer"),
    (old("Transformer", "WordWeights", "Pooling"), {}, {}, "its modules are Transformer, WordWeights, Pooling"),
    (["own.Transformer", f"{OLD}.Pooling"], {}, {}, r"its modules are own\.Transformer, Pooling"),
    ([], {}, {}, "its modules are none"),
    (
        old("Transformer", "Pooling"),
        {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True},
        {},
        r"its pooling is \['cls', 'max'\], not one of cls, max, mean,",
    ),
    (old("Transformer", "Pooling"), {"pooling_mode": "median"}, {}, "its pooling is 'median'"),
    (
        old("Transformer", "Pooling"),
        {"include_prompt": False},
        {"config_sentence_transformers.json": PROMPT},
        r"it leaves its prompt out of the mean \(include_prompt\)",
    ),
    (
        old("Transformer", "Pooling"),
        {},
        {"config_sentence_transformers.json": {"default_prompt_name": "query"}},
        r"default_prompt_name is 'query', but its prompts are \{\}",
    ),
    (
        old("Transformer", "Pooling"),
        {},
        {"config_sentence_transformers.json": {"truncate_dim": 2}},
        "its vectors are cut to 2 numbers",
    ),
    (
        old("Transformer", "Pooling"),
        {},
        {"sentence_bert_config.json": {"max_seq_length": "long"}},
        "max_seq_length is 'long', not a whole number of at least 1",
    ),
    (
        old("Transformer", "Pooling", "Normalize"),
        {},
        {"2_Normalize/config.json": {"module_input_name": "token_embeddings"}},
        "its Normalize has module_input_name 'token_embeddings'",
    ),
    (
        old("Transformer", "Pooling"),
        {},
        {"1_Pooling/config.json": ["mean"]},
        r"1_Pooling/config.json holds \['mean'\]",
    ),
    ([], {}, {"modules.json": {"a": 1}}, r"modules.json holds \{'a': 1\}, not a list of modules"),
    (
        [],
        {},
        {
            "modules.json": [
                {"type": f"{OLD}.Transformer", "path": "0_Transformer"},
                {"type": f"{OLD}.Pooling", "path": "1"},
            ]
        },
        "its Transformer is in '0_Transformer', not beside modules.json",
    ),
    (
        [],
        {},
        {"modules.json": [{"type": f"{OLD}.Transformer", "path": ""}, {"type": f"{OLD}.Pooling", "path": "../other"}]},
        r"modules.json names the folder '\.\./other', which is not inside it",
    ),
]


@pytest.mark.parametrize(("kinds", "pooling", "files", "problem"), REFUSED)
def test_what_cannot_be_computed_is_refused_by_name(tmp_path, kinds, pooling, files, problem):
    write(tmp_path, *kinds, pooling=pooling, files=files)
    with pytest.raises(ValueError, match=f"says how it makes vectors of texts, but .*{problem}") as caught:
        read_sentence_pooling(tmp_path)
    assert str(caught.value).endswith('Choose representation="mean", or another encoder.')


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="pooling mode 'men'"):
        SentencePooling("men")
