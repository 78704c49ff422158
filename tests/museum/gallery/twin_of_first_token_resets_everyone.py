"""Twin of F081 shared-state, without the fault: only the request that starts is reset."""

from __future__ import annotations

from first_token_resets_everyone import FirstTokenResetsEveryone


class TwinOfFirstTokenResetsEveryone(FirstTokenResetsEveryone):
    def start(self, request):
        self.state_of.pop(request, None)
