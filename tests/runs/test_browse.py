from hf_fewshot.runs.browse import browse_rows


def test_a_query_of_another_class_is_none_of_the_above(relation_episodes):
    rows = browse_rows(relation_episodes, [["lives", "works", "NOTA"], ["lives"], ["born", "lives", "NOTA"]])
    assert [item["label"] for item in rows[0]["query"]] == ["lives", "works", "NOTA"]
    assert [item["predicted_label"] for item in rows[0]["query"]] == ["lives", "works", "NOTA"]
    assert rows[0]["query"][0]["spans"] == [(0, 1, "head"), (3, 4, "tail")]
    assert rows[0]["support"][0]["predicted_label"] is None


def test_types_that_an_episode_does_not_have_are_outside(tagging_episodes):
    rows = browse_rows(tagging_episodes, [[["O"] * 5, ["place"]], [["O"] * 5] * 2, [["org"] * 8]])
    assert rows[0]["query"][0]["spans"] == [(0, 1, "person"), (4, 5, "place")]
    assert rows[2]["query"][0]["spans"] == [(0, 4, "org")]
    assert rows[2]["query"][0]["predicted_spans"] == [(0, 8, "org")]


def test_intents_and_slots(joint_episodes):
    predicted = {"intent": "works", "slot_tags": ["B-person", "O", "O", "O"]}
    rows = browse_rows(joint_episodes, [[predicted]] * len(joint_episodes))
    item = rows[0]["query"][0]
    assert (rows[0]["title"], item["label"], item["predicted_label"]) == ("a", "works", "works")
    assert (item["spans"], item["predicted_spans"]) == ([(0, 1, "person"), (3, 4, "place")], [(0, 1, "person")])
