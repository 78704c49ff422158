"""Token ids that are written in the source of a target: how large its vocabulary is, and which tokens matter to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from logitproof.toy_model import marker_ids

from .source import Source

NAMED = re.compile(
    r"(?i)(token|tok_|_tok$|(^|_)ids?$|eos|bos_|think|_end$|_start$|marker|newline|stop_id|whitelist)"
)
COUNTED = re.compile(
    r"(?i)((^|_)(max|min|num|n|budget|count|limit|size|len|length|window|seed|timeout|vocab)(_|$)|tokens$)"
)
"""`MAX_TOKENS = 4096` is no id, `THINK_TOKENS = [4, 5]` are: a list is taken whatever it counts."""
PHRASED = re.compile(
    NAMED.pattern[:-1]
    + "|pattern|sequence|prefix|suffix|phrase|trigger|forced|(^|_)(start|end|begin|open|close)(_|$))"
)
LONGEST_PHRASE = 12
"""A longer list is a set of tokens rather than a phrase."""
LONGEST_TEXT = 60
"""A longer text is a docstring or a message, which may mention a marker that is never encoded."""
HIGHEST = 300_000
"""No tokenizer has more; a larger number is something else."""


def token_constants(source: Source) -> tuple[int, ...]:
    """Whole numbers that are used as token ids, and ids of markers like "<think>" that are written out; ascending."""
    found: set[int] = set()
    texts: list[str] = []
    for node in source.walk():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < LONGEST_TEXT:
            texts.append(node.value)
        for name, value in _named_values(node):
            numbers = [*_numbers(value)]
            is_list = not isinstance(value, ast.Constant)
            if name is None or (
                (PHRASED if is_list else NAMED).search(name) and (is_list or not COUNTED.search(name))
            ):
                found |= {*numbers}
    found |= {*marker_ids(texts)}
    return tuple(sorted(number for number in found if 0 <= number < HIGHEST))


def token_phrases(source: Source) -> tuple[tuple[int, ...], ...]:
    """Lists of two token ids or more, which may have to come one after the other."""
    found: dict[tuple[int, ...], None] = {}
    for node in source.walk():
        for name, value in _named_values(node):
            numbers = tuple(_numbers(value)) if isinstance(value, ast.List | ast.Tuple) else ()
            if 1 < len(numbers) <= LONGEST_PHRASE and name is not None and PHRASED.search(name):
                found[numbers] = None
    return tuple(found)


def _named_values(node: ast.AST) -> Iterator[tuple[str | None, ast.AST]]:
    """Values with the name they are given; None where the use alone says that it is a token."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name), *_], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), value=value) if value:
            yield name, value
        case ast.keyword(arg=str() as name, value=value):
            yield name, value
        case ast.FunctionDef(args=arguments):
            named = [*arguments.posonlyargs, *arguments.args]
            for parameter, value in zip(reversed(named), reversed(arguments.defaults), strict=False):
                yield parameter.arg, value
            for parameter, other in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
                if other is not None:
                    yield parameter.arg, other
        case ast.Call(
            func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str() as name), value]
        ):
            yield name, value
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.Subscript(value=ast.Name(id=name), slice=index) if re.search(r"(?i)logits|scores|row", name):
            yield None, index.elts[-1] if isinstance(index, ast.Tuple) and index.elts else index
        case ast.Compare(left=ast.Name(id=name) | ast.Attribute(attr=name), comparators=[value]):
            yield name, value
        case ast.Compare(left=ast.Subscript(value=ast.Name(id=name)), comparators=[value]) if re.search(
            r"(?i)token|ids|output", name
        ):
            yield None, value


def _numbers(value: ast.AST) -> Iterator[int]:
    match value:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            yield number
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            for element in elements:
                yield from _numbers(element)
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[inner]):
            yield from _numbers(inner)
        case ast.Call(func=ast.Name(id="int"), args=[inner, *_]):
            yield from _numbers(inner)
        case ast.Call(func=ast.Attribute(attr="get" | "getenv"), args=[_, inner]):
            yield from _numbers(inner)
        case ast.Constant(value=str() as text) if text.isdigit():
            yield int(text)
