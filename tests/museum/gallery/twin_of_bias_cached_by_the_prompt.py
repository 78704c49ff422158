"""Twin of N13 shared-state, without the fault: the key holds all that the bias is made of."""

from __future__ import annotations

from bias_cached_by_the_prompt import BiasCachedByThePrompt


class TwinOfBiasCachedByThePrompt(BiasCachedByThePrompt):
    def key(self, prompt, boost):
        return boost
