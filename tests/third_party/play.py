"""Prints, for every correct processor, what was learned about it and a digest of every row of some histories.

python play.py real         with vLLM as it is installed
python play.py stand-in     with the stand-in in its place
"""

from __future__ import annotations

import sys
from dataclasses import replace
from hashlib import blake2b

import torch
from exhibits import CORRECT

from logitproof.lockstep import histories, run
from logitproof.spec import Dialect
from logitproof.standin import finder
from logitproof.targets import load_target
from logitproof.targets.drawing import few

HISTORIES = 5


def recording(target, digest):
    """The target, whose instances tell every row that they return."""

    def make(*arguments):
        instance = target.make(*arguments)
        apply = instance.apply

        def told(logits):
            returned = apply(logits)
            digest.update(returned.double().numpy().tobytes())
            return returned

        instance.apply = told
        return instance

    return replace(target, make=make)


def main(which: str) -> None:
    torch.set_num_threads(1)
    if which == "stand-in":
        sys.meta_path.insert(0, finder.StandInFinder())
    for each, name in CORRECT:
        target = load_target(each.spec(name))
        digest = blake2b(digest_size=8)
        for history in few(histories(target, Dialect.ELIDED, target.vocab), HISTORIES):
            run(history, recording(target, digest))
        print(name, target.params_from, target.vocab, digest.hexdigest())


main(sys.argv[1])
