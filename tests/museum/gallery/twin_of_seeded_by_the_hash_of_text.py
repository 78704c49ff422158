"""Twin of N23 rank-split, without the fault: by a checksum."""

from __future__ import annotations

import zlib

from seeded_by_the_hash_of_text import SeededByTheHashOfText


class TwinOfSeededByTheHashOfText(SeededByTheHashOfText):
    def seed(self, key):
        return zlib.crc32(key.encode())
