"""Pull requests in the stand-in Hub: commits beside the main branch, which whoever may read may propose."""

from typing import Any

from tests.hub.exchange import Exchange, HubError


class PullRequests(Exchange):
    """What a request to write may do, and where a commit goes that is only proposed."""

    @property
    def proposes(self) -> bool:
        """Whether a pull request is asked for."""
        return self.query.get("create_pr") == ["1"]

    def written_to(self, kind: str, id: str) -> str:
        """The repository, which the owner may write to and any user may propose to."""
        if self.proposes and self.user() is None:
            raise HubError(401, "Invalid username or password.")
        return self.repo(kind, id, write=not self.proposes)

    def proposed(self, name: str, kind: str, id: str, *change: Any) -> dict[str, str]:
        """Keeps a commit as a pull request; what the answer says of it."""
        number, sha = self.server.storage.propose(name, *change)
        prefix = "" if kind == "models" else f"{kind}/"
        url = f"{self.server.url}/{prefix}{id}"
        return {"commitOid": sha, "commitUrl": f"{url}/commit/{sha}", "pullRequestUrl": f"{url}/discussions/{number}"}
