"""What the sampler's benchmark plays: shapes, features, requests, and our side of it. vLLM's is `_sampler_vllm`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from logitproof.impl import ENTRIES, Request, Sampler, load_processors
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams

PROFILES = {"all": 1, "quarter": 4, "one-in-32": 32}
"""A feature is used by one row in so many; in the step, each feature by other rows."""
CONSTRAINTS = ("allowed_token_ids", "bad_words", "min_tokens", "logit_bias")
PENALTIES = ("repetition_penalty", "frequency_penalty", "presence_penalty")
CUTS = ("temperature", "min_p", "top_k", "top_p")
FEATURES: dict[str, tuple[str, ...]] = {
    "step": (*CONSTRAINTS, *PENALTIES, *CUTS),
    "plain_step": ("temperature",),
    "penalties": PENALTIES,
    **{name: (name,) for name in (*CONSTRAINTS, "temperature", "min_p", "top_k")},
    "top_p_narrow": ("top_p",),
    "top_p_wide": ("top_p",),
    "top_k_top_p": ("top_k", "top_p"),
    "update_logit_bias": ("logit_bias",),
}
OPERATIONS = tuple(FEATURES)
GREEDY_EVERY = 16
"""In a mixed step one row in so many is greedy."""
PROMPT, OUTPUT = 500, 200
"""Tokens of each request."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the table."""

    batch: int
    vocabulary: int
    profile: str
    operation: str

    def logits(self) -> torch.Tensor:
        """float32 (batch, vocabulary): a broad tail and some forty candidates; the tail only, for a wide nucleus."""
        source = torch.Generator().manual_seed(0)
        logits = torch.randn(self.batch, self.vocabulary, generator=source) * 2
        if self.operation != "top_p_wide":
            peaks = torch.randint(0, self.vocabulary, (self.batch, 40), generator=source)
            logits.scatter_add_(1, peaks, torch.rand(self.batch, 40, generator=source) * 12)
        return logits

    def features_of(self, row: int) -> list[str]:
        """The features that a row uses: in a step each feature is shifted to other rows."""
        share = PROFILES[self.profile]
        features = FEATURES[self.operation]
        used = [name for place, name in enumerate(features) if (row + self._shift(place)) % share == 0]
        return [name for name in used if name not in CUTS] if self.is_greedy(row) else used

    @property
    def touches_logits(self) -> bool:
        """Whether the operation needs fresh logits, and finds the caches as a forward pass leaves them."""
        return self.operation != "update_logit_bias"

    def is_greedy(self, row: int) -> bool:
        """Whether the row takes its argmax."""
        return self.operation == "step" and self.profile != "all" and row % GREEDY_EVERY == 5

    def _shift(self, place: int) -> int:
        return place if self.operation == "step" else 0

    def ours(self, requests: Sequence[Request]) -> Ours:
        """Our side, ready to be played."""
        return Ours(self, requests)

    def equal(self, ours: Any, theirs: Any, base: torch.Tensor) -> bool:
        """Whether both sides make the same of the same logits; see `same_rows` for what counts as the same."""
        if self.operation == "update_logit_bias":
            ours.play(base.clone())
            theirs.play(base.clone())
            return torch.equal(ours.apply(base.clone()), theirs.apply(base.clone()))
        left, right = base.clone(), base.clone()
        our_tokens, their_tokens = ours.play(left), theirs.play(right)
        greedy = [row for row in range(self.batch) if self.is_greedy(row)]
        if self.operation.endswith("step") and any(our_tokens[row] != their_tokens[row] for row in greedy):
            return False
        # A greedy row's logits are not looked at again once its argmax is taken.
        sampled = [row for row in range(self.batch) if row not in greedy]
        return same_rows(left[sampled], right[sampled])


