"""Twin of F121 semantics, without the fault: a new start marker arms the budget again."""

from __future__ import annotations

from prompt_markers_use_up_the_budget import PromptMarkersUseUpTheBudget


class TwinOfPromptMarkersUseUpTheBudget(PromptMarkersUseUpTheBudget):
    def may_start(self, done):
        return True
