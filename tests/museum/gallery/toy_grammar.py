"""A toy grammar whose state depends on every committed token and on their order."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from request_kinds import extra


def grammar_params(vocab_size):
    """Requests held to a grammar of two to five states."""
    return extra(grammar=st.integers(2, 5))


def following(state, token, states):
    """The state after a token."""
    return (2 * state + token + 1) % states


def forbidden(state, states, vocab):
    """The tokens that the grammar forbids in a state: at most half of them."""
    return range(state, vocab, states)


@dataclass
class Matcher:
    """Where one request is in its grammar. position: how many of its output tokens were fed."""

    states: int
    outputs: list
    state: int = 0
    position: int = 0

    def feed(self):
        """Feed the tokens committed since the last call."""
        while self.position < len(self.outputs):
            self.state = following(self.state, self.outputs[self.position], self.states)
            self.position += 1


def matcher_of(params, outputs):
    """A matcher at its start, or None for a request without a grammar."""
    states = (params.extra_args or {}).get("grammar")
    return None if states is None else Matcher(states, outputs)
