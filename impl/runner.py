"""The engine's step: batch update, forward pass, logits processors, sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import torch

from logitproof.spec import Dialect, EngineConfig, LogitsProcessor, check_token_ids

from .persistent_batch import PersistentBatch
from .registry import load_processors
from .request import Request
from .sampled import LogprobsMode, TokenLogprobs
from .sampler import Sampler
from .scheduler_output import SchedulerOutput

Forward: TypeAlias = Callable[[Sequence[Request]], torch.Tensor]
"""Requests in slot order to logits, float tensor (num_requests, vocab_size) on the runner's device."""


class Runner:
    """Owns the persistent batch, the processors and the sampler, and keeps them in step.

    A request arrives (`add_request`), runs, may sit steps out and come back, and finishes.
    """

    def __init__(
        self,
        config: EngineConfig,
        forward: Forward,
        device: torch.device | str = "cpu",
        custom_processors: Sequence[type[LogitsProcessor] | str] = (),
        dialect: Dialect = Dialect.DOCUMENTED,
        logprobs_mode: LogprobsMode = LogprobsMode.RAW,
    ) -> None:
        self._device = torch.device(device)
        self._vocab_size = config.model_config.get_vocab_size()
        self._forward = forward
        is_pin_memory = self._device.type == "cuda"
        self._processors = load_processors(custom_processors, config, self._device, is_pin_memory)
        self._sampler = Sampler(self._processors, logprobs_mode)
        self._batch = PersistentBatch(dialect, config.scheduler_config.max_num_seqs)
        self._arrived: dict[str, Request] = {}
        self._unscheduled: dict[str, Request] = {}
        self._logprobs: dict[str, TokenLogprobs] = {}

    @property
    def logprobs(self) -> dict[str, TokenLogprobs]:
        """Of the last step's tokens, by id, for the requests whose `SamplingParams.logprobs` asks for them."""
        return self._logprobs

    @property
    def requests(self) -> Sequence[Request]:
        """The requests in the batch, by slot: a live view."""
        return self._batch.requests

    def add_request(self, request: Request) -> None:
        """Accept a request, to be scheduled in a later step.

        Raises ValueError (and the runner is as before): an id that is in use, token ids outside the vocabulary, or
        parameters that a processor cannot honour. Source: contract D6.
        """
        if self._knows(request.request_id):
            raise ValueError(
                f"Expected a new request id but {request.request_id!r} is in use; give the request another id, or "
                f"report the old one as finished first"
            )
        check_token_ids(request.params, self._vocab_size)
        self._processors.validate_params(request.params)
        self._arrived[request.request_id] = request

    def step(self, scheduled: SchedulerOutput) -> dict[str, int]:
        """Run one step; return the new token of every request that got one, by id.

        Raises ValueError: decisions that do not fit the requests' states (the runner is as before), or logits of the
        wrong shape. Raises UnsampleableRowError: see `Sampler.sample`. In these two cases the batch has already been
        updated, but no token has been appended.
        """
        self._check(scheduled)
        leaving = [request_id for request_id in scheduled.finished if request_id in self._batch]
        paused = {request_id: self._in_batch(request_id) for request_id in scheduled.unscheduled}
        coming = [*scheduled.new, *(self._unscheduled[request_id] for request_id in scheduled.resumed)]
        update = self._batch.step(finished=[*leaving, *paused], new=coming, swaps=scheduled.swaps)

        for request_id in (*scheduled.finished, *(request.request_id for request in coming)):
            self._arrived.pop(request_id, None)
            self._unscheduled.pop(request_id, None)
        self._unscheduled.update(paused)
        self._processors.update_state(update)
        self._logprobs = {}
        return self._generate(scheduled.partial_prefill) if len(self._batch) else {}

    def _generate(self, partial_prefill: Iterable[str]) -> dict[str, int]:
        requests = self._batch.requests
        logits = self._forward(requests)
        if logits.shape != (len(requests), self._vocab_size):
            raise ValueError(
                f"Expected logits of shape {(len(requests), self._vocab_size)} but the forward pass returned "
                f"{tuple(logits.shape)}; one row per request, model_config.vocab_size columns"
            )
        discarded = {self._batch.slot_of(request_id) for request_id in partial_prefill}
        sampled = self._sampler.step(logits, requests, discarded)
        generated = {}
        reports = zip(requests, sampled.token_ids, sampled.logprobs, strict=True)
        for row, (request, token, logprobs) in enumerate(reports):
            if row not in discarded:
                request.output_token_ids.append(token)
                generated[request.request_id] = token
                if logprobs is not None:
                    self._logprobs[request.request_id] = logprobs
        return generated

    def _knows(self, request_id: str) -> bool:
        return request_id in self._arrived or request_id in self._unscheduled or request_id in self._batch

    def _in_batch(self, request_id: str) -> Request:
        return self._batch.requests[self._batch.slot_of(request_id)]

    def _check(self, scheduled: SchedulerOutput) -> None:
        finished = set(scheduled.finished)
        entering = {request.request_id for request in scheduled.new} | set(scheduled.resumed)
        staying_out = finished | set(scheduled.unscheduled)
        for request_id in finished:
            _require(
                self._knows(request_id), "finished", request_id, "it never arrived, or has already finished"
            )
        for request in scheduled.new:
            known = self._arrived.get(request.request_id) is request
            _require(
                known, "new", request.request_id, "call add_request(request) with this very object first"
            )
        for request_id in scheduled.unscheduled:
            running = request_id in self._batch and request_id not in finished
            _require(running, "unscheduled", request_id, "it is not running, or finishes in this step")
        for request_id in scheduled.resumed:
            _require(
                request_id in self._unscheduled, "resumed", request_id, "it has not been unscheduled before"
            )
        for request_id in entering:
            _require(request_id not in finished, "finished", request_id, "it enters in this very step")
        for request_id in scheduled.partial_prefill:
            present = request_id in entering or (request_id in self._batch and request_id not in staying_out)
            _require(present, "partial_prefill", request_id, "it is not in the batch in this step")


def _require(condition: bool, field: str, request_id: str, cause: str) -> None:
    if not condition:
        raise ValueError(f"Expected another decision than {field}={request_id!r}: {cause}")
