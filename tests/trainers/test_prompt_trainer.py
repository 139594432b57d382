import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import TrainerState

from hf_fewshot.clozes.cloze import load_cloze
from hf_fewshot.clozes.inputs import ClozeInputBuilder
from hf_fewshot.clozes.masked_lm import label_scores, load_masked_lm
from hf_fewshot.systems.clozes import ClozeSystem
from hf_fewshot.trainers.prompt_trainer import PromptCollator, PromptTrainer, PromptTrainingArguments
from tests.clozes.reviews import review
from tests.tiny_models import write_bert, write_masked_deberta
from tests.trainers.answer_rows import REVIEW_ROWS as ROWS

CLOZE = load_cloze("sst2")


def arguments(folder, **options):
    chosen = {"learning_rate": 5e-3, "num_train_epochs": 20, "save_strategy": "no", "report_to": "none", "seed": 7}
    chosen |= {"max_length": 64, **({"n_draws": 2} if options.get("demonstrations", True) else {})}
    return PromptTrainingArguments(str(folder), use_cpu=True, disable_tqdm=True, **{**chosen, **options})


def trained(folder, out, **options):
    model, tokenizer = load_masked_lm(folder)
    trainer = PromptTrainer(
        model,
        arguments(out, **options),
        cloze=CLOZE,
        processing_class=tokenizer,
        train_dataset=ROWS,
        eval_dataset=ROWS,
    )
    trainer.train()
    return trainer


def test_the_defaults_are_those_of_the_paper(tmp_path):
    own = PromptTrainingArguments(str(tmp_path))
    assert (own.learning_rate, own.num_train_epochs, own.per_device_train_batch_size) == (1e-5, 20, 8)
    assert (own.max_length, own.demonstrations) == (512, True)


def test_draws_of_what_is_not_shown_are_refused(tmp_path):
    with pytest.raises(ValueError, match="n_draws=4, but demonstrations=False shows nothing to draw"):
        PromptTrainingArguments(str(tmp_path), use_cpu=True, demonstrations=False, n_draws=4)


def test_reviews_are_learned_and_the_saved_model_predicts_the_same(masked_bert, tmp_path):
    trainer = trained(masked_bert, tmp_path, demonstrations=False, num_train_epochs=40)
    assert trainer.evaluate()["eval_s1"] == 1.0
    trainer.save_model(tmp_path / "saved")
    model, tokenizer = load_masked_lm(tmp_path / "saved")
    new = [review("a good film"), review("the dull film")]
    assert ClozeSystem(model, tokenizer, CLOZE, max_length=64).answers(new) == [["positive"], ["negative"]]


@pytest.mark.parametrize("family", ["masked_bert", "masked_roberta"])
def test_training_with_demonstrations_gives_each_row_one_label(family, request, tmp_path):
    trainer = trained(request.getfixturevalue(family), tmp_path, max_steps=2)
    assert all(answers in (["positive"], ["negative"]) for answers in trainer.answers(ROWS))
    assert trainer.evaluate()["eval_n"] == 8


