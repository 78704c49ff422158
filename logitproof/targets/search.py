"""Tries guesses about the arguments of requests against the target itself, and keeps those that make a difference.

The score of a set of guesses is whether many of a few requests change a logit, or some, then how many are played at
all, then how many arguments they have. Among equals the likelier guess stays. The score is climbed one argument at a
time, from a few starts: all arguments at their first guess, and each argument alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from logitproof.spec import EngineConfig, SamplingParams

from .arg_language import Argument
from .assembled import assembled
from .drawing import few
from .errors import TargetError
from .evidence import Evidence, Path
from .guesses import guesses, leaves
from .probe import Outcome, probe
from .target import Target

SAMPLES = 6
"""Requests per set of guesses: enough for a token here and there to miss."""
MANY = SAMPLES // 2
"""A flag that is off in every other request changes as many."""
MOST_PROBES = 2500
"""About a millisecond each."""
MOST_GUESSES = 8
Guessed: TypeAlias = dict[Path, str]
"""A kind for every argument that is there."""
Score: TypeAlias = tuple[int, int, int]


class Search:
    """The best guesses about one target. tokens: ids that matter to it."""

    def __init__(
        self, target: Target, config: EngineConfig, found: Mapping[Path, Evidence], tokens: Sequence[int]
    ) -> None:
        self._target, self._config, self._tokens = target, config, tokens
        self._leaves = {each.path: each for each in leaves(found)}
        self._kinds = {path: guesses(each, found)[:MOST_GUESSES] for path, each in self._leaves.items()}
        self._values: dict[str, list[Any]] = {}
        self._scores: dict[str, Score] = {}
        self._probes = 0
        self.token_beyond: int | None = None
        """The highest id for which the vocabulary was too small."""
        self.errors: list[Exception] = []

    def run(self) -> tuple[tuple[Argument, ...], bool]:
        """The arguments, and whether requests with them change logits."""
        first = {path: kinds[0] for path, kinds in self._kinds.items()}
        best = self._climb(first)
        if self._score(best)[:2] < (2, SAMPLES):
            alone = max(self._alone(), key=self._score, default={})
            best = max(best, self._climb(alone), key=self._score)
        changes = self._score(best)[0] > 0
        arguments = best if changes else first
        told = [Argument(path, self._worded(path, arguments)) for path in arguments]
        spared = [Argument(*each) for each in self._that_spare(best)] if changes else []
        return (*told, *spared), changes

    def _that_spare(self, best: Guessed) -> Iterator[tuple[Path, str]]:
        """Arguments that were dropped since fewer requests change a logit with them: a whitelist does its work so."""
        for path, kinds in self._kinds.items():
            for kind in kinds if path not in best else ():
                changed, played, _ = self._score({**best, path: kind})
                spares = changed < self._score(best)[0] and (changed > 0 or kind == kinds[0])
                if played == SAMPLES and spares:
                    yield path, f"optional:{kind}"
                    break

    def _alone(self) -> Iterator[Guessed]:
        for path, kinds in self._kinds.items():
            for kind in kinds:
                yield {path: kind}

    def _climb(self, guessed: Guessed) -> Guessed:
        improved = True
        while improved and self._probes < MOST_PROBES:
            improved = False
            for path, kinds in self._kinds.items():
                others = {other: kind for other, kind in guessed.items() if other != path}
                tried = [others, *({**others, path: kind} for kind in kinds)]
                better = max(tried, key=self._score)
                if self._score(better) > self._score(guessed):
                    guessed, improved = better, True
        return guessed

    def _score(self, guessed: Guessed) -> Score:
        key = repr(sorted(guessed.items()))
        if key not in self._scores:
            outcomes = [
                self._outcome(params, number) for number, params in enumerate(self._requests(guessed))
            ]
            played = sum(outcome in (Outcome.CHANGED, Outcome.UNCHANGED) for outcome in outcomes)
            changed = outcomes.count(Outcome.CHANGED) + outcomes.count(Outcome.EMPTIED)
            self._scores[key] = min(changed, 1) + (changed >= MANY), played, len(guessed)
        return self._scores[key]

    def _requests(self, guessed: Guessed) -> Iterator[SamplingParams]:
        for number in range(SAMPLES):
            values = {}
            for place, (path, kind) in enumerate(sorted(guessed.items())):
                few_values = self._of_kind(path, kind)
                values[path] = few_values[(number + place) % len(few_values)]
            try:
                yield assembled(values)
            except TargetError:
                continue  # a field of SamplingParams that does not take what was guessed

    def _of_kind(self, path: Path, kind: str) -> list[Any]:
        vocab = self._config.model_config.vocab_size
        if kind not in self._values:
            drawn = few(Argument(path, kind).values(vocab), SAMPLES + 1)
            # Hypothesis begins with the simplest value, which says least where there are others.
            self._values[kind] = drawn if len(drawn) < SAMPLES else drawn[1:]
        return self._values[kind]

    def _outcome(self, params: SamplingParams, number: int) -> Outcome:
        self._probes += 1
        if self._probes > MOST_PROBES:
            return Outcome.REFUSED
        played = probe(self._target, self._config, params, self._tokens, number, self._target.phrases)
        if played.token_beyond is not None:
            self.token_beyond = max(self.token_beyond or 0, played.token_beyond)
        if played.error is not None:
            self.errors.append(played.error)
        return played.outcome

    def _worded(self, path: Path, guessed: Guessed) -> str:
        """Optional, if requests without it are played and change logits still."""
        without = {other: kind for other, kind in guessed.items() if other != path}
        score = self._score(without)
        is_needed = score[0] < self._score(guessed)[0] or score[1] < self._score(guessed)[1]
        return guessed[path] if is_needed else f"optional:{guessed[path]}"
