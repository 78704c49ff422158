"""Files that belong to a package: their relative imports work without the package being installed, or even importable.

What the package's own `__init__` does is left out. It would import all the rest, of which a processor needs nothing.
"""

from __future__ import annotations

import ast
import sys
from hashlib import blake2b
from pathlib import Path
from types import ModuleType


def relative_levels(path: Path) -> int:
    """How many folders up the relative imports of a file reach, its own counted; 0 if it has none."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return 0  # importing it will say what is wrong
    return max((node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)), default=0)


def as_package(folder: Path, levels: int) -> str:
    """A package name under which modules of the folder can be imported, and those of the folders above it."""
    root = folder
    for _ in range(levels - 1):
        root = root.parent
    top = root
    while (top / "__init__.py").is_file():
        top = top.parent
    if str(top) not in sys.path:
        sys.path.append(str(top))  # for imports of the package by its own name
    name = f"logitproof_package_{blake2b(str(root).encode(), digest_size=4).hexdigest()}"
    _register(name, root)
    for part in folder.relative_to(root).parts:
        root = root / part
        name = f"{name}.{part}"
        _register(name, root)
    return name


def _register(name: str, folder: Path) -> None:
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
