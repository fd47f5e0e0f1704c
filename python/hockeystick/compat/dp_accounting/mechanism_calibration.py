"""The value of a parameter at which an event just meets a target."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...arguments import number


class NoBracketIntervalFoundError(Exception):
    """No two values were found with the target between them."""


class NonEmptyAccountantError(ValueError):
    """An accountant that should be fresh has events."""


@dataclass(frozen=True)
class ExplicitBracketInterval:
    """Two values with the one that is looked for between them."""

    endpoint_1: float
    endpoint_2: float


@dataclass(frozen=True)
class LowerEndpointAndGuess:
    """A value below the one that is looked for, and another to start from."""

    lower_endpoint: float
    initial_guess: float


# Doublings of the gap before the search for a bracket is given up.
_MOST_STEPS = 30
# The interval that is left, relative to the tolerance.
_FINER = 1e-3


def calibrate_dp_mechanism(
    make_fresh_accountant: Callable[[], Any],
    make_event_from_param: Callable[[Any], Any],
    target_epsilon: float,
    target_delta: float,
    bracket_interval: Any = None,
    discrete: bool = False,
    tol: float | None = None,
) -> float:
    """The value of a parameter at which an event just meets (ε, δ), to within ``tol`` and on the private side.

    >>> from hockeystick.compat.dp_accounting import GaussianDpEvent, PLDAccountant, SelfComposedDpEvent
    >>> noise = calibrate_dp_mechanism(PLDAccountant, lambda s: SelfComposedDpEvent(GaussianDpEvent(s), 100), 1, 1e-6)
    >>> PLDAccountant().compose(SelfComposedDpEvent(GaussianDpEvent(noise), 100)).get_epsilon(1e-6) <= 1
    True
    """
    if not callable(make_fresh_accountant):
        raise TypeError(f"make_fresh_accountant must be callable, not {type(make_fresh_accountant).__name__}")
    if not callable(make_event_from_param):
        raise TypeError(f"make_event_from_param must be callable, not {type(make_event_from_param).__name__}")
    wanted = number(target_epsilon, "target_epsilon", least=0.0, allowed="nonnegative and finite")
    delta = number(target_delta, "target_delta", least=0.0, most=1.0, allowed="in range [0, 1]")
    if bracket_interval is None:
        bracket_interval = LowerEndpointAndGuess(0, 1)
    if tol is None:
        tol = 0.5 if discrete else 1e-6
    tol = number(tol, "tol", above=0.0)

    if type(make_fresh_accountant().ledger).__name__ != "NoOpDpEvent":
        raise NonEmptyAccountantError("make_fresh_accountant must make an accountant without events")

    def excess(value: float) -> float:
        event = make_event_from_param(round(value) if discrete else value)
        return float(make_fresh_accountant().compose(event).get_epsilon(delta)) - wanted

    one, other = _bracket(excess, bracket_interval)
    meets, misses = (one, other) if excess(one) <= 0 else (other, one)
    while abs(meets - misses) > (1 if discrete else max(_FINER * tol, 1e-14 * abs(meets))):
        middle = (meets + misses) / 2
        if discrete:
            middle = math.floor(middle)
            if middle in (meets, misses):
                break
        if excess(middle) <= 0:
            meets = middle
        else:
            misses = middle
    return round(meets) if discrete else meets


def _bracket(excess: Callable[[float], float], interval: Any) -> tuple[float, float]:
    if type(interval).__name__ == "ExplicitBracketInterval":
        one, other = number(interval.endpoint_1, "endpoint_1"), number(interval.endpoint_2, "endpoint_2")
        if (excess(one) <= 0) == (excess(other) <= 0):
            raise ValueError(f"{one} and {other} did not bracket a solution; widen the interval")
        return one, other
    if type(interval).__name__ != "LowerEndpointAndGuess":
        raise TypeError(f"Unrecognized bracket_interval type: {type(interval)}")
    lower, guess = number(interval.lower_endpoint, "lower_endpoint"), number(interval.initial_guess, "initial_guess")
    if not lower < guess:
        raise ValueError(f"lower_endpoint is {lower}, but must be less than initial_guess, {guess}")
    is_met = excess(lower) <= 0
    previous, gap = lower, guess - lower
    for _ in range(_MOST_STEPS):
        if (excess(lower + gap) <= 0) != is_met:
            return previous, lower + gap
        previous, gap = lower + gap, 2 * gap
    raise NoBracketIntervalFoundError(
        f"Unable to find a bracketing interval above {lower}; start from another guess"
    )
