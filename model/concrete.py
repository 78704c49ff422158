"""The concrete reading of the algebra: Python ints, bools and immutable total maps. This is what executes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

from logitproof.spec.algebra import Bool, Int


class TotalMap:
    """An immutable total function from ints: finitely many exceptions to a default value."""

    __slots__ = ("cells", "default")

    def __init__(self, default: Any, cells: Mapping[int, Any] | None = None) -> None:
        self.default = default
        self.cells: Mapping[int, Any] = {} if cells is None else cells

    def __getitem__(self, key: int) -> Any:
        return self.cells.get(key, self.default)

    def put(self, key: int, value: Any) -> TotalMap:
        """The map that differs at `key` only."""
        return TotalMap(self.default, {**self.cells, key: value})

    def listed(self, length: int) -> list[Any]:
        """The values at 0..length-1."""
        return [self[key] for key in range(length)]

    def keys_where(self, wanted: Callable[[Any], bool]) -> list[int]:
        """Every key whose value is `wanted`, ascending; the default value must not be."""
        return sorted(key for key, value in self.cells.items() if wanted(value))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TotalMap):
            return NotImplemented
        keys = {*self.cells, *other.cells}
        return self.default == other.default and all(self[key] == other[key] for key in keys)

    __hash__ = None  # type: ignore[assignment]  # equal maps may list different exceptions

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}: {self[key]}" for key in sorted(self.cells) if self[key] != self.default)
        return f"{{{shown}; else {self.default}}}"

    @classmethod
    def of(cls, values: Iterable[Any], default: Any) -> TotalMap:
        """The map whose values at 0, 1, 2, … are listed."""
        return cls(default, dict(enumerate(values)))


class Concrete:
    """Executes rules; decides quantified statements by looping over the indices in play.

    Rules have no quantifier, so running them needs no bound. Statements do: `bound` must exceed every slot, request
    and ordinal in play by one, so that the first index outside is looked at as well; slots are looked at from -1 on.
    """

    __slots__ = ("ordinals", "requests", "slots")

    def __init__(
        self,
        bound: int = 0,
        *,
        slots: range | None = None,
        requests: range | None = None,
        ordinals: range | None = None,
    ) -> None:
        self.slots = range(-1, bound) if slots is None else slots
        self.requests = range(bound) if requests is None else requests
        self.ordinals = range(bound) if ordinals is None else ordinals

    def all_of(self, *conditions: Bool) -> Bool:
        return all(conditions)

    def any_of(self, *conditions: Bool) -> Bool:
        return any(conditions)

    def negate(self, condition: Bool) -> Bool:
        return not condition

    def implies(self, premise: Bool, conclusion: Bool) -> Bool:
        return conclusion if premise else True

    def same(self, left: Bool, right: Bool) -> Bool:
        return left == right

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        return then if condition else otherwise

    def at(self, mapping: TotalMap, key: Int) -> Any:
        return mapping.cells.get(key, mapping.default)

    def put(self, mapping: TotalMap, key: Int, value: Any) -> TotalMap:
        return TotalMap(mapping.default, {**mapping.cells, key: value})

    def everywhere(self, value: int | bool) -> TotalMap:
        return TotalMap(value)

    def every_slot(self, condition: Callable[..., Bool]) -> Bool:
        return _every(self.slots, condition)

    def every_request(self, condition: Callable[..., Bool]) -> Bool:
        return _every(self.requests, condition)

    def every_ordinal(self, condition: Callable[..., Bool]) -> Bool:
        return _every(self.ordinals, condition)


def _every(indices: range, condition: Callable[..., Bool]) -> bool:
    arity = condition.__code__.co_argcount
    return all(condition(*point) for point in product(indices, repeat=arity))


CONCRETE = Concrete()
"""The reading that runs the rules."""