class Ours:
    """Our processors with the requests in them. The output lists are live: let them grow between plays."""

    def __init__(self, case: Case, requests: Sequence[Request]) -> None:
        cpu, config = torch.device("cpu"), EngineConfig()
        added = [(row, r.params, r.prompt_token_ids, r.output_token_ids) for row, r in enumerate(requests)]
        if case.operation.endswith("step"):
            processors = load_processors((), config, cpu, False)
            sampler = Sampler(processors)
            self._apply: Callable[[torch.Tensor], Any] = lambda logits: sampler.sample(logits, requests)
            self._tell: Callable[[BatchUpdate | None], None] = processors.update_state
        else:
            names = FEATURES[case.operation]
            chosen = [entry.processor(config, cpu, False) for entry in ENTRIES if entry.name in names]
            self._apply = lambda logits: [processor.apply(logits) for processor in chosen][-1]
            self._tell = lambda update: [processor.update_state(update) for processor in chosen][-1]
        self._tell(BatchUpdate(len(requests), [], added, []))
        # One request of the last row that uses a bias is replaced by its like.
        users = [item for item in added if item[1].logit_bias]
        self._change = BatchUpdate(len(requests), [], users[-1:], [])
        self._tells_all = case.operation == "update_logit_bias"

    def play(self, logits: torch.Tensor) -> Any:
        """One step without a change of membership; or, for update_logit_bias, the change and nothing else."""
        if self._tells_all:
            return self._tell(self._change)
        self._tell(None)
        return self._apply(logits)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """The processors alone."""
        result: torch.Tensor = self._apply(logits)
        return result


def our_requests(case: Case) -> list[Request]:
    """The requests of a case; bad words begin in the output, where both sides look for them."""
    rng = random.Random(0)

    def token() -> int:
        return rng.randrange(case.vocabulary)

    values: dict[str, Callable[[list[int]], dict[str, Any]]] = {
        "allowed_token_ids": lambda said: {"allowed_token_ids": rng.sample(range(case.vocabulary), 1000)},
        "bad_words": lambda said: {
            "bad_words": [[token()], [said[-1], token()], [token(), token(), token()]]
        },
        "min_tokens": lambda said: {
            "min_tokens": 10**6,
            "max_tokens": None,
            "stop_token_ids": [token(), token()],
        },
        "logit_bias": lambda said: {
            "logit_bias": {token(): rng.choice([-5.0, 1.5, 3.25]) for _ in range(50)}
        },
        "repetition_penalty": lambda said: {"repetition_penalty": 1.2},
        "frequency_penalty": lambda said: {"frequency_penalty": 0.3},
        "presence_penalty": lambda said: {"presence_penalty": 0.7},
        "temperature": lambda said: {"temperature": rng.choice([0.7, 1.3])},
        "min_p": lambda said: {"min_p": 0.02},
        "top_k": lambda said: {"top_k": 50},
        "top_p": lambda said: {"top_p": 0.9},
    }
    requests = []
    for row in range(case.batch):
        prompt, output = ([token() for _ in range(length)] for length in (PROMPT, OUTPUT))
        fields: dict[str, Any] = {"temperature": 0.0} if case.is_greedy(row) else {}
        for name in case.features_of(row):
            fields |= values[name](output)
        requests.append(Request(str(row), SamplingParams(**fields), prompt, output))
    return requests


EDGE = 2e-4
"""Probability by which float32 sums over a vocabulary may move the edge of a nucleus, or softmax that of min-p."""


def same_rows(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Kept tokens have equal logits bit for bit, and what only one side kept lies on the edge of what both kept.

    On the edge: the tokens that differ have together less than `EDGE` of the probability of the kept ones, or are as
    likely as the least likely that both kept, within that.
    """
    if torch.equal(left, right):
        return True
    kept, other = left > -torch.inf, right > -torch.inf
    if not torch.equal(left[kept & other], right[kept & other]):
        return False
    for row in (kept != other).any(dim=1).nonzero().flatten().tolist():
        both = left[row][kept[row] & other[row]].double()
        apart = torch.maximum(left[row], right[row])[kept[row] != other[row]].double()
        mass = (apart - both.max()).exp().sum() / (both - both.max()).exp().sum()
        if mass > EDGE and (apart.max() - both.min()).abs() > EDGE:
            return False
    return True
