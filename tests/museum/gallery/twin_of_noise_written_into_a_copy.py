"""Twin of F002 alias-view, without the fault: an assignment by index writes through."""

from __future__ import annotations

from noise_written_into_a_copy import NoiseWrittenIntoACopy


class TwinOfNoiseWrittenIntoACopy(NoiseWrittenIntoACopy):
    def fill(self, noise, rows):
        noise[rows] = 1.0
