"""The concrete reading: total maps, connectives by truth table, and which indices its quantifiers look at."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.model.concrete import CONCRETE, Concrete, TotalMap

maps = st.builds(TotalMap, st.integers(0, 1), st.dictionaries(st.integers(-3, 3), st.integers(0, 3)))
keys = st.integers(-4, 4)


@settings(deadline=None)
@given(maps, keys, keys, st.integers())
def test_a_put_is_seen_at_its_key_and_nowhere_else(mapping, key, other, value):
    before = mapping[other]
    after = mapping.put(key, value)
    assert CONCRETE.put(mapping, key, value) == after
    assert after[key] == CONCRETE.at(after, key) == value
    assert after[other] == CONCRETE.at(after, other) == (value if other == key else before)
    assert mapping[other] == before


@settings(deadline=None)
@given(maps, keys)
def test_putting_what_is_there_gives_an_equal_map(mapping, key):
    assert mapping.put(key, mapping[key]) == mapping


@settings(deadline=None)
@given(maps, maps)
def test_maps_are_equal_iff_they_agree_everywhere(one, other):
    looked_at = range(-4, 5)
    agree = [one[key] for key in looked_at] == [other[key] for key in looked_at]
    assert (one == other) is agree


def test_maps_with_different_defaults_differ():
    assert TotalMap(0) != TotalMap(1)
    assert TotalMap(0) != {}
    assert CONCRETE.everywhere(7)[-5] == CONCRETE.everywhere(7)[10**9] == 7


def test_a_map_lists_its_values_and_keys():
    mapping = TotalMap.of("ab", default="").put(5, "c").put(3, "")
    assert mapping.listed(4) == ["a", "b", "", ""]
    assert mapping.keys_where(bool) == [0, 1, 5]
    assert TotalMap(False, {4: True, 1: True, 2: False}).keys_where(bool) == [1, 4]
    assert repr(mapping) == "{0: a, 1: b, 5: c; else }"
    with pytest.raises(TypeError, match="unhashable"):
        hash(mapping)


@pytest.mark.parametrize(("p", "q"), list(product([True, False], repeat=2)))
def test_the_connectives_have_their_truth_tables(p, q):
    assert CONCRETE.all_of(p, q) is (p and q)
    assert CONCRETE.any_of(p, q) is (p or q)
    assert CONCRETE.negate(p) is (not p)
    assert CONCRETE.implies(p, q) is (not p or q)
    assert CONCRETE.same(p, q) is (p == q)
    assert CONCRETE.choose(p, "then", "otherwise") == ("then" if p else "otherwise")


def test_nothing_to_ask_is_true_and_nothing_to_choose_from_is_false():
    assert CONCRETE.all_of() is True
    assert CONCRETE.any_of() is False


LOOKED_AT = {"every_slot": {-1, 0, 1, 2}, "every_request": {0, 1, 2}, "every_ordinal": {0, 1, 2}}


@pytest.mark.parametrize(("quantifier", "expected"), LOOKED_AT.items())
def test_a_quantifier_looks_at_every_index_and_at_every_pair(quantifier, expected):
    every = getattr(Concrete(3), quantifier)
    one, two = set(), set()
    assert every(lambda i: one.add(i) is None)
    assert every(lambda i, j: two.add((i, j)) is None)
    assert one == expected
    assert two == set(product(expected, repeat=2))


@pytest.mark.parametrize("quantifier", LOOKED_AT)
def test_one_exception_makes_a_quantifier_false(quantifier):
    every = getattr(Concrete(3), quantifier)
    assert not every(lambda i: i != 2)
    assert not every(lambda i, j: (i, j) != (0, 2))
    assert every(lambda i: i < 3)
