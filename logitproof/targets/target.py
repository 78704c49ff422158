"""What is under test, in the one form that the lockstep engine understands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from logitproof.model.rows import RowFunction
from logitproof.spec import BatchUpdate, Dialect, EngineConfig, LogitsProcessor, SamplingParams

if TYPE_CHECKING:
    import torch
    from hypothesis.strategies import SearchStrategy

    from logitproof.impl.request import Request

    from .outside import Outside


VOCAB_SIZE = 32
"""Wide enough for params to name different tokens, narrow enough for a thousand steps a second."""


class Engine(Protocol):
    """A persistent batch that is played: ours, or an adapter around a released engine's."""

    @property
    def requests(self) -> Sequence[Request]:
        """The live requests by slot."""

    def step(
        self, *, finished: Iterable[str], new: Iterable[Request], swaps: Iterable[tuple[int, int]]
    ) -> BatchUpdate | None:
        """Take one step, as `PersistentBatch.step` does, and return what every processor is told."""


MakeProcessor: TypeAlias = Callable[["EngineConfig", "torch.device", bool], LogitsProcessor]
"""A processor's constructor (contract D7). What it makes reads and returns our own vocabulary."""
MakeEngine: TypeAlias = Callable[[Dialect, int], Engine]
"""`(dialect, slots) -> an empty batch`."""
ParamsFor: TypeAlias = Callable[[int], "SearchStrategy[SamplingParams]"]
"""`(vocab_size) -> a hypothesis strategy` for the params of requests that use the processor."""


def our_engine(dialect: Dialect, slots: int) -> Engine:
    """The default engine: the persistent batch of `logitproof.impl`."""
    from logitproof.impl.persistent_batch import PersistentBatch

    return PersistentBatch(dialect=dialect, max_num_reqs=slots)


def accept_all(params: SamplingParams) -> None:
    """No `validate_params`: every request is admitted."""


@dataclass(frozen=True, slots=True)
class Target:
    """A processor under test: how to make one, what its requests look like, and what is right.

    name: as the user wrote it. make: called once for the batch, once per solo request and once per rebuild.
    validate: raises ValueError for params that must not reach the batch (contract D6).
    params_for: None until known; `params_from` and `reference_from` say to the user where the two came from.
    reference: `(params, prompt, outputs, row) -> row`, or None.
    """

    name: str
    make: MakeProcessor
    validate: Callable[[SamplingParams], None] = accept_all
    params_for: ParamsFor | None = None
    params_from: str = ""
    reference: RowFunction | None = None
    reference_from: str = ""
    make_engine: MakeEngine = our_engine
    params_spec: str | None = None
    """The `--params` that was given, so that a saved failure can be replayed alike."""
    reference_spec: str | None = None
    """The `--reference` that was given."""
    args_spec: tuple[str, ...] = ()
    """Every `--arg` that was given."""
    consumer_spec: str | None = None
    """The `--consumer` that was given."""
    observe_spec: str | None = None
    """The `--observe` that was given."""
    vocab: int = VOCAB_SIZE
    """Width of the logits while fuzzing."""
    tokens: tuple[int, ...] = ()
    """Token ids that matter to the target, beside those in params: prompts and outputs hold them often."""
    phrases: tuple[tuple[int, ...], ...] = ()
    """Lists of token ids that its source names: outputs of some requests begin with one."""
    outside: Outside | None = None
    """State around it that its instances may share."""
    in_vllms_types: bool = False
    """It was written against vLLM's interface: it is told in vLLM's types, and its requests came through vLLM."""
    takes_no_embeddings: bool = False
    """It raises for requests whose prompt ids are None, so those are not played."""
    own_validate: Callable[[SamplingParams], None] | None = None
    """Its `validate_params` alone, where `validate` refuses guesses too that it cannot play."""
    notes: tuple[tuple[str, str], ...] = ()
    """What the user should know about how it is run: a word and a sentence each."""
    try_next: str = ""
    """The option to give when the target never changes a logit."""
    told: Callable[[Sequence[float]], str | None] | None = None
    """What a row says, for targets whose rows stand for something else than logits."""

    def put_back(self) -> None:
        """Make what its instances may share as it was in the beginning, as in a fresh process."""
        if self.outside is not None:
            self.outside.restore()

    @property
    def is_guessed(self) -> bool:
        """Whether its requests were guessed from its source, so that values which make no sense are no fault of it."""
        return self.own_validate is not None

    @property
    def unsupported(self) -> object:
        """`logitproof_unsupported` of the class that is named: hazards that it does not claim to survive."""
        return getattr(getattr(self.make, "target", self.make), "logitproof_unsupported", ())
