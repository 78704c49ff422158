"""Twin of F066 history-view, without the fault: built before the first sampling."""

from __future__ import annotations

from samplers_built_after_the_first_token import SamplersBuiltAfterTheFirstToken


class TwinOfSamplersBuiltAfterTheFirstToken(SamplersBuiltAfterTheFirstToken):
    def built_at_once(self):
        return True
