"""vLLM's thinking budget, dressed as a processor so that `logitproof fuzz` can drive it.

    logitproof fuzz tests/interop/thinking_budget.py:ThinkingBudget

A request has a budget if extra_args has one. Its section is opened by token 1 and closed by 2: scripts and prompts use
low ids, so both occur.
"""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import strategies as st
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates
from vllm.v1.sample.thinking_budget_state import ThinkingBudgetStateHolder

from logitproof.spec import SamplingParams

MARKERS = SimpleNamespace(reasoning_start_token_ids=[1], reasoning_end_token_ids=[2])


class ThinkingBudget(LogitsProcessor):
    """What vLLM's batch and sampler do with their holder, at the same points of a step."""

    logitproof_params = st.builds(
        SamplingParams, extra_args=st.fixed_dictionaries({"thinking_token_budget": st.integers(0, 3)})
    )

    def __init__(self, vllm_config, device, is_pin_memory):
        slots = vllm_config.scheduler_config.max_num_seqs
        self.holder = ThinkingBudgetStateHolder(MARKERS, slots, 0, device, is_pin_memory)
        self.outputs = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        for _, params, _, _ in () if batch_update is None else batch_update.added:
            params.thinking_token_budget = (params.extra_args or {}).get("thinking_token_budget")
        process_dict_updates(self.outputs, batch_update, lambda params, prompt, outputs: outputs)
        self.holder.sync_batch(batch_update)
        self.holder.update_state([self.outputs[slot] for slot in sorted(self.outputs)], None)

    def apply(self, logits):
        return self.holder.apply_to_logits(logits, False, None)
