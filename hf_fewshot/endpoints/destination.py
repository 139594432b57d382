"""Where the requests for a model go, and with which key."""

from dataclasses import dataclass, field

from hf_fewshot.endpoints.endpoint_error import EndpointError
from hf_fewshot.endpoints.key import key_of
from hf_fewshot.endpoints.reach import Reach
from hf_fewshot.text.address import Address
from hf_fewshot.text.redaction import redacted

# Inference Providers as one OpenAI-style server, which takes `model:provider` for a model.
ROUTER = "https://router.huggingface.co/v1"
ANY_PROVIDER = "auto"


@dataclass(frozen=True)
class Destination:
    """A server and the model there.

    Args:
        model: the name by which the server knows the model; None: it has one.
        name: the server, for messages.
        headers: with the key, if there is one.
    """

    address: Address
    model: str | None
    name: str
    headers: dict[str, str] = field(repr=False)

    @classmethod
    def of(cls, reach: Reach, model: str | None, token: str | None = None) -> "Destination":
        """An endpoint by its URL, or a provider; the saved Hugging Face token goes to providers only."""
        if model is not None and model.startswith(("http://", "https://")):
            raise ValueError(f"model={redacted(model)!r} is the URL of an endpoint. Give it as url.")
        if token is not None and reach.token_env is not None:
            raise ValueError("Both token and token_env are given, but there is one key. Give one of them.")
        if reach.token_env is not None:
            token = key_of(reach.token_env)
        if reach.endpoint is not None:
            address = Address.of(reach.endpoint, token)
            authorization = address.authorization or (f"Bearer {token}" if token else None)
            headers = {"Authorization": authorization} if authorization else {}
            return cls(address, model, f"The endpoint {address.shown}", headers)
        return cls._of_provider(reach.provider or ANY_PROVIDER, model, token)

    @classmethod
    def _of_provider(cls, provider: str, model: str | None, token: str | None) -> "Destination":
        from huggingface_hub import get_token

        if model is None:
            raise ValueError("Inference Providers have many models. Give the name of one.")
        if provider.strip() != provider or not provider or any(sign in provider for sign in ":/"):
            raise ValueError(f"provider={provider!r}, but it must be the name of a provider, such as groq, or auto.")
        token = token or get_token()
        if token is None:
            raise ValueError("Inference Providers need a Hugging Face token. Run: hf auth login, or give token_env.")
        if not token.startswith("hf_"):
            raise ValueError(
                "The key for Inference Providers must be a Hugging Face token, which begins with hf_. A key of the "
                "provider's own goes with endpoint=, the address of the provider."
            )
        address = Address.of(ROUTER, token)
        routed = model if provider == ANY_PROVIDER else f"{model}:{provider}"
        headers = {"Authorization": f"Bearer {token}"}
        return cls(address, routed, f"The model {model} of Inference Providers", headers)

    def require_reachable(self) -> None:
        """Providers are far away: the Hub's offline mode is meant for them. Endpoints are asked whatever it says."""
        from huggingface_hub import constants

        if self.address.url == ROUTER and constants.HF_HUB_OFFLINE:
            raise EndpointError(f"{self.name} is not asked: HF_HUB_OFFLINE is set. Unset it, or give endpoint=URL.")
