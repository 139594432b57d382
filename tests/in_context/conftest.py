"""Tiny causal language models with a tokenizer of bytes, made on the spot, and a chat endpoint on this machine."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    BloomConfig,
    BloomForCausalLM,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedTokenizerFast,
)

from hf_fewshot.in_context.causal_lm import CausalLM
from tests.models.conftest import relation_episodes, tagging_episodes, text_episodes

__all__ = ["relation_episodes", "tagging_episodes", "text_episodes"]

os.environ["TOKENIZERS_PARALLELISM"] = "false"
SPECIAL = ["<pad>", "<s>", "</s>", "<|user|>", "<|assistant|>"]
CHAT = (
    "{{ '<s>' }}{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def byte_tokenizer() -> PreTrainedTokenizerFast:
    """One token per byte; `good`, `bad` and ` the` are one token each."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*SPECIAL, *letters]
    merges: list[tuple[str, str]] = []
    for word in ("good", "bad", "Ġthe"):
        for size in range(2, len(word) + 1):
            merges.append((word[: size - 1], word[size - 1]))
            pieces.append(word[:size])
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="<pad>", bos_token="<s>", eos_token="</s>", model_max_length=512
    )
    tokenizer.add_special_tokens({"additional_special_tokens": SPECIAL[3:]})
    tokenizer.chat_template = CHAT
    return tokenizer


SIZES = {"vocab_size": 300, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "initializer_range": 0.3}
LLAMA_SIZES = {
    **SIZES,
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
}


def tiny_model(kind: str) -> Any:
    """A language model with random weights: `llama` and `gpt2` can share a prefix, `mistral` and `bloom` cannot."""
    torch.manual_seed(0)
    if kind == "llama":
        model: Any = LlamaForCausalLM(LlamaConfig(**LLAMA_SIZES))
    elif kind == "gpt2":
        model = GPT2LMHeadModel(GPT2Config(**SIZES, n_embd=16, n_layer=2, n_head=2, n_positions=512))
    elif kind == "mistral":
        model = MistralForCausalLM(MistralConfig(**LLAMA_SIZES, sliding_window=8))
    else:
        model = BloomForCausalLM(BloomConfig(**SIZES, hidden_size=16, n_layer=2, n_head=2))
    return model.eval()


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer of bytes with a chat template."""
    return byte_tokenizer()


@pytest.fixture(scope="session")
def llama() -> Any:
    """A tiny Llama."""
    return tiny_model("llama")


@pytest.fixture
def lm(llama, tokenizer) -> CausalLM:
    """A tiny Llama as a backend."""
    return CausalLM(llama, tokenizer)


class ChatServer(ThreadingHTTPServer):
    """An OpenAI-compatible endpoint that answers with `reply(messages)`, after it has misbehaved as told.

    `script` is worked off first, one entry per request: a status, a pair of status and body, or seconds to sleep.
    """

    daemon_threads = True

    def __init__(self, reply: Callable[[list[dict[str, str]]], Any]) -> None:
        super().__init__(("127.0.0.1", 0), ChatHandler)
        self.reply = reply
        self.script: list[Any] = []
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.busy = self.most_busy = 0
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class ChatHandler(BaseHTTPRequestHandler):
    """One request to a ChatServer."""

    server: ChatServer

    def do_POST(self) -> None:
        server = self.server
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.requests.append({"path": self.path, "key": self.headers["Authorization"], **request})
            step = server.script.pop(0) if server.script else None
            server.busy += 1
            server.most_busy = max(server.most_busy, server.busy)
        try:
            if isinstance(step, float):
                time.sleep(step)
            if isinstance(step, int):
                self.send(step, b"{}")
            elif isinstance(step, tuple):
                self.send(*step)
            else:
                reply = server.reply(request["messages"])
                body = {
                    "choices": [
                        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}
                    ],
                    "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
                }
                self.send(200, json.dumps(body).encode())
        finally:
            with server.lock:
                server.busy -= 1

    def send(self, status: int, body: bytes) -> None:
        try:
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client did not wait

    def log_message(self, *args: Any) -> None:
        """Keeps quiet: `requests` has it all."""


@pytest.fixture
def chat_server(monkeypatch) -> Iterator[Callable[..., ChatServer]]:
    """A function that starts an endpoint: `chat_server(lambda messages: "good")`. Offline mode is lifted for it."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    servers: list[ChatServer] = []

    def start(reply: Callable[[list[dict[str, str]]], Any]) -> ChatServer:
        servers.append(ChatServer(reply))
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()
