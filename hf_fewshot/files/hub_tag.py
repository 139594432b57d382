"""The model repositories on the Hub that carry a tag."""

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, HTTPError

from hf_fewshot.files.downloads import DownloadError
from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

# What cards of ours carry.
TAG = "hf_fewshot"
# Whoever tags a repository does not choose how long others read.
MAX_REPOSITORIES = 2_000


def tagged_models(tag: str = TAG) -> list[str]:
    """Their names, no more than MAX_REPOSITORIES of the newest. `DownloadError`: the Hub does not say.

    The oldest comes first: where records contradict each other, nobody gets before others by being new.
    """
    try:
        found = HfApi(library_name="hf_fewshot").list_models(filter=tag, sort="created_at", limit=MAX_REPOSITORIES)
        return [one.id for one in found][::-1]
    except (HTTPError, OSError, ValueError) as error:
        status = error.response.status_code if isinstance(error, HfHubHTTPError) else None
        said = visible(redacted(str(error).strip().split("\n")[0]))
        why = f"the Hub answers {status}" if status else said
        raise DownloadError(f"Which models carry the tag {tag!r} cannot be read now ({why}).") from None
