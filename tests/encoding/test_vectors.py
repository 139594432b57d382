"""The cache of vectors: found again, never out of date, safe to damage and to share."""

import errno
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch
from accelerate import Accelerator

from hf_fewshot.encoding import vectors as module
from hf_fewshot.encoding.vectors import encode_examples, evaluating, fingerprint, key
from hf_fewshot.files import disk_space
from hf_fewshot.files.abandoned import claimed_folder
from hf_fewshot.files.disk_space import DiskFullError
from hf_fewshot.models.few_shot_model import FewShotModel
from hf_fewshot.models.loading import load_tokenizer
from tests.attacks.forked import Forked
from tests.predicted import predict_episodes
from tests.small_episodes import RELATIONS, TAGGED, TEXTS
from tests.systems.predict_script import build, predict_alone, sampled
from tests.tiny_models import write_bert


@pytest.fixture
def calls(monkeypatch):
    """The numbers of sequences of each call of an encoder."""
    sizes = []
    encode = FewShotModel.encode

    def counting(self, inputs):
        sizes.append(len(inputs.input_ids))
        return encode(self, inputs)

    monkeypatch.setattr(FewShotModel, "encode", counting)
    return sizes


@pytest.fixture
def model(bert):
    return FewShotModel.from_encoder(bert, "proto", layers=2)


def encoded(model, examples, folder=None, **options):
    return encode_examples(
        *model, examples, cache_dir=folder, accelerator=Accelerator(cpu=True), progress=False, **options
    )


def kept(folder):
    """The one folder of vectors in a cache."""
    (only,) = folder.iterdir()
    return only


def test_vectors_of_each_example_follow_one_another(model):
    together = encoded(model, TAGGED)
    assert together.offsets.tolist() == [0, 5, 10, 18, 23, 28, 29]
    for number, example in enumerate(TAGGED):
        rows = np.arange(together.offsets[number], together.offsets[number + 1])
        alone = encoded(model, [example])
        torch.testing.assert_close(together.take(rows), alone.take(np.arange(len(rows))), rtol=1e-4, atol=1e-5)


