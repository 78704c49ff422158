"""Twin of F109 id-range, without the fault: the pad id is the column past these logits."""

from __future__ import annotations

from pad_id_of_another_vocabulary import PadIdOfAnotherVocabulary


class TwinOfPadIdOfAnotherVocabulary(PadIdOfAnotherVocabulary):
    def pad_id(self):
        return self.vocab
