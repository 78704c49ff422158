"""Twin of N25 shared-state, without the fault: it is a copy of it."""

from __future__ import annotations

from prompt_grows_with_the_outputs import PromptGrowsWithTheOutputs


class TwinOfPromptGrowsWithTheOutputs(PromptGrowsWithTheOutputs):
    def history(self, prompt):
        return list(prompt)
