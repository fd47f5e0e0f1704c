"""A privacy loss distribution on a grid, for packages that read its masses.

The law is made of the certified curve: its δ at each point of the grid is the upper end there, and between the points δ is
linear in e^ε. A convex curve lies below its chords, so the law on the grid dominates the mechanism. (The masses are doubles,
rounded in their last digits.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ....mechanism import Mechanism, Relation

# Losses rarer than this are taken to be infinite.
_RARE = 1e-15
# The relative width of δ that is worth another composition: a grid costs more than that.
_WIDTH = 1e-3
# Longer gaps overflow; at their far end nothing is left of a slope.
_LONGEST_GAP = 700.0
# A grid of more points is made coarser: each point is a question.
_MOST_POINTS = 400_000


@dataclass(frozen=True, eq=False)
class DensePLDPmf:
    """Masses at ``discretization × (lower_loss + i)``, and at infinity."""

    _discretization: float
    _lower_loss: int
    _probs: NDArray[np.float64]
    _infinity_mass: float
    _pessimistic_estimate: bool

    @property
    def size(self) -> int:
        """How many points the grid has."""
        return len(self._probs)

    def to_dense_pmf(self) -> DensePLDPmf:
        """Itself: it is dense already."""
        return self


@lru_cache(maxsize=16)
def both_directions(
    mechanism: Mechanism | None, relation: Relation, interval: float
) -> tuple[DensePLDPmf, DensePLDPmf]:
    """The law of the loss when a record is removed, and when one is added, of one pair that dominates both.

    >>> from hockeystick import Gaussian
    >>> removed, added = both_directions(Gaussian(1.0), "add-remove", 1e-3)
    >>> round(float(removed._probs.sum()) + removed._infinity_mass, 9)
    1.0
    """
    import numpy as np

    if mechanism is None:
        nothing = DensePLDPmf(interval, 0, np.ones(1), 0.0, True)
        return nothing, nothing
    ahead: Relation = "replace" if relation == "replace" else "remove"
    behind: Relation = "replace" if relation == "replace" else "add"
    reach = [_reach(mechanism, direction, interval) for direction in (behind, ahead)]
    interval *= math.ceil(sum(reach) / (interval * _MOST_POINTS))
    left, right = (math.ceil(loss / interval) for loss in reach)
    # On the left, the curve of the pair follows from that of the swapped pair, in which the roles of both laws change.
    epsilons_left, epsilons_right = (interval * np.arange(count + 1, dtype=np.float64) for count in (left, right))
    deltas_left = mechanism.delta(epsilons_left, relation=behind, tolerance=_WIDTH).upper
    deltas_right = mechanism.delta(epsilons_right, relation=ahead, tolerance=_WIDTH).upper
    # At 0 both are the total variation distance.
    distance = max(deltas_left[0], deltas_right[0])
    present_left, absent_left, slope_left = _half(epsilons_left, deltas_left, distance)
    absent_right, present_right, slope_right = _half(epsilons_right, deltas_right, distance)
    middle = [max(0.0, 1.0 - distance + slope_left + slope_right)]
    present = np.concatenate([present_left[:0:-1], middle, present_right[1:]])
    absent = np.concatenate([absent_left[:0:-1], middle, absent_right[1:]])
    # They are remembered, and therefore not to be written to: searches ask for the same law again and again.
    turned = absent[::-1].copy()
    for masses in (present, turned):
        masses.flags.writeable = False
    removed = DensePLDPmf(interval, -left, present, float(deltas_right[-1]), True)
    added = DensePLDPmf(interval, -right, turned, float(deltas_left[-1]), True)
    return removed, added


def _reach(mechanism: Mechanism, direction: Relation, interval: float) -> float:
    """The loss beyond which hardly one is left, or only infinite ones."""
    import numpy as np

    found = mechanism.epsilon(_RARE, relation=direction).upper
    if math.isinf(found):
        # Where δ no longer falls.
        losses = np.geomspace(1e-3, 1e3, 121)
        deltas = mechanism.delta(losses, relation=direction).upper
        found = float(losses[np.argmax(deltas <= 1.001 * deltas[-1])])
    return max(found, interval)


def _half(
    epsilons: NDArray[np.floating[Any]], deltas: NDArray[np.float64], distance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The law whose δ goes through the points, ``δ(x) = p∞ + Σ q_i (x_i − x)₊`` with ``x = e^ε``: its masses ``q_i`` under the law in
    the denominator, ``p_i = q_i x_i`` under the other, both without the first point; and the slope of δ at 1.
    """
    import numpy as np

    values = np.concatenate([[distance], deltas[1:]])
    kept = _hull(epsilons.tolist(), values.tolist())
    # Slopes times the x at their left and at their right end: no e^ε is needed, which overflows.
    falls, gaps = np.diff(values[kept]), np.minimum(np.diff(epsilons[kept]), _LONGEST_GAP)
    at_left, at_right = falls / np.expm1(gaps), falls / -np.expm1(-gaps)
    under, over = np.zeros(len(epsilons)), np.zeros(len(epsilons))
    over[kept[1:]] = np.maximum(0.0, np.append(at_left[1:], 0.0) - at_right)
    under[kept[1:]] = over[kept[1:]] * np.exp(-epsilons[kept[1:]])
    return under, over, float(at_left[0])


def _hull(epsilons: list[float], deltas: list[float]) -> list[int]:
    """The vertices of the largest convex function of e^ε below all points. The truth is one: it is below that too."""
    expm1 = math.expm1
    kept: list[int] = []
    for i, (epsilon, delta) in enumerate(zip(epsilons, deltas)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            before = (deltas[b] - deltas[a]) / -expm1(epsilons[a] - epsilons[b])
            if before < (delta - deltas[b]) / expm1(min(epsilon - epsilons[b], _LONGEST_GAP)):
                break
            kept.pop()
        kept.append(i)
    return kept
