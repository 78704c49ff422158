"""A toy thinking budget: so many tokens after a start marker, then the end marker is forced."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra


def thinking_params(vocab_size):
    """Requests with a start marker, another end marker and a budget."""
    markers = st.permutations(range(4))
    return extra(think=st.tuples(markers, st.integers(0, 2)).map(lambda drawn: (*drawn[0][:2], drawn[1])))


def spent(history, start, end):
    """Tokens since the open start marker, or None outside of thinking. A new start marker arms the budget again."""
    count = None
    for token in history:
        if token == start:
            count = 0
        elif token == end:
            count = None
        elif count is not None:
            count += 1
    return count
