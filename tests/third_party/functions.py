"""Per-request callables: plain functions, a factory, a class."""

import torch


def no_immediate_repeat(output_ids, logits):
    if output_ids:
        logits[output_ids[-1]] = float("-inf")
    return logits


def echo_prompt(prompt_ids, output_ids, logits):
    if prompt_ids:
        logits[prompt_ids[len(output_ids) % len(prompt_ids)]] += 4.0
    return logits


CALLS = []


def counts_calls(output_ids, logits):
    """Faulty: what it does depends on how often anybody called it."""
    CALLS.append(len(output_ids))
    logits[len(CALLS) % len(logits)] = float("-inf")
    return logits


def make_bias(params):
    bias = (params.extra_args or {}).get("first_token_bias")
    if bias is None:
        return None

    def process(output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
        if not output_ids:
            logits[0] += float(bias)
        return logits

    return process


class StopAfter:
    def __init__(self, max_length: int, eos_token_id: int = 2):
        self.max_length, self.eos_token_id = max_length, eos_token_id

    def __call__(self, output_ids, logits):
        if len(output_ids) >= self.max_length:
            logits[:] = float("-inf")
            logits[self.eos_token_id] = 0.0
        return logits
