"""The released vLLM's own batch, taken through steps without a model: the same calls as in its GPU model runner.

A step removes what has finished or is not scheduled, adds new and returning requests, condenses, swaps, and refreshes
the metadata, which is when vLLM delivers the update to every processor. What the runner writes after sampling (its
own copy of the tokens) is left out: processors see the live output lists only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from logitproof.spec import BatchUpdate, Dialect

from .vllm_params import ParamsTranslator
from .vllm_update import to_spec_update

if TYPE_CHECKING:
    from logitproof.impl.request import Request

BLOCK_SIZE = 16
BLOCKS_PER_REQUEST = 4
"""No KV cache is behind the block table, so any small numbers do."""


class _Recorder:
    """Takes its place among the processors and keeps the update that vLLM delivered last."""

    def __init__(self) -> None:
        self.update: Any = None

    def is_argmax_invariant(self) -> bool:
        return True

    def update_state(self, batch_update: Any) -> None:
        self.update = batch_update

    def apply(self, logits: Any) -> Any:
        return logits


class VllmEngine:
    """A vLLM `InputBatch` of `max_num_reqs` slots with instances of vLLM processors attached.

    Args:
        max_num_reqs: slots.
        processors: instances of vLLM processor classes; they receive vLLM's own update, untranslated.
        vocab_size: width of the logits, in tokens.
        max_model_len: most tokens of prompt and output together that a request may have when it is added.
        reasoning_config: vLLM's; not None turns its thinking budget on.

    Raises ImportError: vLLM is not installed.
    """

    def __init__(
        self,
        max_num_reqs: int,
        processors: Iterable[Any] = (),
        vocab_size: int = 32,
        max_model_len: int = 1024,
        reasoning_config: Any = None,
    ) -> None:
        import torch
        from vllm.v1.sample.logits_processor import LogitsProcessors
        from vllm.v1.worker.gpu_input_batch import InputBatch

        self._recorder = _Recorder()
        self._translator = ParamsTranslator()
        self._live: dict[str, Request] = {}
        self._states: dict[str, Any] = {}
        self.input_batch: Any = InputBatch(
            max_num_reqs=max_num_reqs,
            max_model_len=max_model_len,
            max_num_batched_tokens=max_model_len,
            device=torch.device("cpu"),
            vocab_size=vocab_size,
            block_sizes=[BLOCK_SIZE],
            max_num_blocks_per_req=[BLOCKS_PER_REQUEST],
            logitsprocs=LogitsProcessors([*processors, self._recorder]),
            reasoning_config=reasoning_config,
        )

    @property
    def requests(self) -> list[Request]:
        """The live requests by slot, in the order that vLLM's batch holds them."""
        return [self._live[request_id] for request_id in self.input_batch.req_ids]

    def step(
        self,
        finished: Iterable[str] = (),
        new: Iterable[Request] = (),
        swaps: Iterable[tuple[int, int]] = (),
        reorder: Callable[[Any], object] | None = None,
    ) -> BatchUpdate | None:
        """Take one step and return the update that vLLM delivered, in our types; its token lists are the live ones.

        Args:
            finished: ids of requests that leave, for good or for a while.
            new: requests that arrive or come back; one that leaves in this very step may come again.
            swaps: pairs of slots, exchanged in order once the batch is contiguous.
            reorder: called with vLLM's batch after the swaps; for vLLM's own reordering functions.

        Raises ValueError: a finished id that is not in the batch, or a new one that is.
        """
        batch = self.input_batch
        for request_id in finished:
            if batch.remove_request(request_id) is None:
                raise ValueError(
                    f"Expected finished requests to be in the batch {list(self._live)} but got {request_id!r}"
                )
            del self._live[request_id], self._states[request_id]
        for request in new:
            if request.request_id in self._live:
                raise ValueError(
                    f"Expected new requests to be outside the batch but {request.request_id!r} is in it"
                )
            state = self._states[request.request_id] = self._state_of(request)
            batch.add_request(state)
            self._live[request.request_id] = request
        batch.condense()
        for source, destination in swaps:
            batch.swap_states(source, destination)
        if reorder is not None:
            reorder(batch)
        batch.refresh_metadata()
        return to_spec_update(self._recorder.update)

    def _state_of(self, request: Request) -> Any:
        import torch
        from vllm.v1.worker.gpu_input_batch import CachedRequestState

        prompt, outputs = request.prompt_token_ids, request.output_token_ids
        return CachedRequestState(
            req_id=request.request_id,
            prompt_token_ids=prompt,
            prompt_embeds=torch.zeros(1, 1) if prompt is None else None,
            mm_features=[],
            sampling_params=self._translator.to_vllm(request.params),
            generator=None,
            block_ids=([],),
            num_computed_tokens=(1 if prompt is None else len(prompt)) + len(outputs),
            output_token_ids=outputs,
        )


def vllm_engine(dialect: Dialect, slots: int) -> VllmEngine:
    """An empty batch for lockstep runs: `replace(target, make_engine=vllm_engine)`.

    Raises ValueError: a dialect that vLLM does not speak.
    """
    if dialect is not Dialect.ELIDED:
        raise ValueError(
            f"Expected {Dialect.ELIDED} but got dialect={dialect}; the released vLLM words its updates in no other way"
        )
    return VllmEngine(slots)
