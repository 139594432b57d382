"""The stand-in is true to the Hub as far as the real client can tell."""

import hashlib

import pytest

from tests.hub.client import OTHER, READ, last_line
from tests.hub.stand_in import Fault, HubServer

API = "import json, huggingface_hub as h; from pathlib import Path; api = h.HfApi(); "
ADD = "api.create_commit('me/m', [h.CommitOperationAdd('{path}', Path('{file}'))], commit_message='add')\n"


def test_a_repository_is_created_once_and_has_an_owner(hub, client):
    done = client(
        API + "print(api.whoami()['name'], api.create_repo('me/m', private=True), api.repo_info('me/m').private)\n"
        "print(api.create_repo('me/m', exist_ok=True))\n"
        "try: api.create_repo('me/m')\n"
        "except h.errors.HfHubHTTPError as error: print(error.response.status_code)"
    )
    assert done.stdout == f"me {hub.url}/me/m True\n{hub.url}/me/m\n409\n"


def test_files_come_back_as_they_went_up(hub, client, tmp_path):
    (tmp_path / "small.txt").write_text("小\n", encoding="utf-8")
    (tmp_path / "large.safetensors").write_bytes(bytes(range(256)) * 1000)
    done = client(
        API
        + "api.create_repo('me/m')\n"
        + ADD.format(path="a/small.txt", file="small.txt")
        + ADD.format(path="large.safetensors", file="large.safetensors")
        + "folder = Path(h.snapshot_download('me/m'))\n"
        "print(json.dumps([api.list_repo_files('me/m'), (folder / 'a/small.txt').read_text(),"
        " h.utils.sha.sha256((folder / 'large.safetensors').read_bytes()).hexdigest(),"
        " [x.path for x in api.get_paths_info('me/m', ['a', 'large.safetensors', 'none'])],"
        " h.file_exists('me/m', 'b'), h.HfFileSystem().cat_file('me/m/large.safetensors', 10, 14).hex()]))"
    )
    names, small, digest, paths, exists, part = last_line(done)
    assert sorted(names) == [".gitattributes", "a/small.txt", "large.safetensors"]
    assert small == "小\n"
    assert digest == hashlib.sha256(bytes(range(256)) * 1000).hexdigest()
    assert sorted(paths) == ["a", "large.safetensors"]
    assert exists is False
    assert part == "0a0b0c0d"
    assert len(hub.asked("^/upload/")) == 1
    assert hub.storage.files("models/me/m")["large.safetensors"].is_large


def test_a_large_file_can_come_in_parts(tmp_path, client, hub):
    hub.part_size = 1000
    (tmp_path / "x.safetensors").write_bytes(bytes(2500))
    client(API + "api.create_repo('me/m')\n" + ADD.format(path="x.safetensors", file="x.safetensors"))
    assert len(hub.asked(r"^/upload/\w+/[123]$")) == 3
    assert hub.storage.content("models/me/m", "x.safetensors") == bytes(2500)


@pytest.mark.parametrize(
    ("token", "name", "error"),
    [
        (None, "me/m", "RepositoryNotFoundError 401"),
        (OTHER, "me/m", "RepositoryNotFoundError 404"),
        (READ, "me/m", "HfHubHTTPError 403"),
        ("hf_nobody", "me/m", "HfHubHTTPError 401"),
    ],
)
def test_a_private_repository_is_closed_to_others(token, name, error, hub, client):
    hub.storage.create("models/me/m", private=True)
    (hub.storage.folder.parent / "x.txt").write_text("x")
    done = client(
        API + "\ntry: api.create_commit('me/m', [h.CommitOperationAdd('x', Path('x.txt'))], commit_message='add')\n"
        "except h.errors.HfHubHTTPError as error: print(type(error).__name__, error.response.status_code)",
        token=token,
    )
    assert done.stdout.strip() == error


def test_a_commit_on_an_outdated_one_is_refused(hub, client):
    hub.storage.create("models/me/m", private=False)
    old = hub.storage.head("models/me/m")
    hub.storage.put("models/me/m", "new.txt", "x")
    done = client(
        API + "\ntry: api.create_commit('me/m', [h.CommitOperationAdd('x', b'x')], commit_message='add',"
        f" parent_commit='{old}')\n"
        "except h.errors.HfHubHTTPError as error: print(error.response.status_code)"
    )
    assert done.stdout.strip() == "412"


def test_the_client_waits_and_tries_again_when_it_asks_too_often(hub, client):
    hub.storage.create("models/me/m", private=False)
    hub.faults += [Fault("/preupload/", 429, headers={"Retry-After": "0"}), Fault("/preupload/", 503)]
    client(API + "api.create_commit('me/m', [h.CommitOperationAdd('x', b'x')], commit_message='add')")
    assert len(hub.asked("/preupload/")) == 3
    assert hub.storage.content("models/me/m", "x") == b"x"


def test_servers_have_ports_of_their_own(tmp_path):
    first, second = HubServer(tmp_path / "a", {}), HubServer(tmp_path / "b", {})
    assert first.url != second.url
    for server in (first, second):
        server.shutdown()
        server.server_close()
