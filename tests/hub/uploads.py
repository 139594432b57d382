"""How files come into the stand-in Hub: upload modes, large files, commits."""

import base64
import json
from typing import Any

from tests.hub.exchange import HubError
from tests.hub.pull_requests import PullRequests
from tests.hub.storage import LARGE_SIZE, LARGE_SUFFIXES


class Uploads(PullRequests):
    """Requests that write files."""

    def preupload(self, kind: str, id: str, revision: str) -> None:
        files = self.listing(self.written_to(kind, id), revision)
        answers = []
        for file in json.loads(self.body)["files"]:
            is_large = file["path"].endswith(LARGE_SUFFIXES) or file["size"] > LARGE_SIZE
            known = files.get(file["path"])
            answers.append(
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if is_large else "regular",
                    "shouldIgnore": False,
                    "oid": known and known.etag,
                }
            )
        self.send_json(200, {"files": answers})

    def large_batch(self, kind: str | None, id: str) -> None:
        self.repo(kind, id, write=True)
        objects = []
        for wanted in json.loads(self.body)["objects"]:
            oid, size = wanted["oid"], wanted["size"]
            one = {"oid": oid, "size": size}
            if not (self.server.storage.blobs / oid).exists():
                href = f"{self.server.large_url}/upload/{oid}"
                upload: dict[str, Any] = {"href": href}
                if step := self.server.part_size:
                    count = -(-size // step)
                    upload["header"] = {str(n): f"{href}/{n}" for n in range(1, count + 1)} | {"chunk_size": str(step)}
                one["actions"] = {"upload": upload, "verify": {"href": f"{self.server.url}/verify"}}
            objects.append(one)
        self.send_json(200, {"transfer": "multipart" if self.server.part_size else "basic", "objects": objects})

    def large_upload(self, oid: str, part: str | None) -> None:
        self.refuse_token()
        if part is not None:
            self.server.parts[oid, int(part)] = self.body
        elif self.server.storage.add_blob(self.body) != oid:
            raise HubError(400, "the content does not have the promised hash")
        self.send(200, b"", {"ETag": f'"{part or oid}"'})

    def large_complete(self, oid: str) -> None:
        numbers = [part["partNumber"] for part in json.loads(self.body)["parts"]]
        content = b"".join(self.server.parts.pop((oid, number)) for number in numbers)
        if self.server.storage.add_blob(content) != oid:
            raise HubError(400, "the parts do not have the promised hash")
        self.send_json(200, {})

    def large_verify(self) -> None:
        wanted = json.loads(self.body)
        if len(self.server.storage.blob(wanted["oid"])) != wanted["size"]:
            raise HubError(400, "the upload is incomplete")
        self.send_json(200, {})

    def commit(self, kind: str, id: str, revision: str) -> None:
        name = self.written_to(kind, id)
        lines = [json.loads(line) for line in self.body.splitlines()]
        header = next(line["value"] for line in lines if line["key"] == "header")
        with self.server.storage.lock:
            if header.get("parentCommit", self.server.storage.head(name)) != self.server.storage.head(name):
                raise HubError(412, "A commit has happened since. Please refresh and try again.")
            values = {
                key: [x["value"] for x in lines if x["key"] == key] for key in ("file", "lfsFile", "deletedFile")
            }
            change = (
                {value["path"]: base64.b64decode(value["content"]) for value in values["file"]},
                {value["path"]: value["oid"] for value in values["lfsFile"]},
                [value["path"] for value in values["deletedFile"]],
                header["summary"],
            )
            if self.proposes:
                self.send_json(200, {"success": True, **self.proposed(name, kind, id, *change)})
                return
            sha = self.server.storage.commit(name, *change)
        prefix = "" if kind == "models" else f"{kind}/"
        self.send_json(
            200, {"success": True, "commitOid": sha, "commitUrl": f"{self.server.url}/{prefix}{id}/commit/{sha}"}
        )
