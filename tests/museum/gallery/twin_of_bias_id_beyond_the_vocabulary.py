"""Twin of F102 id-range, without the fault: ids outside the row are refused when the request arrives."""

from __future__ import annotations

import math

from bias_id_beyond_the_vocabulary import BiasIdBeyondTheVocabulary


class TwinOfBiasIdBeyondTheVocabulary(BiasIdBeyondTheVocabulary):
    @classmethod
    def validate_params(cls, sampling_params):
        boost = (sampling_params.extra_args or {}).get("boost", {})
        if not isinstance(boost, dict):
            raise ValueError(f"boost is {boost!r}, not a dictionary of token ids")
        for token, bias in boost.items():
            if type(token) is not int or not 0 <= token < 32:
                raise ValueError(f"boosted id {token!r} is not one of the 32 columns")
            if type(bias) is not float or not math.isfinite(bias):
                raise ValueError(f"the boost of {token} is {bias!r}, not a finite number")
