"""Twin of F102 id-range, without the fault: ids outside the row are refused when the request arrives."""

from __future__ import annotations

from bias_id_beyond_the_vocabulary import BiasIdBeyondTheVocabulary


class TwinOfBiasIdBeyondTheVocabulary(BiasIdBeyondTheVocabulary):
    @classmethod
    def validate_params(cls, sampling_params):
        for token in (sampling_params.extra_args or {}).get("boost", ()):
            if not 0 <= token < 32:
                raise ValueError(f"boosted id {token} is not one of the 32 columns")
