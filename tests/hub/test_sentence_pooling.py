"""What an encoder on the Hub says of its vectors of texts."""

import json

MODULES = [
    {"type": "sentence_transformers.models.Transformer", "path": ""},
    {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
]
PUSH = """
from huggingface_hub import HfApi
HfApi().create_repo("me/encoder")
HfApi().upload_folder(repo_id="me/encoder", folder_path="encoder")
HfApi().create_repo("me/plain")
"""
READ = """
from hf_fewshot.encoding.sentence_pooling import read_sentence_pooling
print([read_sentence_pooling(name) for name in ("me/encoder", "me/plain")])
"""
SAID = "[SentencePooling(mode='max', normalize=False, max_length=None, lower_case=False, prompt=''), None]"


def test_its_files_are_fetched_once_and_missing_ones_say_nothing(client, tmp_path):
    folder = tmp_path / "encoder"
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "modules.json").write_text(json.dumps(MODULES))
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": "max"}')
    client(PUSH.replace('"encoder"', repr(str(folder))))
    assert client(READ).stdout.splitlines()[-1] == SAID
    again = client(READ, HF_HUB_OFFLINE="1")
    assert again.stdout.splitlines()[-1] == SAID


def test_a_file_that_cannot_be_asked_for_is_told(client):
    read = client(READ, HF_HUB_OFFLINE="1")
    assert read.stdout.splitlines()[-1] == "[None, None]"
    assert "modules.json of 'me/encoder' is not in the cache and the Hub cannot be reached" in read.stderr
