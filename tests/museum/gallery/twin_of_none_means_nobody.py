"""Twin of N20 dispatch, without the fault: the rows say whether anybody does."""

from __future__ import annotations

from none_means_nobody import NoneMeansNobody


class TwinOfNoneMeansNobody(NoneMeansNobody):
    def says_nobody(self, batch_update):
        return not self.rows and not (batch_update and batch_update.added)
