"""What trainers push: the model with our card."""

import pytest
from huggingface_hub import ModelCard

from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.trainers.episodic_trainer import EpisodicTrainer, EpisodicTrainingArguments
from hf_fewshot.trainers.span_trainer import SpanTrainer, SpanTrainingArguments
from tests.cards.records import record

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=<...>' to upload raw:DeprecationWarning")


@pytest.fixture
def trainer(bert, tagging_episodes, tmp_path):
    """A function that makes a trainer of one step."""

    def make(**options):
        model, tokenizer = FewShotModel.from_encoder(bert, "proto")
        chosen = {"use_cpu": True, "report_to": "none", "disable_tqdm": True, "max_steps": 1, "seed": 7}
        args = EpisodicTrainingArguments(
            str(tmp_path / "out"), per_device_train_batch_size=2, save_strategy="no", **chosen, **options
        )
        return EpisodicTrainer(
            model,
            args,
            processing_class=tokenizer,
            train_dataset=tagging_episodes,
            eval_dataset=tagging_episodes,
        )

    return make


def test_a_trained_model_is_pushed_with_our_card(online, trainer):
    own = trainer(push_to_hub=True, hub_model_id="me/trained", hub_private_repo=True)
    own.train()
    f1 = own.evaluate()["eval_f1"]
    own.push_to_hub(license="mit")
    card = ModelCard(online.storage.content("models/me/trained", "README.md").decode())
    assert card.data.library_name == "hf_fewshot"
    assert card.data.license == "mit"
    assert card.data.pipeline_tag == "token-classification"
    assert 'model = pipeline("few-shot-ner", "me/trained")' in card.text
    assert "| seed | 7 |" in card.text
    assert "| steps | 1 |" in card.text
    assert f"| F1 | {100 * f1:.2f} |" in card.text
    assert "they are no test result" in card.text
    stored = online.storage.content("models/me/trained", "model.safetensors")
    assert len(stored) > 10_000


def test_the_card_shows_the_records_that_the_trainer_is_given(trainer, tmp_path):
    own = trainer()
    own.records = [record(correct=30)]
    own.create_model_card(tags="mine", language="en", finetuned_from="bert-base-uncased")
    card = ModelCard.load(tmp_path / "out/README.md")
    assert card.data.eval_results[0].metric_value == 60.0
    assert "mine" in card.data.tags
    assert card.data.base_model == "bert-base-uncased"
    assert "| ProtoBERT | bert-base-uncased | 60.00 |" in card.text


def test_data_that_no_record_tells_of_does_not_come_into_the_card(trainer, tmp_path):
    with pytest.raises(ValueError, match=r"takes tasks and data from records of runs, got 'squad'\. Set `records`"):
        trainer().create_model_card(dataset="squad")
    assert not (tmp_path / "out" / "README.md").exists()


def test_trainers_of_answers_write_our_card_too(bert, tmp_path):
    from hf_fewshot.models.span_model import SpanModel

    model, tokenizer = SpanModel.from_encoder(bert, max_length=64, stride=16)
    args = SpanTrainingArguments(str(tmp_path / "out"), use_cpu=True, report_to="none")
    SpanTrainer(model, args, processing_class=tokenizer).create_model_card()
    card = ModelCard.load(tmp_path / "out/README.md")
    assert card.data.pipeline_tag == "question-answering"
    assert "print(SpanSystem(model, tokenizer).answers(rows))" in card.text
