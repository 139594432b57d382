import pytest

from hf_fewshot.in_context.prompts import Demonstration, Prompts, chat_texts

SHOWN = (Demonstration("Text: a\nLabel:", "x", "x"), Demonstration("Text: b\nLabel:", "y", "y"))


def labelled(labels):
    return Prompts("", tuple(Demonstration("", "", label) for label in labels))


def test_plain_prompts_are_instruction_and_demonstrations():
    assert Prompts("Choose.", SHOWN).prefix([0, 1]) == "Choose.\n\nText: a\nLabel: x\n\nText: b\nLabel: y\n\n"
    assert Prompts("", SHOWN, "\n").prefix([1]) == "Text: b\nLabel: y\n"
    assert Prompts("", SHOWN).prefix([]) == ""


def test_conversations_have_a_turn_for_each_demonstration():
    assert Prompts("Choose.", SHOWN).messages([1], "Text: c\nLabel:") == [
        {"role": "user", "content": "Choose.\n\nText: b\nLabel:"},
        {"role": "assistant", "content": "y"},
        {"role": "user", "content": "Text: c\nLabel:"},
    ]
    assert Prompts("Choose.", SHOWN).messages([], "c") == [{"role": "user", "content": "Choose.\n\nc"}]


def test_the_first_demonstration_of_the_most_frequent_label_is_dropped_first():
    assert labelled("aabbb").drop_order() == [2, 0, 3, 1, 4]
    assert labelled(["", "", ""]).drop_order() == [0, 1, 2]
    assert labelled("").drop_order() == []


def test_every_label_keeps_a_demonstration_as_long_as_possible():
    prompts = labelled("aaaabc")
    for dropped in range(4):
        kept = prompts.drop_order()[dropped:]
        assert {prompts.demonstrations[i].label for i in kept} == set("abc")


def test_chat_templates_are_split_after_the_demonstrations(tokenizer):
    shared, texts = chat_texts(tokenizer, Prompts("Choose.", SHOWN[:1]), [0], ["q", "r"])
    assert shared == "<s><|user|>Choose.\n\nText: a\nLabel:</s><|assistant|>x</s>"
    assert texts == [f"{shared}<|user|>q</s><|assistant|>", f"{shared}<|user|>r</s><|assistant|>"]
    assert chat_texts(tokenizer, Prompts("", ()), [], ["q"]) == ("", ["<s><|user|>q</s><|assistant|>"])


def test_a_template_that_rewrites_earlier_turns_shares_nothing(tokenizer, monkeypatch):
    template = "{% for m in messages %}{{ '*' if loop.last }}{{ m['content'] }};{% endfor %}"
    monkeypatch.setattr(tokenizer, "chat_template", template)
    assert chat_texts(tokenizer, Prompts("", SHOWN[:1]), [0], ["q"]) == ("", ["Text: a\nLabel:;x;*q;"])


def test_a_tokenizer_without_chat_template_is_an_error(tokenizer, monkeypatch):
    monkeypatch.setattr(tokenizer, "chat_template", None)
    with pytest.raises(ValueError, match=r"no chat template. Use chat=False"):
        chat_texts(tokenizer, Prompts("", ()), [], ["q"])


def test_a_template_that_knows_no_system_messages_says_so(tokenizer, monkeypatch):
    template = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    monkeypatch.setattr(tokenizer, "chat_template", template)
    with pytest.raises(
        ValueError, match=r"takes no such conversation: System role not supported. Leave out the system message"
    ):
        chat_texts(tokenizer, Prompts("", (), system="Be kind."), [], ["q"])
