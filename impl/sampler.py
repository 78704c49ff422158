"""From logits to one token per request: the laws of section E over a list of processors, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import torch

from .logprobs import LogprobRows
from .processor_set import ProcessorSet
from .request import Request
from .sampled import LogprobsMode, Sampled, TokenLogprobs
from .seeded_draw import seeded_uniform
from .strategy import Strategy, strategy_for
from .unsampleable import UnsampleableRowError, unsampleable

__all__ = ["Sampler", "UnsampleableRowError"]

_NO_TOKEN = -1


class Sampler:
    """Applies a set of processors and draws the tokens; keeps no state of its own from step to step.

    Every feature, temperature included, is a processor of the set. Source: contract section E.
    """

    def __init__(self, processors: ProcessorSet, logprobs_mode: LogprobsMode = LogprobsMode.RAW) -> None:
        self._processors = processors
        self._mode = logprobs_mode
        self._strategies: dict[torch.device, Strategy] = {}

    def sample(
        self, logits: torch.Tensor, requests: Sequence[Request], discarded: Collection[int] = ()
    ) -> list[int]:
        """One token id per row, in row order: `step` without log-probabilities."""
        return self.step(logits, requests, discarded).token_ids

    @torch.no_grad()
    def step(
        self, logits: torch.Tensor, requests: Sequence[Request], discarded: Collection[int] = ()
    ) -> Sampled:
        """One token per row, with log-probabilities where `SamplingParams.logprobs` asks for them.

        Args:
            logits: float tensor (num_requests, vocab_size), of any float dtype; float32 logits are changed in place.
            requests: the request of each row.
            discarded: rows whose token is thrown away (partial prefill); they may hold anything, and may get -1.

        1. Processors that may change the argmax act on every batch (E1).
        2. The argmax of greedy rows is taken; if every request is greedy, the other processors are skipped (E2).
        3. Otherwise these act on the whole batch, and the rows that are not greedy are sampled (E3).

        A request with a seed draws by (seed, number of outputs so far), whatever its slot and neighbours (D4); the
        others share torch's global generator.

        Raises ValueError: logits that are not one row of floats per request.
        Raises UnsampleableRowError: after the processors, a row that is not discarded has no finite logit, or holds
        +inf or NaN, so that its highest logit is not finite. Named with its request instead of answered by token 0.
        """
        _check_shape(logits, requests)
        if not requests:
            return Sampled([], [])
        greedy = [row for row, request in enumerate(requests) if request.params.is_greedy]
        random = [row for row, request in enumerate(requests) if not request.params.is_greedy]
        reports = _Reports(self._mode, requests, discarded)
        strategy = self._strategies.get(logits.device)
        if strategy is None:
            strategy = self._strategies[logits.device] = strategy_for(logits.device)

        reports.note(LogprobsMode.RAW, logits, [*greedy, *random])
        logits = logits.detach().float()
        for processor in self._processors.non_argmax_invariant:
            logits = processor.apply(logits)
        parts = [strategy.argmax(logits, greedy)] if greedy else []
        reports.note(LogprobsMode.PROCESSED, logits, greedy)
        if random:
            for processor in self._processors.argmax_invariant:
                logits = processor.apply(logits)
            uniform = _uniform_numbers([requests[row] for row in random], logits.device)
            parts.append(strategy.draw(logits, random, uniform))
            reports.note(LogprobsMode.PROCESSED, logits, random)

        token_ids = _in_row_order(parts, [*greedy, *random])
        for row, token in enumerate(token_ids):
            if token == _NO_TOKEN and row not in discarded:
                raise unsampleable(logits, row, requests[row])
        return Sampled(token_ids, reports.of(token_ids))


class _Reports:
    """Gathers, during one step, the logits that log-probabilities are asked of; nothing where none are."""

    def __init__(self, mode: LogprobsMode, requests: Sequence[Request], discarded: Collection[int]) -> None:
        asked = enumerate(request.params.logprobs for request in requests)
        self._asked = {row: most for row, most in asked if most is not None and row not in discarded}
        self._mode = mode
        self._rows: dict[int, LogprobRows] = {}

    def note(self, mode: LogprobsMode, logits: torch.Tensor, rows: Sequence[int]) -> None:
        """Keep the given rows of logits that are reported in this mode. logits: float (num_requests, vocab_size)."""
        wanted = [row for row in rows if row in self._asked] if mode is self._mode and self._asked else []
        if wanted:
            self._rows.update(dict.fromkeys(wanted, LogprobRows(logits, wanted)))

    def of(self, token_ids: Sequence[int]) -> list[TokenLogprobs | None]:
        """The reports on the tokens that were chosen, by row."""
        reports: list[TokenLogprobs | None] = [None] * len(token_ids)
        for row, most in self._asked.items():
            reports[row] = self._rows[row].of(row, token_ids[row], most)
        return reports


def _in_row_order(parts: Sequence[torch.Tensor], rows: Sequence[int]) -> list[int]:
    """Token ids by row. parts: int64 tensors, together in the order of `rows`. The one wait for the device."""
    token_ids = [_NO_TOKEN] * len(rows)
    for row, token in zip(rows, torch.cat(list(parts)).tolist(), strict=True):
        token_ids[row] = token
    return token_ids


def _uniform_numbers(requests: Sequence[Request], device: torch.device) -> torch.Tensor:
    """One float64 number in [0, 1) per request: tensor (num_requests,) on the device."""
    uniform = torch.rand(len(requests), dtype=torch.float64, device=device)
    seeded = {
        position: seeded_uniform(request.params.seed, len(request.output_token_ids))
        for position, request in enumerate(requests)
        if request.params.seed is not None
    }
    if seeded:
        numbers = torch.tensor(list(seeded.values()), dtype=torch.float64)
        uniform[torch.tensor(list(seeded), device=device)] = numbers.to(device)
    return uniform


def _check_shape(logits: torch.Tensor, requests: Sequence[Request]) -> None:
    if logits.dim() != 2 or len(logits) != len(requests) or not logits.is_floating_point():
        raise ValueError(
            f"Expected a float tensor (num_requests={len(requests)}, vocab_size) but got logits of shape "
            f"{tuple(logits.shape)} and dtype {logits.dtype}; return one row per request, in slot order"
        )
