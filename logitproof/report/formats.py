"""Which reports a run can write into its report folder."""

from __future__ import annotations

FORMATS = {"junit": "junit.xml", "json": "report.json", "ndjson": "report.ndjson"}
"""Names and files. junit: one test case per target. json: the object of `--json`. ndjson: the same in lines, with an
`event` each: start, target, end."""
