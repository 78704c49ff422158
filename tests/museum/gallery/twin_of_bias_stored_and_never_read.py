"""Twin of F144 silent-drop, without the fault: the bias is applied."""

from __future__ import annotations

from bias_stored_and_never_read import BiasStoredAndNeverRead


class TwinOfBiasStoredAndNeverRead(BiasStoredAndNeverRead):
    def treat(self, logits_row, metadata):
        super().treat(logits_row, metadata)
        for token, bias in metadata["bias"].items():
            logits_row[token] += bias
