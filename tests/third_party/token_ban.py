"""Bans tokens until a number of tokens has come out."""

from vllm.v1.sample.logits_processor import LogitsProcessor
from vllm.v1.sample.logits_processor.builtin import process_dict_updates


class BanUntil(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.bans: dict[int, tuple[list[int], int, list[int]]] = {}

    def is_argmax_invariant(self):
        return False

    @staticmethod
    def new_ban(params, prompt, outputs):
        options = (params.extra_args or {}).get("ban")
        if options is None:
            return None
        return options["token_ids"], options.get("until", 3), outputs

    def update_state(self, batch_update):
        process_dict_updates(self.bans, batch_update, self.new_ban)

    def apply(self, logits):
        for index, (token_ids, until, outputs) in self.bans.items():
            if len(outputs) < until:
                logits[index, token_ids] = float("-inf")
        return logits


class BanSteps(BanUntil):
    """Faulty: counts steps down, also those whose token is thrown away."""

    def apply(self, logits):
        for index, (token_ids, left, outputs) in list(self.bans.items()):
            if left > 0:
                logits[index, token_ids] = float("-inf")
                self.bans[index] = (token_ids, left - 1, outputs)
        return logits
