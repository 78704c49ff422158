"""Twin of F107 id-range, without the fault: the mask is as wide as the logits."""

from __future__ import annotations

from mask_as_wide_as_the_tokenizer import MaskAsWideAsTheTokenizer


class TwinOfMaskAsWideAsTheTokenizer(MaskAsWideAsTheTokenizer):
    def width(self):
        return self.vocab
