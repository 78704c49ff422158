"""Forces the first tokens of an answer."""

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates


class ForcedSequence(LogitsProcessor):
    KEY = "forced_sequence"

    def __init__(self, vllm_config, device, is_pin_memory):
        self.req_states = {}
        self.neg_inf = torch.tensor(-float("inf"), dtype=torch.float32, device=device)

    def is_argmax_invariant(self):
        return False

    def _add_request(self, params, _prompt_tok_ids, output_tok_ids):
        if not params.extra_args:
            return None
        forced = params.extra_args.get(self.KEY)
        if not forced:
            return None
        return (list(forced), output_tok_ids)

    def update_state(self, batch_update):
        process_dict_updates(self.req_states, batch_update, self._add_request)

    def apply(self, logits):
        for index, (forced, output_ids) in self.req_states.items():
            position = len(output_ids)
            if position < len(forced):
                kept = logits[index, forced[position]].clone()
                logits[index] = self.neg_inf
                logits[index, forced[position]] = kept
        return logits


class ForcedSequencePosition(ForcedSequence):
    """Faulty: keeps its own position, which starts again when the request comes back after pre-emption."""

    def _add_request(self, params, prompt, outputs):
        state = super()._add_request(params, prompt, outputs)
        return None if state is None else [state[0], 0]

    def apply(self, logits):
        for index, state in self.req_states.items():
            forced, position = state
            if position < len(forced):
                kept = logits[index, forced[position]].clone()
                logits[index] = self.neg_inf
                logits[index, forced[position]] = kept
                state[1] += 1
        return logits
