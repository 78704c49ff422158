"""Twin of N17 flag-drift, without the fault: all of its rows are."""

from __future__ import annotations

from table_loses_a_row_when_it_grows import TableLosesARowWhenItGrows


class TwinOfTableLosesARowWhenItGrows(TableLosesARowWhenItGrows):
    def kept(self, rows):
        return rows
