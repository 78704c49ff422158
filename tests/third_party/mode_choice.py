"""A schedule that is one of several words."""

from vllm import SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

MODES = ("front", "back", "count")


class ScheduledBias(AdapterLogitsProcessor):
    @classmethod
    def validate_params(cls, params: SamplingParams):
        extra = params.extra_args or {}
        schedule = extra.get("bias_schedule")
        if schedule is None:
            return None
        if schedule not in MODES:
            raise ValueError(f"unknown schedule {schedule}")
        if int(extra.get("bias_length", 0)) <= 0:
            raise ValueError("bias_length must be positive")

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params: SamplingParams):
        extra = params.extra_args or {}
        schedule = extra.get("bias_schedule")
        if schedule is None:
            return None
        length, core_ids = int(extra["bias_length"]), [int(token) for token in extra.get("core_ids", [1, 2])]

        def process(output_ids, logits):
            part = min(1.0, len(output_ids) / length)
            strength = {"front": 1.0 - part, "back": part, "count": float(len(output_ids))}[schedule]
            logits[core_ids] += strength * 2.0
            return logits

        return process


class ScheduledBiasGlobal(ScheduledBias):
    """Faulty: the length is kept in the processor."""

    def new_req_logits_processor(self, params):
        process = super().new_req_logits_processor(params)
        if process is None:
            return None
        self.length = int(params.extra_args["bias_length"])

        def late(output_ids, logits):
            logits[1] += min(1.0, len(output_ids) / self.length) * 2.0
            return logits

        return late
