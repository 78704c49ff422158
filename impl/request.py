"""A request while the engine knows it: the object that travels from slot to slot."""

from __future__ import annotations

from dataclasses import dataclass, field

from logitproof.spec import SamplingParams


@dataclass(slots=True, weakref_slot=True, eq=False)
class Request:
    """One request; compared and hashed by identity, because two requests may carry equal fields.

    `prompt_token_ids` (None for a request that was given embeddings) and `output_token_ids` are the very lists that
    every Add hands to the processors (contract C5): append to them, never replace them.

    Raises ValueError: an empty or non-string id, or a token list that is not a list.
    Raises TypeError: params that are not `SamplingParams`.
    """

    request_id: str
    params: SamplingParams
    prompt_token_ids: list[int] | None = None
    output_token_ids: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not isinstance(self.request_id, str) or not self.request_id:
            raise ValueError(
                f"Expected a non-empty string but got request_id={self.request_id!r} "
                f"(type={type(self.request_id).__name__}); convert numeric ids with str()"
            )
        if not isinstance(self.params, SamplingParams):
            raise TypeError(
                f"Expected logitproof.spec.SamplingParams but request {self.request_id!r} has params={self.params!r} "
                f"(type={type(self.params).__name__}); build it with SamplingParams(...)"
            )
        for name, tokens in (
            ("prompt_token_ids", self.prompt_token_ids),
            ("output_token_ids", self.output_token_ids),
        ):
            if not isinstance(tokens, list) and not (tokens is None and name == "prompt_token_ids"):
                raise ValueError(
                    f"Expected a list but request {self.request_id!r} has {name}={tokens!r} "
                    f"(type={type(tokens).__name__}); processors keep a reference to it, so wrap it in list(...) once"
                )
