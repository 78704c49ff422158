"""A repetition penalty over a window of the outputs."""

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, process_dict_updates


class WindowPenalty(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.reqs = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        def new_state(params, prompt_ids, output_ids):
            cfg = (params.extra_args or {}).get("window_penalty")
            if not isinstance(cfg, dict):
                return None
            return {"penalty": float(cfg["penalty"]), "window": int(cfg.get("window", 4)), "out": output_ids}

        process_dict_updates(self.reqs, batch_update, new_state)

    def apply(self, logits):
        for index, req in self.reqs.items():
            recent = sorted(set(self.recent(req)))
            if recent:
                row = logits[index, recent]
                logits[index, recent] = torch.where(row > 0, row / req["penalty"], row * req["penalty"])
        return logits

    def recent(self, req):
        return req["out"][-req["window"] :]


class WindowPenaltyCopied(WindowPenalty):
    """Faulty: copies the outputs when the request arrives, and never sees another."""

    def update_state(self, batch_update):
        super().update_state(batch_update)
        for req in self.reqs.values():
            req.setdefault("copy", list(req["out"]))

    def recent(self, req):
        return req["copy"][-req["window"] :]
