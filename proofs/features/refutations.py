"""Claims about features that are wrong, each with the smallest scene that shows it, run through the reference rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from logitproof.model.rows import PIPELINE, argmax, probabilities
from logitproof.model.rows.reference import BANNED, RowFunction

from .commuting import COMMUTING
from .scene import OUTPUTS, Scene, differ, scenes

Drawn: TypeAlias = list[tuple[str, list[float]]]
"""Rows, each with its title."""
Look: TypeAlias = Callable[[Scene], Drawn | None]
"""The rows to draw where a scene refutes the claim, else None."""
ROWS: dict[str, RowFunction] = {stage.name: stage.row for stage in PIPELINE}


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """A claim about rows that must be refuted. `features` are those that its scenes use."""

    name: str
    sentence: str
    laws: tuple[str, ...]
    features: tuple[str, ...]
    look: Look

    def witness(self) -> str | None:
        """The smallest scene that refutes it, drawn; None if there is none."""
        for scene in scenes(*self.features):
            after = self.look(scene)
            if after is not None:
                return scene.draw(after)
        return None


def _after(feature: str, scene: Scene, row: Sequence[float]) -> list[float]:
    return ROWS[feature](scene.params, None, OUTPUTS, row)


def _other_argmax(feature: str) -> Look:
    def look(scene: Scene) -> Drawn | None:
        after = _after(feature, scene, scene.row)
        return [(f"after {feature}", after)] if argmax(after) != argmax(scene.row) else None

    return look


def _order_matters(one: str, other: str) -> Look:
    def look(scene: Scene) -> Drawn | None:
        forth = _after(other, scene, _after(one, scene, scene.row))
        back = _after(one, scene, _after(other, scene, scene.row))
        return [(f"{one}, {other}", forth), (f"{other}, {one}", back)] if differ(forth, back) else None

    return look


def _skipping_shows(feature: str) -> Look:
    """A batch of greedy requests, and an engine that believes the feature to be argmax-invariant."""

    def look(scene: Scene) -> Drawn | None:
        played = _after(feature, scene, scene.row)
        skipped, taken = argmax(scene.row), argmax(played)
        if skipped == taken:
            return None
        return [
            (f"skipped: token {skipped}", list(scene.row)),
            (f"not skipped, next to a random request: token {taken}", played),
        ]

    return look


def _by_sorting(row: Sequence[float], is_dropped: Callable[[int, float], bool]) -> list[float]:
    """Ban from the lowest logit upwards, tied tokens by id, as a sort lines them up; the last one always stays.

    is_dropped: asked with the number of tokens and their probability, from the lowest up to the one in question.
    """
    after, share = list(row), probabilities(row)
    reached = 0.0
    for rank, token in enumerate(
        sorted(range(len(row)), key=lambda token: (row[token], token))[:-1], start=1
    ):
        reached += share[token]
        if is_dropped(rank, reached):
            after[token] = BANNED
    return after


def _exactly_k(scene: Scene) -> Drawn | None:
    surplus = len(scene.row) - scene.params.top_k
    return _tie_lost("top_k", scene, _by_sorting(scene.row, lambda rank, reached: rank <= surplus))


def _exactly_the_first_to_reach_p(scene: Scene) -> Drawn | None:
    spare = 1.0 - scene.params.top_p
    return _tie_lost("top_p", scene, _by_sorting(scene.row, lambda rank, reached: reached <= spare))


def _tie_lost(feature: str, scene: Scene, after: list[float]) -> Drawn | None:
    if argmax(after) == argmax(scene.row):
        return None
    return [("some of the tied", after), ("all of the tied", _after(feature, scene, scene.row))]


def _argmax_claims() -> Iterator[WrongClaim]:
    for stage in PIPELINE:
        if not stage.argmax_invariant:
            yield WrongClaim(
                f"{stage.name}_keeps_the_argmax",
                f"For every row and request: {stage.name} leaves the argmax where it was.",
                ("D5",),
                (stage.name,),
                _other_argmax(stage.name),
            )
    yield WrongClaim(
        "top_k_of_exactly_k_tokens_keeps_the_argmax",
        "For every row: keeping exactly k tokens, any of those tied at the edge, leaves the argmax where it was.",
        ("D5",),
        ("top_k",),
        _exactly_k,
    )
    yield WrongClaim(
        "top_p_that_drops_some_of_tied_tokens_keeps_the_argmax",
        "For every row: keeping just enough tokens to reach p, any of those tied at the edge, leaves the argmax.",
        ("D5",),
        ("top_p",),
        _exactly_the_first_to_reach_p,
    )


def _greedy_claims() -> Iterator[WrongClaim]:
    yield WrongClaim(
        "greedy_skipping_is_harmless_without_an_honest_declaration",
        "For every processor that calls itself argmax-invariant, honest or not: skipping it on an all-greedy batch "
        "changes no token. Here a presence penalty calls itself so.",
        ("D5", "E4"),
        ("presence_penalty",),
        _skipping_shows("presence_penalty"),
    )


def _order_claims() -> Iterator[WrongClaim]:
    for one, other in combinations(ROWS, 2):
        if (one, other) not in COMMUTING:
            yield WrongClaim(
                f"{one}_commutes_with_{other}",
                f"For every row and request: {one} then {other} gives the logits that {other} then {one} gives.",
                ("E1",),
                (one, other),
                _order_matters(one, other),
            )


WRONG_CLAIMS: tuple[WrongClaim, ...] = (*_argmax_claims(), *_greedy_claims(), *_order_claims())
"""Every claim about features that must be refuted."""
