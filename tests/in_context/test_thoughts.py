import pytest

from hf_fewshot.in_context.thoughts import split_thoughts

HARMONY = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>great<|return|>"


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("great", None, "great"),
        (" great \n", None, " great \n"),
        ("<think>\nIs it bad?\n</think>\n\ngreat", "Is it bad?", "great"),
        ("<think>\n\n</think>\n\ngreat", None, "great"),
        ("<THINKING>a</Thinking>great", "a", "great"),
        ("Well. <think>a</think> great <think>b</think>", "a\nb", "Well.  great"),
        ("[THINK]a[/THINK]great", "a", "great"),
        ("\u25c1think\u25b7a\u25c1/think\u25b7great", "a", "great"),
        ("<seed:think>a</seed:think>great", "a", "great"),
        ("<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>great<|end_of_solution|>", "a", "great"),
        (HARMONY, "hm", "great"),
        # A chat template may have written the opening mark.
        ("Is it bad?</think>great", "Is it bad?", "great"),
        ("a</think>b<think>c</think>great", "a\nc", "bgreat"),
        # Another mark does not close thoughts.
        ("<think>a</thinking>b</think>great", "a</thinking>b", "great"),
        ("1 < 2 and <thin>", None, "1 < 2 and <thin>"),
        ("", None, ""),
    ],
)
def test_thoughts_are_told_apart_from_the_answer(text, thought, answer):
    assert split_thoughts(text) == (thought, answer, False)


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("<think>great, or", "great, or", ""),
        ("great <think>or", "or", "great"),
        ("<think>a</think><think>great", "a\ngreat", ""),
        ("<|channel|>analysis<|message|>great", "great", ""),
    ],
)
def test_thoughts_that_do_not_end_are_no_answer(text, thought, answer):
    assert split_thoughts(text) == (thought, answer, True)
