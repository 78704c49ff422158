"""A server whose file also holds its processor: most of what it imports is missing, its settings are the engine's."""

import asyncio

import torch
from no_web_framework_of_this_name import Application, route
from no_web_framework_of_this_name.responses import Reply
from vllm import SamplingParams
from vllm.entrypoints.no_such_server import serve
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, MoveDirectionality

app = Application(title="answers")


@route("/health")
async def health() -> Reply:
    return Reply(200)


class CloseAfter(LogitsProcessor):
    def __init__(self, vllm_config, device: torch.device, is_pin_memory: bool):
        self.waiting = {}
        self.close_ids = vllm_config.additional_config.get("close_ids", [])

    def is_argmax_invariant(self) -> bool:
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        if batch_update is None:
            return
        for index in batch_update.removed:
            self.waiting.pop(index, None)
        for index, params, _, outputs in batch_update.added:
            self.follow(index, params, outputs)
        for source, destination, how in batch_update.moved:
            self.move(source, destination, how is MoveDirectionality.SWAP)

    def follow(self, index: int, params: SamplingParams, outputs: list[int]) -> None:
        self.waiting.pop(index, None)
        after = (params.extra_args or {}).get("close_after")
        if isinstance(after, int) and after > 0:
            self.waiting[index] = (after, outputs)

    def move(self, source: int, destination: int, is_swap: bool) -> None:
        one, other = self.waiting.pop(source, None), self.waiting.pop(destination, None)
        if one is not None:
            self.waiting[destination] = one
        if is_swap and other is not None:
            self.waiting[source] = other

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index, (after, outputs) in self.waiting.items():
            place = len(outputs) - after
            if 0 <= place < len(self.close_ids):
                logits[index] = float("-inf")
                logits[index, self.close_ids[place]] = 0.0
        return logits


class CloseAfterKept(CloseAfter):
    """Faulty: a request that is not followed leaves what stood at its destination."""

    def move(self, source, destination, is_swap):
        if is_swap:
            super().move(source, destination, is_swap)
        elif source in self.waiting:
            self.waiting[destination] = self.waiting.pop(source)


if __name__ == "__main__":
    asyncio.run(serve(app))
