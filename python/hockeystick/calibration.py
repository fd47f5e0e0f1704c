"""The one number of an expression that just meets a target."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _engine
from .answer import Answer
from .arguments import number
from .mechanism import Mechanism

if TYPE_CHECKING:
    from ._engine import _Found
    from .mechanism import Relation


class Calibration(NamedTuple):
    """What calibration found. ``float(calibration)`` is the value."""

    parameter: str
    """What the ``?`` stands for, or the name of the function's argument."""
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

    @classmethod
    def _of(cls, parameter: str, found: _Found) -> Calibration:
        _, outcome, value, too_little, filled, (unknown, given, plain) = found
        answer = Answer._of(unknown, given, plain)
        return cls(parameter, outcome, value, too_little, Mechanism._of(filled), answer)

    def _repr_html_(self) -> str:
        from .notebook import calibration_html

        return calibration_html(self)


def calibrate(
    expression: str | Callable[[float], Mechanism] | Callable[[int], Mechanism],
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
    """The number that just meets (ε, δ), a membership advantage, or a true positive rate: the one in place of the ``?`` of an expression,
    or the argument of a function that makes a mechanism.

    >>> import hockeystick as hs
    >>> found = hs.calibrate("gaussian(sigma=?) * 100", epsilon=1, delta=1e-6)
    >>> round(found.value, 9), found.too_little < found.value
    (42.246788893, True)
    >>> found.mechanism.epsilon(1e-6).upper <= 1
    True
    >>> hs.calibrate("laplace(scale=20) + dp(epsilon=0.1) * ?", epsilon=1, delta=1e-6).value
    9.0

    With a function the number may stand in several places, or not be a parameter at all. Numbers for which it raises a ValueError, a
    TypeError or an ArithmeticError are out of range; if no fraction is in range, the number is a whole one. Each number is tried once,
    so that ``mechanism`` is what was proven to meet the target, whatever the function does.

    >>> found = hs.calibrate(lambda noise: hs.Gaussian(noise) * 10 + hs.Laplace(noise), epsilon=1, delta=1e-6)
    >>> found.mechanism.delta(1) <= 1e-6, found.parameter
    (True, 'noise')
    >>> hs.calibrate(lambda steps: hs.Gaussian(10.0) * steps, epsilon=1, delta=1e-6).value
    5.0
    """
    target = tuple(
        None if wanted is None else number(wanted, name)
        for name, wanted in (("epsilon", epsilon), ("delta", delta), ("advantage", advantage), ("tpr", tpr), ("fpr", fpr))
    )
    settings = (target, relation, method, tolerance)
    if callable(expression):
        found = _engine.calibrate_function(_expressions(expression), *settings)
        parameter = _first_parameter(expression)
    else:
        found = _engine.calibrate(expression, *settings)
        parameter = found[0]
    return Calibration._of(parameter, found)


def _expressions(function: Callable[..., Mechanism]) -> Callable[[float], _engine.Expression]:
    def expression(value: float) -> _engine.Expression:
        made = function(value)
        if not isinstance(made, Mechanism):
            raise TypeError(f"the function must make a mechanism, not {type(made).__name__}")
        return made._expression

    return expression


def _first_parameter(function: Callable[..., Mechanism]) -> str:
    try:
        return next(iter(inspect.signature(function).parameters), "value")
    except (TypeError, ValueError):
        return "value"
