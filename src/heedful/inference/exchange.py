"""What is asked of a model and what it answered, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]
LimitField = Literal["max_tokens", "max_completion_tokens"]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn of the conversation that is sent."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question. `temperature` None leaves it to the server; so does `response_format` None.

    `probing` says that nobody knows yet whether the server takes this `response_format`, so that an internal
    error is read as a refusal of it.
    """

    messages: tuple[ChatMessage, ...]
    max_output_tokens: int
    temperature: float | None = 0.0
    response_format: Mapping[str, object] | None = None
    limit_field: LimitField = "max_tokens"
    probing: bool = False

    def payload(self, model: str) -> dict[str, object]:
        """The body as it goes over the wire."""
        body: dict[str, object] = {
            "model": model,
            "messages": [{"role": message.role, "content": message.content} for message in self.messages],
            self.limit_field: self.max_output_tokens,
            "stream": False,
        }
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if self.response_format is not None:
            body["response_format"] = dict(self.response_format)
        return body


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; `cached` is the part of `input` the provider had seen before."""

    input: int = 0
    cached: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.input + other.input, self.cached + other.cached, self.output + other.output)


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What came back. `usage` is ours where the server did not count (`estimated`). `raw` is the whole body."""

    text: str
    usage: Usage
    estimated: bool
    model: str
    finish: str
    attempts: int
    duration_ms: int
    raw: str
