"""Models on the Hub, by their names: in its cache on this machine, or asked for."""

from pathlib import Path

from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url, try_to_load_from_cache
from huggingface_hub.errors import (
    DisabledRepoError,
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    HTTPError,
    RepositoryNotFoundError,
)

from hf_fewshot.text.redaction import redacted
from hf_fewshot.text.visible import visible

CONFIG = "config.json"
SECONDS = 5.0


class HubUnknownError(OSError):
    """What the Hub has cannot be told now."""


def cached_model(name: str) -> Path | None:
    """The folder of a model of the Hub in the cache; None: it is not there.

    ValueError: no model of the Hub can have this name.
    """
    found = try_to_load_from_cache(name, CONFIG)
    return Path(found).parent if isinstance(found, str) else None


def cached_models() -> list[str]:
    """The names of all models in the cache: repositories whose current version has a configuration."""
    root = Path(constants.HF_HUB_CACHE)
    names = [one.name.removeprefix("models--").replace("--", "/") for one in sorted(root.glob("models--*"))]
    return [name for name in names if cached_model(name) is not None]


def ask_for_model(name: str) -> None:
    """Asks the Hub for the head of one small file, with the saved token where there is one.

    ValueError: there is no such model, or it may not be loaded. `HubUnknownError`: the Hub does not say.
    """
    if constants.is_offline_mode():
        raise HubUnknownError("HF_HUB_OFFLINE is set")
    at = f"{constants.ENDPOINT}/{name}"
    try:
        get_hf_file_metadata(hf_hub_url(name, CONFIG), timeout=SECONDS, library_name="hf_fewshot")
    except GatedRepoError:
        raise ValueError(
            f"Model {name!r} is there, but its owners let in only those who agree to their terms. Do so at {at}, and "
            "log in with `hf auth login`."
        ) from None
    except (RepositoryNotFoundError, DisabledRepoError):
        raise ValueError(
            f"There is no model {name!r}: no folder of this name here, and none on the Hub that you may see ({at}). "
            "Check the name; for a private model, log in with `hf auth login`."
        ) from None
    except EntryNotFoundError:
        raise ValueError(f"{name!r} on the Hub has no {CONFIG} ({at}): it is no model. Check the name.") from None
    except (HTTPError, OSError) as error:
        status = error.response.status_code if isinstance(error, HfHubHTTPError) else None
        said = visible(redacted(str(error).strip().split("\n")[0]))
        why = f"the Hub answers {status}" if status else f"the Hub cannot be reached ({said})"
        raise HubUnknownError(why) from error
