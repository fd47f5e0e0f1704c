"""Questions: ε at δ, δ at ε, for one number or an array of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from . import _engine
from .answer import Answer, Answers
from .arguments import is_number, number, numbers
from .sweep import sweep

if TYPE_CHECKING:
    from .answer import Unknown
    from .arguments import Numbers
    from .mechanism import Mechanism, Relation


@overload
def epsilon(
    mechanism: Mechanism | str,
    delta: float,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answer: ...
@overload
def epsilon(
    mechanism: Mechanism | str,
    delta: Numbers,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answers: ...
def epsilon(
    mechanism: Mechanism | str,
    delta: float | Numbers,
    *,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Answer | Answers:
    """The smallest ε for which the mechanism is (ε, δ)-DP.

    >>> import hockeystick as hs
    >>> print(hs.epsilon("gaussian(sigma=4) * 10", 1e-5))  # doctest: +ELLIPSIS
    ε = 3.3414094692... ± ... at δ = 1e-05
    >>> hs.epsilon(hs.Gaussian(4.0), [1e-5, 1e-6]).upper.round(6).tolist()
    [0.926342, 1.060702]
    """
    expression = _expression(mechanism)
    if is_number(delta):
        asked = number(delta, "delta")
        return Answer._of("epsilon", asked, _engine.epsilon(expression, asked, relation, method, tolerance))
    at = numbers(delta, "delta")
    return sweep("epsilon", at, lambda given: _engine.epsilons(expression, given, relation, method, tolerance))


@overload
def delta(
    mechanism: Mechanism | str,
    epsilon: float,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answer: ...
@overload
def delta(
    mechanism: Mechanism | str,
    epsilon: Numbers,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answers: ...
def delta(
    mechanism: Mechanism | str,
    epsilon: float | Numbers,
    *,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
) -> Answer | Answers:
    """The smallest δ for which the mechanism is (ε, δ)-DP.

    >>> import hockeystick as hs
    >>> print(hs.delta(hs.Laplace(2.0), 0.25))  # doctest: +ELLIPSIS
    δ = 0.117503097415... ± ... at ε = 0.25
    """
    expression = _expression(mechanism)
    if is_number(epsilon):
        asked = number(epsilon, "epsilon")
        return Answer._of("delta", asked, _engine.delta(expression, asked, relation, method, tolerance))
    at = numbers(epsilon, "epsilon")
    return sweep("delta", at, lambda given: _engine.deltas(expression, given, relation, method, tolerance))


def _expression(mechanism: Mechanism | str) -> _engine.Expression:
    if isinstance(mechanism, str):
        return _engine.Expression.parse(mechanism)
    from .mechanism import Mechanism

    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"a mechanism or its text is needed, not {type(mechanism).__name__}")
    return mechanism._expression


def one_of(
    delta: float | None, epsilon: float | None
) -> tuple[Unknown, float, tuple[float | None, float | None]]:
    """What is asked for, the number that is given, and both as the engine takes them."""
    if (delta is None) == (epsilon is None):
        raise TypeError("give delta or epsilon, and not both")
    if delta is not None:
        given = number(delta, "delta")
        return "epsilon", given, (given, None)
    given = number(epsilon, "epsilon")
    return "delta", given, (None, given)
