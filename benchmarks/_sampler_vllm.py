"""vLLM's side of the sampler's benchmark: its CPU sampler and the operations it is made of, on our requests."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import torch
from _sampler_cases import FEATURES, Case

from logitproof.impl import Request
from logitproof.spec import EngineConfig
from logitproof.vllm_config import VllmConfigView

os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")


def vllm_params(request: Request) -> Any:
    """The request's params in vLLM's class, those that its processors read."""
    from vllm import SamplingParams

    ours = request.params
    return SamplingParams(
        temperature=ours.temperature,
        min_p=ours.min_p,
        min_tokens=ours.min_tokens,
        max_tokens=None,
        stop_token_ids=list(ours.stop_token_ids),
        logit_bias=dict(ours.logit_bias) if ours.logit_bias else None,
        detokenize=False,
    )


class Vllm:
    """vLLM with the requests in it. What it would build on a change of membership is built here, and not timed."""

    def __init__(self, case: Case, requests: Sequence[Request]) -> None:
        from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessors
        from vllm.v1.sample.logits_processor import builtin as processors
        from vllm.v1.sample.sampler import Sampler

        self._requests = requests
        self._vocabulary = case.vocabulary
        self._sampler = Sampler()
        config, cpu = VllmConfigView.of(EngineConfig()), torch.device("cpu")
        classes = {
            "min_tokens": processors.MinTokensLogitsProcessor,
            "logit_bias": processors.LogitBiasLogitsProcessor,
            "min_p": processors.MinPLogitsProcessor,
        }
        self._processors = {name: kind(config, cpu, False) for name, kind in classes.items()}
        added = [
            (row, vllm_params(r), r.prompt_token_ids, r.output_token_ids) for row, r in enumerate(requests)
        ]
        for processor in self._processors.values():
            processor.update_state(BatchUpdate(len(requests), [], added, []))
        users = [item for item in added if item[1].logit_bias]
        self._change = BatchUpdate(len(requests), [], users[-1:], [])
        self.metadata = self._metadata(LogitsProcessors(list(self._processors.values())))
        self._play = self._operation(case.operation)

    def play(self, logits: torch.Tensor) -> Any:
        """One step without a change of membership; or, for update_logit_bias, the change and nothing else."""
        return self._play(logits)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Logit bias alone."""
        result: torch.Tensor = self._processors["logit_bias"].apply(logits)
        return result

    def _operation(self, name: str) -> Callable[[torch.Tensor], Any]:
        if name.endswith("step"):
            return self._step
        if name == "update_logit_bias":
            return lambda logits: self._processors["logit_bias"].update_state(self._change)
        if name in self._processors:
            return self._one_processor(name)
        if name == "penalties":
            return lambda logits: self._sampler.apply_penalties(
                logits, self.metadata, self.metadata.output_token_ids
            )
        if name == "temperature":
            return lambda logits: self._sampler.apply_temperature(logits, self.metadata.temperature, True)
        if name == "allowed_token_ids":
            return self._allow
        if name == "bad_words":
            return self._bad_words
        assert FEATURES[name][0] in ("top_k", "top_p")
        return self._cut

    def _step(self, logits: torch.Tensor) -> list[int]:
        for processor in self._processors.values():
            processor.update_state(None)
        tokens: list[int] = self._sampler(logits, self.metadata).sampled_token_ids.flatten().tolist()
        return tokens

    def _one_processor(self, name: str) -> Callable[[torch.Tensor], Any]:
        processor = self._processors[name]

        def play(logits: torch.Tensor) -> Any:
            processor.update_state(None)
            return processor.apply(logits)

        return play

    def _allow(self, logits: torch.Tensor) -> None:
        if (mask := self.metadata.allowed_token_ids_mask) is not None:
            logits.masked_fill_(mask, float("-inf"))

    def _bad_words(self, logits: torch.Tensor) -> None:
        from vllm.v1.sample.ops.bad_words import apply_bad_words

        apply_bad_words(logits, self.metadata.bad_words_token_ids, self.metadata.output_token_ids)

    def _cut(self, logits: torch.Tensor) -> torch.Tensor:
        from vllm.v1.sample.ops.topk_topp_sampler import apply_top_k_top_p

        k, p = self.metadata.top_k, self.metadata.top_p
        # vLLM's own helper writes into k, which its sampler would give it anew.
        cut: torch.Tensor = apply_top_k_top_p(logits, None if k is None else k.clone(), p)
        if cut is not logits:
            logits.copy_(cut)
        return logits

    def _metadata(self, logits_processors: Any) -> Any:
        from vllm.v1.sample.metadata import SamplingMetadata

        params = [request.params for request in self._requests]
        prompts = [request.prompt_token_ids or [] for request in self._requests]
        width = max(map(len, prompts))
        padded = [prompt + [self._vocabulary] * (width - len(prompt)) for prompt in prompts]
        penalties = (
            [p.repetition_penalty for p in params],
            [p.frequency_penalty for p in params],
            [p.presence_penalty for p in params],
        )
        temperature = torch.tensor([p.temperature for p in params])
        repetition, frequency, presence = map(torch.tensor, penalties)
        top_k = [p.top_k if p.top_k > 0 else self._vocabulary for p in params]
        top_p = [p.top_p for p in params]
        mask = torch.zeros(len(params), self._vocabulary, dtype=torch.bool)
        for row, p in enumerate(params):
            if p.allowed_token_ids is not None:
                mask[row] = True
                mask[row, list(p.allowed_token_ids)] = False
        words = {row: [list(w) for w in p.bad_words] for row, p in enumerate(params) if p.bad_words}
        return SamplingMetadata(
            temperature=temperature,
            all_greedy=bool((temperature == 0).all()),
            all_random=bool((temperature > 0).all()),
            top_p=torch.tensor(top_p) if any(p < 1 for p in top_p) else None,
            top_k=torch.tensor(top_k, dtype=torch.int32) if min(top_k) < self._vocabulary else None,
            generators={},
            max_num_logprobs=None,
            no_penalties=not (bool((repetition != 1).any()) or bool(frequency.any()) or bool(presence.any())),
            prompt_token_ids=torch.tensor(padded),
            frequency_penalties=frequency,
            presence_penalties=presence,
            repetition_penalties=repetition,
            output_token_ids=[request.output_token_ids for request in self._requests],
            allowed_token_ids_mask=mask if bool(mask.any()) else None,
            bad_words_token_ids=words,
            logitsprocs=logits_processors,
        )
