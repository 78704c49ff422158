"""Twin of F022 list-misalign, without the fault: both lists are filtered."""

from __future__ import annotations

from lists_filtered_only_if_any_is_used import ListsFilteredOnlyIfAnyIsUsed


class TwinOfListsFilteredOnlyIfAnyIsUsed(ListsFilteredOnlyIfAnyIsUsed):
    def is_filtered(self):
        return True
