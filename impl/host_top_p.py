"""Where top-p cuts a row, on a host: one number, found without sorting the vocabulary.

The tail below the nucleus has probability 1 - p. A sample of the row says between which ranks that tail ends; the
logits between them alone are sorted, and what ranks above is only summed.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from .host_weights import CHUNK, LIGHT, Array, Weigher

SMALL = 4096
"""Below this many columns a plain sort costs no more than the sample that would avoid it."""
_STRIDE = 64
"""Every so many columns one is in the sample: more would cost more to sort than a narrower band saves."""
_DEVIATIONS = 3
"""Standard deviations of the sampled tail by which the band is wide; what falls outside is sorted as a whole."""
_STEPS = 4
"""Sampled columns by which the band is wider still."""
_FEW = 64
"""One in so many: fewer are picked out of the row faster than the row is parted."""
_UNSURE = 5e-7
"""Relative distance from p within which float32 sums decide nothing; 1.05e-7 is the most they were seen to lose."""


def nucleus_edge(row: torch.Tensor, p: float, weigher: Weigher) -> float:
    """The lowest logit of the nucleus: the likelier ones have less than probability p.

    row: float32 or float64 tensor (vocab_size,). p: in (0, 1). Returns NaN for a row that has no distribution. Sums
    are decided in float64: in float32 only where the decision cannot depend on it.
    """
    values: Array = row.numpy()
    if len(values) <= SMALL:
        return sorted_edge(values, p) if math.isfinite(values.max()) else math.nan
    weights = weigher.weigh(row)
    if weights.total == 0.0:
        return math.nan
    heavy = weights.sums >= LIGHT
    if np.count_nonzero(heavy) * 4 <= len(heavy):
        columns = (np.flatnonzero(heavy)[:, None] * CHUNK + np.arange(CHUNK)).ravel()
        return sorted_edge(values[columns[columns < len(values)]], p)
    edge = edge_in_band(values, p, weights.total, weights.shift)
    return sorted_edge(values, p) if edge is None else edge


def sorted_edge(values: Array, p: float) -> float:
    """The edge of a whole row, by the definition; all in float64."""
    descending = np.sort(values)[::-1].astype(np.float64)
    cumulative = np.cumsum(np.exp(descending - descending[0]))
    likelier = np.concatenate([[0.0], cumulative[:-1]])
    # The first column has nothing above it and is always kept.
    return float(descending[np.searchsorted(likelier / cumulative[-1], p, side="left") - 1])


def edge_in_band(values: Array, p: float, total: float, shift: float) -> float | None:
    """The edge, or None if the sample misled.

    values: float (vocab_size,). total: of the weights exp(logit - shift), right to float32.
    """
    goal = p * total
    low, high = _band(values, total - goal, shift)
    band, above = _split(_from(values, low), high)
    mass_above = _mass(above, shift)
    descending = np.sort(band)[::-1].astype(np.float64)
    mass = np.cumsum(np.exp(descending - shift))
    if mass_above < goal * (1 - _UNSURE):
        kept = _first_reaching(mass_above + mass, goal, _UNSURE)
        if kept is not None:
            return float(descending[kept])
    goal = p * float(np.exp(values.astype(np.float64) - shift).sum())
    mass_above = float(np.exp(above.astype(np.float64) - shift).sum())
    kept = _first_reaching(mass_above + mass, goal, 0.0)
    return None if kept is None or mass_above >= goal else float(descending[kept])


def _band(values: Array, tail_mass: float, shift: float) -> tuple[float, float]:
    """Between which logits, the second excluded, the ascending sum of weights very likely reaches the mass."""
    sample = np.sort(values[::_STRIDE])
    weights = np.exp(sample.astype(np.float64) - shift) * _STRIDE
    tail = np.cumsum(weights)
    place = int(np.searchsorted(tail, tail_mass))
    doubt = _DEVIATIONS * math.sqrt(weights[:place] @ weights[:place]) + weights[max(place - 1, 0)]
    low, high = np.searchsorted(tail, (tail_mass - doubt, tail_mass + doubt)).tolist()
    high += _STEPS
    # What is banned weighs nothing, and where much is banned it is most of the sample.
    lowest = max(float(sample[max(low - _STEPS, 0)]), float(np.finfo(values.dtype).min))
    return lowest, float(sample[high]) if high < len(sample) else math.inf


def _from(values: Array, bound: float) -> Array:
    """The values from the bound on, in any order: picked out where they are few, parted from the others if not."""
    reached = values >= bound
    count = np.count_nonzero(reached)
    if count * _FEW <= len(values):
        return np.compress(reached, values)
    return np.partition(values, len(values) - count)[len(values) - count :]


def _split(values: Array, bound: float) -> tuple[Array, Array]:
    """The values below the bound, and those from it on."""
    below = np.count_nonzero(values < bound) if bound < math.inf else len(values)
    if below == len(values):
        return values, values[:0]
    parted = np.partition(values, below)
    return parted[:below], parted[below:]


def _mass(values: Array, shift: float) -> float:
    """The sum of exp(value - shift): weights and sums of some hundred in float32, then float64."""
    weights = np.exp(values - values.dtype.type(shift))
    whole = len(weights) // CHUNK * CHUNK
    sums = weights[:whole].reshape(-1, CHUNK).sum(1)
    return float(sums.sum(dtype=np.float64) + weights[whole:].sum(dtype=np.float64))


def _first_reaching(mass: Array, goal: float, unsure: float) -> int | None:
    """The first place whose mass reaches the goal; None if there is none, or one comes too close to tell."""
    kept = int(np.searchsorted(mass, goal, side="left"))
    if kept == len(mass):
        return None
    margin = unsure * goal
    near = mass[kept] - goal < margin or (kept > 0 and goal - mass[kept - 1] < margin)
    return None if near and unsure else kept
