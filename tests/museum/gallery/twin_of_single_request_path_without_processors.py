"""Twin of F089 fast-path, without the fault: the short path is for requests without processors."""

from __future__ import annotations

from single_request_path_without_processors import SingleRequestPathWithoutProcessors


class TwinOfSingleRequestPathWithoutProcessors(SingleRequestPathWithoutProcessors):
    def takes_the_short_path(self, size):
        return size == 1 and not self.rows
