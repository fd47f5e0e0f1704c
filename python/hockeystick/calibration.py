"""The one number of an expression that just meets a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _engine
from .answer import Answer
from .mechanism import Mechanism

if TYPE_CHECKING:
    from .mechanism import Relation


class Calibration(NamedTuple):
    """What calibration found. ``float(calibration)`` is the value."""

    parameter: str
    """What the ``?`` stands for."""
    outcome: Literal["found", "every value", "impossible"]
    """Whether there is a value, whether every value would do, or whether none was found."""
    value: float | None
    """Proven to meet the target; ``None`` if no value does."""
    too_little: float | None
    """The nearest value proven to miss the target."""
    mechanism: Mechanism
    """The mechanism with the value, or with the closest there is."""
    answer: Answer
    """What it spends."""

    def __float__(self) -> float:
        if self.value is None:
            raise ValueError(f"no {self.parameter} meets the target; allow a larger ε or δ")
        return self.value


def calibrate(
    expression: str,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    advantage: float | None = None,
    tpr: float | None = None,
    fpr: float | None = None,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Calibration:
    """The number in place of the ``?`` that just meets (ε, δ), a membership advantage, or a true positive rate.

    >>> import hockeystick as hs
    >>> found = hs.calibrate("gaussian(sigma=?) * 100", epsilon=1, delta=1e-6)
    >>> round(found.value, 9), found.too_little < found.value
    (42.246788893, True)
    >>> found.mechanism.epsilon(1e-6).upper <= 1
    True
    >>> hs.calibrate("laplace(scale=20) + dp(epsilon=0.1) * ?", epsilon=1, delta=1e-6).value
    9.0
    """
    target = (epsilon, delta, advantage, tpr, fpr)
    parameter, outcome, value, too_little, filled, (unknown, given, plain) = _engine.calibrate(
        expression, target, relation, method, tolerance
    )
    answer = Answer._of(unknown, given, plain)
    return Calibration(parameter, outcome, value, too_little, Mechanism._of(filled), answer)
