"""SmolLM2-135M-Instruct out of its pip package, on a few rows of sample data."""

import json

import pytest
import torch

from hf_fewshot.embedded import embedded_causal_lm
from hf_fewshot.episodes.split_episode import split_episode
from hf_fewshot.in_context.causal_lm import CausalLM
from hf_fewshot.in_context.prompt_format import PromptFormat
from hf_fewshot.in_context.shared_prefix import SharedPrefix
from tests.predicted import predict_in_context

pytestmark = pytest.mark.real_model


@pytest.fixture(scope="module")
def folder(request):
    """The model as safetensors; they are made once, and kept in the cache of pytest."""
    return embedded_causal_lm("SmolLM2-135M-Instruct", request.config.cache.mkdir("causal_lms"))


@pytest.fixture(scope="module")
def smol(folder):
    torch.set_num_threads(1)
    return CausalLM.from_pretrained(folder)


def table(*rows):
    return [
        {"id": str(i), "context": [text], "question": "?", "answers": answers}
        for i, (text, answers) in enumerate(rows)
    ]


def test_the_model_is_a_llama_of_135_million_weights(smol, folder):
    assert smol.model.num_parameters() == 134_515_008
    assert smol.model.dtype == torch.float32
    assert smol.max_length == 8192
    assert folder == embedded_causal_lm("SmolLM2-135M-Instruct", folder.parent)


def test_it_tells_good_from_bad_and_scores_are_those_of_a_plain_forward(smol):
    train = table(
        ("a wonderful , moving film", ["positive"]),
        ("dull and far too long", ["negative"]),
        ("i loved every minute", ["positive"]),
        ("a terrible waste of time", ["negative"]),
    )
    test = table(("one of the best films of the year", ["positive"]), ("awful , boring and stupid", ["negative"]))
    episodes = split_episode("spans", train, test)
    found = predict_in_context(smol, episodes, "clues_sst2", calibration="content_free", progress=False)
    assert found.predictions == [[["positive"], ["negative"]]]

    text = "Review: dull\nSentiment: negative\n\nReview: wonderful\nSentiment:"
    ids = smol.tokenizer(text)["input_ids"]
    words = [smol.tokenizer(word)["input_ids"] for word in (" positive", " negative")]
    (scores,) = SharedPrefix(smol.model).score(ids[:10], [ids[10:]], [words])
    with torch.inference_mode():
        plain = smol.model(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
    assert [len(word) for word in words] == [1, 1]
    assert scores == pytest.approx([plain[word[0]].item() for word in words], abs=1e-3)


@pytest.mark.parametrize("chat", [False, True])
def test_it_writes_lists_that_can_be_parsed_and_they_are_those_of_generate(smol, chat):
    form = PromptFormat("spans", "Text: {context}\nCities:", max_new_tokens=12)
    train = table(("Anna flew from Paris to Rome .", ["Paris", "Rome"]), ("Oslo is cold .", ["Oslo"]))
    query = "Text: He lives in Berlin .\nCities:"
    lm = CausalLM(smol.model, smol.tokenizer, chat=chat)
    episodes = split_episode("spans", train, table(("He lives in Berlin .", ["Berlin"])))
    found = predict_in_context(lm, episodes, form, progress=False)
    assert found.report.unparsed == 0

    shown = [("Text: Anna flew from Paris to Rome .\nCities:", '["Paris", "Rome"]')]
    shown += [("Text: Oslo is cold .\nCities:", '["Oslo"]')]
    prompt = "".join(f"{text} {answer}\n\n" for text, answer in shown) + query
    if chat:
        turns = [
            {"role": role, "content": c} for pair in shown for role, c in zip(("user", "assistant"), pair, strict=True)
        ]
        turns.append({"role": "user", "content": query})
        prompt = smol.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    ids = smol.tokenizer(prompt, return_tensors="pt")
    output = smol.model.generate(**ids, max_new_tokens=12, do_sample=False)[0, ids["input_ids"].shape[1] :]
    line = smol.tokenizer.decode(output, skip_special_tokens=True).strip().split("\n")[0]
    assert found.predictions == [[json.loads(line)]]


def test_unknown_models_are_named():
    with pytest.raises(
        ValueError,
        match=r"Unknown embedded causal language model 'SmolLM2-135M'. Did you mean 'SmolLM2-135M-Instruct'",
    ):
        embedded_causal_lm("SmolLM2-135M")
