"""Questions: ε at δ, δ at ε, for one number or an array of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from . import _engine
from .answer import Answer, Answers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from numpy.typing import NDArray

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
    delta: Sequence[float] | NDArray[Any],
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answers: ...
def epsilon(
    mechanism: Mechanism | str,
    delta: float | Sequence[float] | NDArray[Any],
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
    if isinstance(delta, (float, int)):
        plain = _engine.epsilon(expression, delta, relation, method, tolerance)
        return Answer._of("epsilon", float(delta), plain)
    return _sweep("epsilon", _engine.epsilons, _engine.epsilon, expression, delta, relation, method, tolerance)


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
    epsilon: Sequence[float] | NDArray[Any],
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
) -> Answers: ...
def delta(
    mechanism: Mechanism | str,
    epsilon: float | Sequence[float] | NDArray[Any],
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
    if isinstance(epsilon, (float, int)):
        plain = _engine.delta(expression, epsilon, relation, method, tolerance)
        return Answer._of("delta", float(epsilon), plain)
    return _sweep("delta", _engine.deltas, _engine.delta, expression, epsilon, relation, method, tolerance)


def _expression(mechanism: Mechanism | str) -> _engine.Expression:
    if isinstance(mechanism, str):
        return _engine.Expression.parse(mechanism)
    from .mechanism import Mechanism

    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"a mechanism or its text is needed, not {type(mechanism).__name__}")
    return mechanism._expression


def _sweep(
    unknown: Literal["epsilon", "delta"],
    many: Callable[[_engine.Expression, bytes, str, str, float | None], _engine.Ends],
    one: Callable[[_engine.Expression, float, str, str, float | None], _engine.PlainAnswer],
    expression: _engine.Expression,
    given: Sequence[float] | NDArray[Any],
    relation: str,
    method: str,
    tolerance: float | None,
) -> Answer | Answers:
    import numpy as np

    numbers = np.asarray(given)
    if numbers.dtype.kind not in "fiu":
        argument = "delta" if unknown == "epsilon" else "epsilon"
        raise TypeError(f"{argument} must be a number or an array of numbers, not {given!r:.60}")
    numbers = np.ascontiguousarray(numbers, dtype=np.float64)
    if numbers.ndim == 0:
        return Answer._of(unknown, float(numbers), one(expression, float(numbers), relation, method, tolerance))
    lower, upper, guarantee, used = many(expression, numbers.tobytes(), relation, method, tolerance)
    ends = [np.frombuffer(end, dtype=np.float64).reshape(numbers.shape) for end in (lower, upper)]
    return Answers(unknown, numbers, ends[0], ends[1], guarantee, used)  # type: ignore[arg-type]
