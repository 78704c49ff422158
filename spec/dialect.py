"""Which finished slots an engine announces in `BatchUpdate.removed`. Source: contract, dialects."""

from enum import Enum


class Dialect(Enum):
    """Three ways to announce the same step; under C1 they are equivalent (a theorem in `logitproof.proofs`)."""

    DOCUMENTED = "documented"
    """Finished slots that no Add refilled: the seed's examples."""
    ELIDED = "elided"
    """Only those that stayed empty to the end, since a hole that a move fills is not announced: vLLM 0.32.0."""
    REDUNDANT = "redundant"
    """Every finished slot, refilled ones too: no known engine, but only strict consumers of C1 survive it."""
