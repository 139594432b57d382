"""The client of the Hub, and its errors in words that say what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from huggingface_hub import HfApi, constants, get_token
from huggingface_hub.errors import HfHubHTTPError, HTTPError, LocalEntryNotFoundError

from hf_fewshot.text.redaction import redacted

TOKENS = "https://huggingface.co/settings/tokens"
SENT = "Nothing was committed. Run the same command again: files that have arrived are not sent again."


class HubError(RuntimeError):
    """The Hub did not do what it was asked for."""


@contextmanager
def hub_access(repo_id: str, token: str | None) -> Iterator[HfApi]:
    """The client with a token, or the saved one; its errors become `HubError`, in which no secret stands."""
    if constants.is_offline_mode():
        raise HubError(
            f"{repo_id} cannot be reached: HF_HUB_OFFLINE is set. Unset it, or give dry_run=True to see what would be "
            "uploaded."
        )
    secret = token or get_token()
    try:
        yield HfApi(token=token, library_name="hf_fewshot")
    except (HTTPError, ConnectionError, LocalEntryNotFoundError) as error:
        # What the client says may repeat what a server has sent back: hence without the error it comes from.
        raise HubError(redacted(_explained(repo_id, error), secret)) from None
    except RuntimeError as error:
        # The upload of a large file wraps its errors.
        if not isinstance(error.__cause__, HTTPError):
            raise
        raise HubError(redacted(f"{error} {_explained(repo_id, error.__cause__)}", secret)) from None


def _explained(repo_id: str, error: Exception) -> str:
    owner = repo_id.split("/")[0]
    if not isinstance(error, HfHubHTTPError):
        reason = str(error).strip().split("\n")[0]
        return f"The Hub at {constants.ENDPOINT} cannot be reached ({reason}). Check the connection. {SENT}"
    status = error.response.status_code
    said = error.server_message or error.response.headers.get("X-Error-Message") or f"status {status}"
    if status == 401:
        return (
            f"The Hub does not accept the token for {repo_id} (401: {said}). Expected a token with the role 'write'. "
            f"Make one at {TOKENS}, then run `hf auth login`, set HF_TOKEN or give token=..."
        )
    if status == 403:
        return (
            f"The token may not write to {repo_id} (403: {said}). Expected a token with the role 'write', or a "
            f"fine-grained one with 'Write access to contents/settings' of the repositories of {owner}; and you must "
            f"be {owner} or a member with the right to write. Make one at {TOKENS}."
        )
    if status == 404:
        return f"The Hub has no {repo_id} that this token may see (404: {said}). Check the name and the token."
    if status in (409, 412):
        return f"{repo_id} was changed by somebody else meanwhile ({status}: {said}). {SENT}"
    if status == 429:
        return f"The Hub was asked too often (429: {said}). Wait a few minutes. {SENT}"
    if status >= 500:
        return f"The Hub is in trouble ({status}: {said}). {SENT}"
    return f"The Hub refused what was sent to {repo_id} ({status}: {said})."
