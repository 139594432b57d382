"""FewJoint 1.1 with a pretrained Chinese encoder."""

import pytest

import hf_fewshot
from hf_fewshot.embedded import embedded_encoder
from tests.predicted import predict_episodes

pytestmark = [pytest.mark.real_model, pytest.mark.shared_data]


def test_frozen_m3e_small_on_the_released_one_shot_episodes(shared_data):
    encoder = embedded_encoder("m3e-small")
    episodes = hf_fewshot.load_episodes("fewjoint", shots=1, split="test", data_dir=str(shared_data / "FewShotJoint"))
    model, tokenizer = hf_fewshot.JointModel.from_encoder(encoder, "joint_proto", transitions="rules")
    predictions = predict_episodes(model, tokenizer, episodes, progress=False)
    scores = hf_fewshot.score(episodes, predictions)
    assert [len(own) for own in predictions] == [len(episode.query) for episode in episodes]
    assert sum(map(len, predictions)) == 1065
    # Another processor may round a tie differently.
    found = [100 * scores[name] for name in ("intent_accuracy", "slot_f1", "sentence_accuracy")]
    assert found == pytest.approx([57.48, 27.80, 15.40], abs=0.3)
