"""Where top-p cuts a row, on a host: one number, found without sorting the vocabulary.

The tail below the nucleus has probability 1 - p. A sample of the row says within a narrow band of logits where that
tail ends; then the band alone is sorted, and what lies above it is only summed.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from .host_weights import CHUNK, LOWEST, Array, Weigher, Weights, in_chunks, survivors

SMALL = 4096
"""Below this many columns a plain sort costs no more than the sample that would avoid it."""
_STRIDE = 32
"""Every so many columns one is in the sample: more would cost more to sort than a narrower band saves."""
_GENEROUS = 1.5
"""How much more mass than is missing the band should hold by the sample, which knows the density to some percent."""
_STEPS = 4
"""Sampled columns by which the band is wider still."""
_UNSURE = 5e-7
"""Relative distance from p within which float32 sums decide nothing; 1.05e-7 is the most they were seen to lose."""
_BLUR = 1e-5
"""Exponentials are not monotone in the last bits: what is this close below a logit may count as above it."""


def nucleus_edge(row: torch.Tensor, p: float, weigher: Weigher) -> float:
    """The lowest logit of the nucleus: the likelier ones have less than probability p.

    row: float32 or float64 tensor (vocab_size,). p: in (0, 1). Returns NaN for a row that has no distribution. Sums
    are decided in float64: in float32 only where the decision cannot depend on it.
    """
    values = row.numpy()
    if len(values) <= SMALL:
        return sorted_edge(values, p) if math.isfinite(values.max()) else math.nan
    alive = survivors(row)
    if alive is not None:
        values = in_chunks(values, alive)
        return sorted_edge(values, p) if math.isfinite(values.max()) else math.nan
    weights = weigher.weigh(row)
    if weights is None:
        return math.nan
    heavy = weights.sums > 0
    if np.count_nonzero(heavy) * 8 <= len(heavy):
        return sorted_edge(in_chunks(values, heavy), p)
    edge = edge_in_band(row, weights, p)
    return sorted_edge(values, p) if edge is None else edge


def sorted_edge(values: Array, p: float) -> float:
    """The edge of a whole row, by the definition; all in float64."""
    descending = np.sort(values)[::-1].astype(np.float64)
    cumulative = np.cumsum(np.exp(descending - descending[0]))
    likelier = np.concatenate([[0.0], cumulative[:-1]])
    # The first column has nothing above it and is always kept.
    return float(descending[np.searchsorted(likelier / cumulative[-1], p, side="left") - 1])


def edge_in_band(row: torch.Tensor, weights: Weights, p: float) -> float | None:
    """The edge, or None if the sample misled. row: float tensor (vocab_size,). Uses the weights up."""
    values, goal = row.numpy(), p * weights.total
    sample = np.sort(values[::_STRIDE])
    tail = np.cumsum(np.exp(sample - values.dtype.type(weights.shift)), dtype=np.float64) * _STRIDE
    place = min(int(np.searchsorted(tail, weights.total - goal)), len(sample) - 1)
    reached = _weigh_from(weights, float(sample[place]))
    missing = (goal - reached) * _GENEROUS
    other = int(np.searchsorted(tail, tail[place] - missing))
    if missing > 0:
        low, high = float(sample[max(other - _STEPS, 0)]), float(sample[place])
    else:
        low = float(sample[place]) - 2 * _BLUR
        high = float(sample[other + _STEPS]) if other + _STEPS < len(sample) else math.inf

    inside = values >= low
    if high < math.inf:
        inside &= values < high
    columns = np.flatnonzero(inside)
    above = reached - float(weights.values[columns].sum(dtype=np.float64))
    descending = np.sort(values[columns])[::-1].astype(np.float64)
    mass = np.cumsum(np.exp(descending - weights.shift))
    if not len(mass) or above >= goal * (1 + _UNSURE) or above + mass[-1] <= goal * (1 - _UNSURE):
        return None
    kept = _first_reaching(above + mass, goal, _UNSURE)
    if kept is None or above >= goal * (1 - _UNSURE):
        exact = torch.exp(row.double() - weights.shift)
        above, goal = float(exact[row >= high].sum()), p * float(exact.sum())
        kept = _first_reaching(above + mass, goal, 0.0)
    return None if kept is None or above >= goal else float(descending[kept])


def _weigh_from(weights: Weights, logit: float) -> float:
    """The weights from `logit` on, perhaps with some from just below it; the others are set to 0."""
    bound = math.exp(max(logit - weights.shift, LOWEST)) * (1.0 - _BLUR)
    values = torch.threshold_(torch.from_numpy(weights.values), bound, 0.0)
    whole = len(values) // CHUNK * CHUNK
    return float(values[:whole].view(-1, CHUNK).sum(1).double().sum() + values[whole:].double().sum())


def _first_reaching(mass: Array, goal: float, unsure: float) -> int | None:
    """The first place whose mass reaches the goal; None if there is none, or one comes too close to tell."""
    kept = int(np.searchsorted(mass, goal, side="left"))
    if kept == len(mass):
        return None
    margin = unsure * goal
    near = mass[kept] - goal < margin or (kept > 0 and goal - mass[kept - 1] < margin)
    return None if near and unsure else kept
