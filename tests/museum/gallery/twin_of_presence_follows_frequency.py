"""Twin of F147 silent-drop, without the fault: presence has a value of its own."""

from __future__ import annotations

from presence_follows_frequency import PresenceFollowsFrequency


class TwinOfPresenceFollowsFrequency(PresenceFollowsFrequency):
    def presence(self, params):
        return params.presence_penalty
