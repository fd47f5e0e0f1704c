"""The distribution of the privacy loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _engine
from .arguments import numbers
from .question import _expression
from .sweep import array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .arguments import Numbers
    from .mechanism import Mechanism, Relation


class Chances(NamedTuple):
    """Probabilities, each between two ends."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


class Losses(NamedTuple):
    """How likely losses above a number are."""

    at: NDArray[np.float64]
    """The numbers."""
    present: Chances
    """With the record."""
    absent: Chances
    """Without it."""

    def _repr_html_(self) -> str:
        from .notebook import losses_html

        return losses_html(self)


def losses(
    mechanism: Mechanism | str,
    at: Numbers | None = None,
    *,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Losses:
    """The chances of a privacy loss above each number, with the record and without it; by default at 200 interesting ones.

    >>> import hockeystick as hs
    >>> tails = hs.losses(hs.Gaussian(1.0), [0.5])
    >>> tails.present.upper.round(6).tolist(), tails.absent.upper.round(6).tolist()
    ([0.5], [0.158655])
    """
    import numpy as np

    expression = _expression(mechanism)
    if at is None:
        points = np.frombuffer(_engine.interesting(expression, 200, relation)[1], dtype=np.float64)
    else:
        points = numbers(at, "at")
    present, absent = _engine.losses(expression, points.tobytes(), relation, method, tolerance)
    ends = [Chances(array(lower, points), array(upper, points)) for lower, upper in (present, absent)]
    return Losses(points, *ends)
