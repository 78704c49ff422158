"""Prints the options that keep pytest from loading plugins of distributions that came along with a borrowed torch."""

import sys
from importlib.metadata import distributions

found = [
    (entry.name, str(each.locate_file("")).startswith(sys.prefix))
    for each in distributions()
    for entry in each.entry_points
    if entry.group == "pytest11"
]
print(*sorted({f"-p no:{name}" for name, is_ours in found if not is_ours and (name, True) not in found}))
