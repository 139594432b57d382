from hf_fewshot.tasks.spans import every_label, most_frequent


def test_the_most_frequent_set_of_answers_may_be_the_empty_one():
    train = [{"answers": []}, {"answers": ["a"]}, {"answers": []}, {"answers": ["b", "a"]}]
    assert most_frequent(train, [{"question": "?"}] * 2) == [[], []]
    assert most_frequent([{"answers": ["b", "a"]}, {"answers": ["a", "b"]}, {"answers": ["a"]}], [{}]) == [["a", "b"]]


def test_every_label_is_every_training_answer_in_the_question():
    train = [{"answers": []}, {"answers": ["a"]}, {"answers": ["b", "a"]}]
    assert every_label(train, [{"question": "a or c"}, {"question": "?"}]) == [["a"], []]
