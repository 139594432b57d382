"""The tokens of a prompt are those of its whole text, whatever a tokenizer merges."""

import itertools

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from hf_fewshot.in_context.branching import n_shared
from hf_fewshot.in_context.prompt_tokens import PromptTokens, start_tokens
from hf_fewshot.in_context.prompts import Demonstration, Prompts
from tests.tiny_models import byte_tokenizer

PROMPTS = Prompts(
    "Choose.",
    tuple(
        Demonstration(f"Review: {text}\nLabel:", label, label) for text, label in [("fine", "good"), ("dull", "bad")]
    ),
)
QUERIES = ("Review: so so\nLabel:", "Review: fine\nLabel:")
WORDS = ("good", "bad", "a bit of both")
CORPUS = [PROMPTS.prefix([0, 1]) + QUERIES[0] + " a bit of both\n\n", "\n\n", "\n\n\n", "Label: good\n\n"] * 8
CHAT = (
    "{% for m in messages %}<{{ m['role'] }}>\n{{ m['content'] }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}<assistant>\n{% endif %}"
)


def trained(model, trainer, pre_tokenizer, normalizer=None, decoder=None):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if decoder is not None:
        tokenizer.decoder = decoder
    tokenizer.train_from_iterator(CORPUS, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", chat_template=CHAT)


def byte_level(merges_white_space):
    """As GPT-2: line breaks that follow each other are one piece, of which a line break before text is cut off."""
    pieces = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not merges_white_space)
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        max_token_length=11,
        special_tokens=["<unk>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    return trained(models.BPE(), trainer, pieces, decoder=decoders.ByteLevel())


def sentence_piece(model, trainer):
    """A space before every text, as SentencePiece puts it; line breaks are characters like others."""
    return trained(model, trainer, pre_tokenizers.Metaspace(prepend_scheme="first", split=False))


def word_piece():
    """Words and marks; white space is lost."""
    trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=["<unk>"], show_progress=False)
    return trained(
        models.WordPiece(unk_token="<unk>"), trainer, pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer()
    )


TOKENIZERS = {
    "bytes": byte_tokenizer,
    "byte-level BPE": lambda: byte_level(False),
    "byte-level BPE that merges everything": lambda: byte_level(True),
    "SentencePiece BPE": lambda: sentence_piece(
        models.BPE(unk_token="<unk>"),
        trainers.BpeTrainer(vocab_size=100, max_token_length=6, special_tokens=["<unk>"], show_progress=False),
    ),
    "SentencePiece unigram": lambda: sentence_piece(
        models.Unigram(),
        trainers.UnigramTrainer(vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False),
    ),
    "WordPiece": word_piece,
}


@pytest.mark.parametrize("chat", [False, True])
@pytest.mark.parametrize("kept", [[0, 1], [1], []])
@pytest.mark.parametrize("words", [WORDS, ()])
@pytest.mark.parametrize("name", TOKENIZERS)
def test_parts_together_are_the_tokens_of_the_whole_text(name, words, kept, chat):
    tokenizer = TOKENIZERS[name]()
    prefix, queries, options = PromptTokens(tokenizer, chat=chat).asked(PROMPTS, kept, QUERIES, words)
    for query, own, text in zip(queries, options, QUERIES, strict=True):
        if chat:
            whole = tokenizer.apply_chat_template(
                PROMPTS.messages(kept, text), tokenize=False, add_generation_prompt=True
            )
            expected = [tokenizer.encode(whole + word, add_special_tokens=False) for word in words]
        else:
            whole = PROMPTS.prefix(kept) + text
            expected = [tokenizer.encode(f"{whole} {word}", add_special_tokens=False) for word in words]
        assert [[*prefix, *query, *option] for option in own] == expected
        assert len(query) >= 1
        assert all(own) or not words
        if not words:
            assert [*prefix, *query] == tokenizer.encode(whole, add_special_tokens=False)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_what_is_shared_reaches_to_the_query(name):
    """All but the few tokens that the beginning of a query can change."""
    tokenizer = TOKENIZERS[name]()
    prefix = PromptTokens(tokenizer).asked(PROMPTS, [0, 1], QUERIES, WORDS).prefix
    alone = tokenizer.encode(PROMPTS.prefix([0, 1]), add_special_tokens=False)
    assert 0 <= len(alone) - len(prefix) <= 3
    assert prefix == alone[: len(prefix)]
    # The same for other queries of the episode, so that it is computed once.
    assert PromptTokens(tokenizer).asked(PROMPTS, [0, 1], QUERIES[1:], WORDS).prefix == prefix


def test_the_line_break_before_a_query_is_the_one_before_a_demonstration():
    """Alone, the prefix would end with one token for both line breaks."""
    tokenizer = byte_level(merges_white_space=False)
    prefix, queries, _ = PromptTokens(tokenizer).asked(PROMPTS, [0, 1], QUERIES)
    assert tokenizer.convert_ids_to_tokens(tokenizer.encode("\n\n")) == ["ĊĊ"]
    shown = [tokenizer.convert_ids_to_tokens([*prefix, *query]) for query in queries]
    for tokens in shown:
        breaks = [
            list(run) for is_break, run in itertools.groupby(tokens, lambda token: set(token) == {"Ċ"}) if is_break
        ]
        assert breaks == [["Ċ", "Ċ"], ["Ċ"], ["Ċ", "Ċ"], ["Ċ"], ["Ċ", "Ċ"], ["Ċ"]]


def test_options_that_join_the_prompt_are_compared_from_where_they_begin_to_differ():
    tokenizer = byte_level(merges_white_space=True)
    (own,) = PromptTokens(tokenizer).asked(PROMPTS, [0, 1], QUERIES[:1], ("good", "zz")).options
    together = tokenizer.encode(f"{PROMPTS.prefix([0, 1])}{QUERIES[0]} good", add_special_tokens=False)
    # ": good" or more is one token here, ":" is another: both options then begin before the colon.
    assert tokenizer.decode(own[0]).endswith("Label: good")
    assert tokenizer.decode(own[1]).endswith("Label: zz")
    assert own[0] == together[-len(own[0]) :]


def test_begin_tokens_stand_before_plain_prompts_only():
    tokenizer = byte_tokenizer()
    assert start_tokens(tokenizer) == []
    tokenizer.add_bos_token = True
    tokenizer.update_post_processor()
    assert start_tokens(tokenizer) == [1]
    assert PromptTokens(tokenizer).asked(PROMPTS, [0], QUERIES).prefix[:1] == [1]
    # The chat template has its own.
    assert PromptTokens(tokenizer, chat=True).encode(["a"]) == [tokenizer.encode("a", add_special_tokens=False)]


def test_a_prompt_that_vanishes_in_one_token_with_its_label_is_an_error():
    tokenizer = byte_tokenizer()
    tokenizer.chat_template = "{{ messages[-1]['content'] }}"
    assert len(tokenizer.encode("good")) == 1
    with pytest.raises(
        ValueError, match=r"a single token, so nothing says how likely.*Give the format a longer query"
    ):
        PromptTokens(tokenizer, chat=True).asked(Prompts("", ()), [], ["go"], ["od"])


@pytest.mark.parametrize(
    ("sequences", "expected"),
    [([[1, 2, 3], [1, 2, 4]], 2), ([[1], [1, 2]], 1), ([[5], [6]], 0), ([[], [1]], 0), ([[1, 2]], 2)],
)
def test_how_many_tokens_all_begin_with(sequences, expected):
    assert n_shared(*sequences) == expected
