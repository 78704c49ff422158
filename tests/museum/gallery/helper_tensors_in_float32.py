"""F099 dtype: the bias is kept in float32, and an in-place add by index demands the dtype of the logits."""

from __future__ import annotations

import torch
from row_processor import RowProcessor

from logitproof.targets.params import logit_bias_params


class HelperTensorsInFloat32(RowProcessor):
    logitproof_params = logit_bias_params

    def enter(self, params, prompt, outputs):
        return params.logit_bias

    def apply(self, logits):
        cells = [(row, token, bias) for row, biases in self.rows.items() for token, bias in biases.items()]
        if not cells:
            return logits
        rows, columns, biases = zip(*cells, strict=True)
        bias = self.cast(torch.tensor(biases, dtype=torch.float32), logits)
        return logits.index_put_((torch.tensor(rows), torch.tensor(columns)), bias, accumulate=True)

    def cast(self, bias, logits):
        return bias  # The fault: it is not cast to logits.dtype.