def test_the_same_seed_gives_the_same_weights_and_weights_move(masked_bert, tmp_path):
    start = load_masked_lm(masked_bert)[0].state_dict()
    first, second = (trained(masked_bert, tmp_path, max_steps=3).model.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(
        start["bert.embeddings.word_embeddings.weight"], first["bert.embeddings.word_embeddings.weight"]
    )
    assert not torch.equal(start["cls.predictions.bias"], first["cls.predictions.bias"])


@pytest.mark.parametrize("family", ["masked_bert", "masked_roberta"])
def test_sequences_longer_than_the_model_has_positions_for_are_refused(family, request, tmp_path):
    model, tokenizer = load_masked_lm(request.getfixturevalue(family))
    positions = model.config.max_position_embeddings - (2 if family == "masked_roberta" else 0)
    message = rf"max_length={positions + 1}, but the model has {positions} positions\. Lower max_length"
    own = arguments(tmp_path, max_length=positions + 1)
    with pytest.raises(ValueError, match=message):
        PromptTrainer(model, own, cloze=CLOZE, processing_class=tokenizer, train_dataset=ROWS)
    with pytest.raises(ValueError, match=message):
        ClozeSystem(model, tokenizer, CLOZE, max_length=positions + 1).answers(ROWS)
    ClozeSystem(model, tokenizer, CLOZE, max_length=positions).answers(ROWS[:1])


def test_demonstrations_depend_on_the_epoch_and_the_row_alone(masked_bert):
    builder = ClozeInputBuilder(load_masked_lm(masked_bert)[1], CLOZE, 64)
    collator = PromptCollator(builder, ROWS, shows=True, seed=7)

    def texts(numbers, epoch):
        collator.on_epoch_begin(None, TrainerState(epoch=epoch), None)
        return [collator([n])["input_ids"].tolist() for n in numbers]

    first = texts(range(8), 0.0)
    # Another process has another part of the batch, and an epoch is resumed in its middle.
    assert texts([5, 2], 0.75) == [first[5], first[2]]
    assert texts(range(8), 1.0) != first
    other = PromptCollator(builder, ROWS, shows=True, seed=8)
    assert [other([n])["input_ids"].tolist() for n in range(8)] != first
    assert all(ROWS[n] not in collator.shown(n) for n in range(8))


@pytest.mark.parametrize("workers", [{}, {"dataloader_num_workers": 1, "dataloader_persistent_workers": True}])
def test_every_epoch_draws_anew(masked_bert, tmp_path, workers):
    model, tokenizer = load_masked_lm(masked_bert)
    seen = []

    class Watching(PromptTrainer):
        def compute_loss(self, model, inputs, **options):
            seen.append(sorted(inputs["input_ids"].tolist()))
            return super().compute_loss(model, inputs, **options)

    own = arguments(tmp_path, num_train_epochs=3, **workers)
    Watching(model, own, cloze=CLOZE, processing_class=tokenizer, train_dataset=ROWS).train()
    # A batch is all rows: without new draws all three would be the same.
    assert len(seen) == 3
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_accumulated_steps_have_the_loss_of_one_large_batch(masked_bert, tmp_path):
    losses = []
    for batch, accumulation in ((8, 1), (4, 2)):
        model, tokenizer = load_masked_lm(masked_bert)
        for module in model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = 0.0
        own = arguments(
            tmp_path,
            demonstrations=False,
            max_steps=1,
            per_device_train_batch_size=batch,
            gradient_accumulation_steps=accumulation,
        )
        trainer = PromptTrainer(model, own, cloze=CLOZE, processing_class=tokenizer, train_dataset=ROWS)
        losses.append(trainer.train().training_loss)
    assert losses[0] == pytest.approx(losses[1], rel=1e-2)


def test_scores_are_the_logits_of_the_words_at_the_mask(masked_bert, tmp_path):
    model, tokenizer = load_masked_lm(masked_bert)
    model.eval()
    trainer = PromptTrainer(model, arguments(tmp_path), cloze=CLOZE, processing_class=tokenizer, train_dataset=ROWS)
    encoded = tokenizer("good film it was [MASK].", return_tensors="pt")
    words = tokenizer.convert_tokens_to_ids(["great", "terrible"])
    with torch.no_grad():
        expected = model(**encoded).logits[0, 5, words]
        found = label_scores(model, trainer.builder([ROWS[0]], [[]]), trainer.builder.label_tokens)
    torch.testing.assert_close(found[0], expected)


def test_draws_are_averaged_and_depend_on_the_seed_alone(masked_bert):
    model, tokenizer = load_masked_lm(masked_bert)
    both = [
        ClozeSystem(model, tokenizer, CLOZE, demonstrations=ROWS, n_draws=3, max_length=64, seed=5).answers(ROWS)
        for _ in range(2)
    ]
    assert both[0] == both[1]
    # A row has the same draws wherever it stands in a batch of its own.
    assert (
        ClozeSystem(model, tokenizer, CLOZE, demonstrations=ROWS, n_draws=3, max_length=64, seed=5).answers(ROWS[:1])
        == (both[0][:1])
    )


def test_an_encoder_without_a_head_is_refused_unless_a_new_one_is_wanted(tmp_path):
    folder = write_bert(tmp_path / "encoder")
    with pytest.raises(ValueError, match=r"has no masked-language-model head: cls.predictions"):
        load_masked_lm(folder)
    assert type(load_masked_lm(folder, new_head=True)[0]).__name__ == "BertForMaskedLM"


def test_wrong_rows_and_missing_demonstrations_are_refused(masked_bert, tmp_path):
    model, tokenizer = load_masked_lm(masked_bert)
    with pytest.raises(ValueError, match=r"Row 'x' has the answers \['neutral'\]; template 'sst2' needs one of"):
        PromptTrainer(
            model, arguments(tmp_path), cloze=CLOZE, processing_class=tokenizer, train_dataset=[review("x", "neutral")]
        )
    trainer = PromptTrainer(model, arguments(tmp_path), cloze=CLOZE, processing_class=tokenizer)
    with pytest.raises(ValueError, match="Demonstrations are training rows: give train_dataset, or demonstrations=F"):
        trainer.evaluate(ROWS)


def test_the_head_of_deberta_is_found_and_a_missing_one_still_refused(tmp_path):
    folder = write_masked_deberta(tmp_path / "deberta")
    model, tokenizer = load_masked_lm(folder)
    saved = load_file(folder / "model.safetensors")
    head = {name: value for name, value in saved.items() if name.startswith("lm_predictions.")}
    assert len(head) >= 3
    assert all(torch.equal(model.state_dict()[name], value) for name, value in head.items())
    assert len(ClozeSystem(model, tokenizer, CLOZE, max_length=64).answers(ROWS)) == 8
    save_file(
        {name: value for name, value in saved.items() if name not in head},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(ValueError, match="has no masked-language-model head: lm_predictions"):
        load_masked_lm(folder)


def test_a_saved_deberta_is_loaded_with_its_head(tmp_path):
    trainer = trained(write_masked_deberta(tmp_path / "deberta"), tmp_path, max_steps=1, demonstrations=False)
    before = trainer.answers(ROWS)
    trainer.save_model(tmp_path / "saved")
    model, tokenizer = load_masked_lm(tmp_path / "saved")
    assert ClozeSystem(model, tokenizer, CLOZE, max_length=64).answers(ROWS) == before
