"""JUnit XML, as CI servers read it: one test case per target, the picture as the text of its failure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from xml.etree import ElementTree

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Outcome(Enum):
    """How a test case ended. A run that says nothing is an error: nothing failed, yet nothing is known."""

    PASSED = "passed"
    FAILED = "failure"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Case:
    """One test case. group: what kind of check it was; message: one line; text: everything, as on the terminal.

    aside: what is no failure, such as warnings; always written as output.
    """

    group: str
    name: str
    outcome: Outcome
    seconds: float = 0.0
    message: str = ""
    text: str = ""
    aside: str = ""
    properties: Mapping[str, object] = field(default_factory=dict)


def write_junit(path: Path, suite: str, cases: Sequence[Case], properties: Mapping[str, object]) -> None:
    """Write the file; its folder is made. Raises OSError."""
    counted = {
        "tests": str(len(cases)),
        "failures": str(sum(case.outcome is Outcome.FAILED for case in cases)),
        "errors": str(sum(case.outcome is Outcome.ERROR for case in cases)),
        "skipped": "0",
        "time": f"{sum(case.seconds for case in cases):.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": suite, **counted})
    told = ElementTree.SubElement(root, "testsuite", {"name": suite, **counted})
    _add_properties(told, properties)
    for case in cases:
        named = {
            "classname": f"{suite}.{case.group}",
            "name": _clean(case.name),
            "time": f"{case.seconds:.3f}",
        }
        element = ElementTree.SubElement(told, "testcase", named)
        _add_properties(element, case.properties)
        if case.outcome is not Outcome.PASSED:
            why = ElementTree.SubElement(element, case.outcome.value, {"message": _clean(case.message)})
            why.text = _clean(case.text or case.message)
        passed_text = case.text if case.outcome is Outcome.PASSED else ""
        if output := "\n".join(filter(None, (passed_text, case.aside))):
            ElementTree.SubElement(element, "system-out").text = _clean(output)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.indent(root)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _add_properties(element: ElementTree.Element, properties: Mapping[str, object]) -> None:
    if properties:
        parent = ElementTree.SubElement(element, "properties")
        for name, value in properties.items():
            ElementTree.SubElement(parent, "property", {"name": name, "value": _clean(str(value))})


def _clean(text: str) -> str:
    """Without the characters that XML 1.0 has no form for; a target's own exception may hold any."""
    return _NOT_IN_XML.sub("?", text)