def test_small_tables_stay_in_memory(model, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    assert not isinstance(encoded(model, TAGGED).values, np.memmap)
    assert list(tmp_path.iterdir()) == []


def test_large_tables_go_to_a_memory_mapped_file(model, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path)
    in_memory = encoded(model, TAGGED)
    monkeypatch.setattr(module, "MAX_BYTES_IN_MEMORY", 100)
    mapped = encoded(model, TAGGED)
    assert isinstance(mapped.values, np.memmap)
    assert np.array_equal(mapped.values, in_memory.values)
    assert kept(tmp_path).is_dir()


def test_the_second_time_nothing_is_encoded(model, tmp_path, calls):
    first = encoded(model, TAGGED, tmp_path)
    assert sum(calls) == len(TAGGED)
    calls.clear()
    second = encoded(model, TAGGED, tmp_path)
    assert calls == []
    assert np.array_equal(first.values, second.values)
    assert sorted(path.name for path in kept(tmp_path).iterdir()) == ["vectors.json", "vectors.npy"]


def test_an_evaluation_finds_the_vectors_of_the_one_before(bert, tmp_path, calls):
    model, tokenizer = build(str(bert), "nnshot")
    episodes = sampled("tagging", 30)
    options = {"cache_dir": tmp_path, "accelerator": Accelerator(cpu=True), "progress": False}
    first = predict_episodes(model, tokenizer, episodes, **options)
    assert calls
    calls.clear()
    # Another method on the same encoder reads the same vectors.
    assert predict_episodes(model, tokenizer, episodes, **options) == first
    predict_episodes(*build(str(bert), "proto"), episodes, **options)
    assert calls == []


def test_vectors_can_be_kept_in_half_precision(model, tmp_path):
    full, half = encoded(model, TAGGED), encoded(model, TAGGED, tmp_path, dtype="float16")
    assert isinstance(half.values, np.memmap)
    assert half.values.dtype == np.float16
    assert half.take(np.arange(3)).dtype == torch.float32
    assert np.array_equal(half.values, full.values.astype(np.float16))
    encoded(model, TAGGED, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_vectors_too_large_for_half_precision_are_an_error(model, tmp_path):
    with torch.no_grad():
        model[0].encoder.encoder.layer[-1].output.LayerNorm.weight.fill_(1e6)
    with pytest.raises(ValueError, match=r"do not fit float16. Use float32"):
        encoded(model, TAGGED, tmp_path, dtype="float16")
    assert list(tmp_path.iterdir()) == []


def test_the_key_changes_with_all_that_vectors_depend_on(bert, roberta, tmp_path):
    def key_of(examples=TAGGED, dtype="float32", precision="no", folder=bert, method="proto", change=None, **options):
        model, tokenizer = FewShotModel.from_encoder(folder, method, **options)
        if change is not None:
            change(model)
        return key(model, tokenizer, examples, dtype, precision)

    def one_weight(model):
        with torch.no_grad():
            model.encoder.embeddings.word_embeddings.weight[3, 5] += 1e-3

    def heads(model):
        model.config.encoder.num_attention_heads = 4

    def normalised(model):
        model.pooling = replace(model.pooling, normalize=True)

    marked, whole = {"representation": "markers"}, {"representation": "sentence"}
    moved = [RELATIONS[0] | {"tail": RELATIONS[1]["head"]}, *RELATIONS[1:]]
    cased = write_bert(tmp_path / "cased", lower=False)
    shutil.copy(bert / "model.safetensors", cased / "model.safetensors")
    different = [
        key_of(),
        key_of(change=one_weight),
        key_of(change=heads),
        key_of(folder=cased),
        key_of(folder=roberta),
        key_of(layers=2),
        key_of(max_length=64),
        key_of(dtype="float16"),
        key_of(precision="bf16"),
        key_of(TAGGED[1:]),
        key_of(TAGGED[::-1]),
        key_of([TAGGED[0] | {"tokens": ["Anna", *TAGGED[0]["tokens"][1:]]}, *TAGGED[1:]]),
        key_of([TAGGED[0] | {"tokens": ["anna lives", *TAGGED[0]["tokens"][2:]]}, *TAGGED[1:]]),
        key_of(RELATIONS, representation="mean"),
        key_of(RELATIONS, **marked),
        key_of(moved, **marked),
        key_of(TEXTS, representation="mean"),
        key_of(TEXTS, **whole),
        key_of([TEXTS[0] | {"text": TEXTS[0]["text"].replace(" ", "  ")}, *TEXTS[1:]], **whole),
        key_of(TEXTS, change=normalised, **whole),
    ]
    assert len(set(different)) == len(different)


def test_the_key_does_not_change_with_labels_paths_methods_or_use(bert, tmp_path):
    model, tokenizer = FewShotModel.from_encoder(bert, "proto")
    first = key(model, tokenizer, TAGGED, "float32")
    relabelled = [example | {"id": "other", "tags": []} for example in TAGGED]
    assert key(model, tokenizer, relabelled, "float32") == first
    tokenizer(["a b", "c"], padding=True, truncation=True, max_length=3)
    assert key(model, tokenizer, TAGGED, "float32") == first
    assert key(*FewShotModel.from_encoder(bert, "nnshot"), TAGGED, "float32") == first
    shutil.copytree(bert, tmp_path / "copy")
    assert key(*FewShotModel.from_encoder(tmp_path / "copy", "proto"), TAGGED, "float32") == first
    model.save_pretrained(tmp_path / "saved")
    tokenizer.save_pretrained(tmp_path / "saved")
    again = FewShotModel.from_pretrained(tmp_path / "saved"), load_tokenizer(tmp_path / "saved")
    assert key(*again, TAGGED, "float32") == first
    assert fingerprint(again[0], *again) == fingerprint(model, model, tokenizer)


def flip(path):
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)


def truncate(path):
    path.write_bytes(path.read_bytes()[:-8])


DAMAGE = {
    "a flipped bit": lambda folder: flip(folder / "vectors.npy"),
    "cut off": lambda folder: truncate(folder / "vectors.npy"),
    "empty": lambda folder: (folder / "vectors.npy").write_bytes(b""),
    "vectors deleted": lambda folder: (folder / "vectors.npy").unlink(),
    "checksum deleted": lambda folder: (folder / "vectors.json").unlink(),
    "checksum cut off": lambda folder: (folder / "vectors.json").write_text('{"crc32"'),
    "checksum of another kind": lambda folder: (folder / "vectors.json").write_text("[1]"),
    "another shape": lambda folder: np.save(folder / "vectors.npy", np.zeros((2, 3), dtype="float32")),
    "all deleted": shutil.rmtree,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_noticed_and_repaired(model, tmp_path, calls, damage):
    first = np.array(encoded(model, TAGGED, tmp_path).values)
    damage(kept(tmp_path))
    calls.clear()
    assert np.array_equal(encoded(model, TAGGED, tmp_path).values, first)
    assert sum(calls) == len(TAGGED)
    calls.clear()
    encoded(model, TAGGED, tmp_path)
    assert calls == []


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("cached", [True, False])
def test_damaged_weights_are_an_error_and_leave_nothing_behind(model, tmp_path, value, cached):
    with torch.no_grad():
        model[0].encoder.encoder.layer[0].output.dense.weight[0, 0] = value
    model[0].train()
    with pytest.raises(ValueError, match=r"NaN or infinite vectors: its weights are damaged. Load them again"):
        encoded(model, TAGGED, tmp_path if cached else None)
    assert list(tmp_path.iterdir()) == []
    assert model[0].training


def test_damaged_weights_leave_no_predictions(bert, tmp_path):
    for method in ("proto", "sentence_pair", "mnav"):
        model, tokenizer = build(str(bert), method)
        damaged = model.method.vectors if method == "mnav" else model.encoder.encoder.layer[0].output.dense.weight
        with torch.no_grad():
            damaged[0, 0] = torch.nan
        episodes = sampled("tagging" if method == "proto" else "relation", 3)
        with pytest.raises(ValueError, match="NaN"):
            predict_episodes(
                model, tokenizer, episodes, output_dir=tmp_path, progress=False, accelerator=Accelerator(cpu=True)
            )
        assert list(tmp_path.iterdir()) == []


def test_an_interrupted_encoding_leaves_nothing_that_could_be_taken_for_vectors(model, tmp_path, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FewShotModel, "encode", stop)
        with pytest.raises(KeyboardInterrupt, match=r"^$"):
            encoded(model, TAGGED, tmp_path)
    assert list(tmp_path.iterdir()) == []
    encoded(model, TAGGED, tmp_path)


def test_what_killed_processes_left_behind_is_removed_and_what_others_write_is_not(model, tmp_path):
    (tmp_path / ".encoding-old").mkdir()
    (tmp_path / ".encoding-killed").mkdir()
    (tmp_path / ".encoding-killed.lock").touch()
    with claimed_folder(tmp_path / ".encoding-running"):
        encoded(model, TAGGED, tmp_path)
        hidden = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("."))
        assert hidden == [".encoding-running", ".encoding-running.lock"]
    kept(tmp_path)


def test_no_space_for_vectors_is_an_error_before_anything_is_encoded(model, tmp_path, monkeypatch, calls):
    monkeypatch.setattr(disk_space, "free_at", lambda path: 1000)
    sentence = (
        r"^The disk is full: a table of 29 vectors of 16 numbers takes 2.0 kB and does not fit in .*, where 1.0 kB "
        r"are free. Free space there, or write elsewhere"
    )
    with pytest.raises(DiskFullError, match=sentence):
        encoded(model, TAGGED, tmp_path)
    assert calls == []
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_while_vectors_are_written_leaves_nothing_behind(model, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hf_fewshot.encoding.vector_folder.os.replace", full)
    with pytest.raises(DiskFullError, match="the vectors of examples does not fit"):
        encoded(model, TAGGED, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_small_disk_ends_the_encoding_with_a_sentence_and_not_the_process(model, small_disk):
    (small_disk / "taken").write_bytes(bytes((1 << 20) - (1 << 13)))
    many = [example for example in TAGGED for _ in range(20)]
    with pytest.raises(DiskFullError, match=r"^The disk is full: a table of 580 vectors of 16 numbers takes 37.2 kB"):
        encoded(model, many, small_disk)
    assert [path.name for path in small_disk.iterdir()] == ["taken"]
    (small_disk / "taken").unlink()
    assert encoded(model, many, small_disk).values.shape == (580, 16)


def test_a_run_that_comes_second_takes_what_the_first_wrote(model, tmp_path, monkeypatch):
    encode = module._encode

    def overtaken(*arguments):
        monkeypatch.setattr(module, "_encode", encode)
        encoded(model, TAGGED, tmp_path)
        encode(*arguments)

    monkeypatch.setattr(module, "_encode", overtaken)
    values = encoded(model, TAGGED, tmp_path).values
    assert np.array_equal(values, encoded(model, TAGGED).values)
    assert kept(tmp_path).name == key(*model, TAGGED, "float32")


def test_several_runs_can_share_a_folder_at_the_same_time(bert, tmp_path):
    case = (str(bert), "nnshot", "-", str(tmp_path / "shared"))
    first, second = (json.dumps({"result": str(tmp_path / f"run{number}")}) for number in range(2))
    with Forked(predict_alone, *case, first) as one, Forked(predict_alone, *case, second) as other:
        for process in (one, other):
            process.wait(200)
            assert process.exit_code == 0
    results = [(tmp_path / f"run{number}-0.json").read_text() for number in range(2)]
    assert results[0] == results[1]
    assert not kept(tmp_path / "shared").name.startswith(".")


def test_a_model_that_was_moved_to_encode_can_still_be_trained(bert):
    model, tokenizer = build(str(bert), "mnav")
    # As with a GPU, the weights are copied: "cpu:0" is another device than "cpu" to torch.
    with torch.inference_mode(), evaluating(model, torch.device("cpu", 0)):
        assert not model.training
    assert not any(parameter.is_inference() for parameter in model.parameters())
    predict_episodes(model, tokenizer, sampled("relation", 2), progress=False, accelerator=Accelerator(cpu=True))
    with torch.no_grad():
        model.method.vectors[0] = 1


def test_damaged_weights_stop_all_processes_and_leave_nothing_behind(bert, start, tmp_path):
    # There is one batch, so only one of the processes meets the damage.
    options = json.dumps({"damaged": True})
    process = start(
        "../systems/predict_script.py", bert, "proto", tmp_path / "out", tmp_path / "v", options, processes=2
    )
    _, errors = process.communicate(timeout=200)
    assert process.returncode != 0
    assert "ValueError: The encoder gives NaN or infinite vectors" in errors
    assert list((tmp_path / "v").iterdir()) == []
    assert not (tmp_path / "out").exists()
