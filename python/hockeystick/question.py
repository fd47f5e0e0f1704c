"""Questions: ε at δ, δ at ε, for one number or an array of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from . import _engine, many
from .answer import Answer
from .answers import Answers
from .arguments import is_number, number, numbers
from .columns import is_column
from .sweep import sweep

if TYPE_CHECKING:
    from .columns import Column, Columns
    from .many import Errors
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
@overload
def epsilon(
    mechanism: Column,
    delta: float | Column,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
    errors: Errors = ...,
) -> Answers: ...
@overload
def epsilon(
    mechanism: str,
    delta: float | Column,
    *,
    columns: Columns,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
    errors: Errors = ...,
) -> Answers: ...
def epsilon(
    mechanism: Mechanism | str | Column,
    delta: float | Numbers | Column,
    *,
    columns: Columns | None = None,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
    errors: Errors = "keep",
) -> Answer | Answers:
    """The smallest ε for which the mechanism is (ε, δ)-DP.

    >>> import hockeystick as hs
    >>> print(hs.epsilon("gaussian(sigma=4) * 10", 1e-5))  # doctest: +ELLIPSIS
    ε = 3.3414094692... ± ... at δ = 1e-05
    >>> hs.epsilon(hs.Gaussian(4.0), [1e-5, 1e-6]).upper.round(6).tolist()
    [0.926342, 1.060702]

    Many mechanisms are asked about at once, on all cores, those that are equal once. They are a list or a column of mechanisms and texts,
    or an expression with names in braces and a table of ``columns``; δ is one number or a column:

    >>> hs.epsilon([hs.Gaussian(4.0), None, "laplace(scale=2)"], 1e-5).upper.round(6).tolist()
    [0.926342, nan, 0.49998]
    >>> runs = {"noise": [0.8, 1.0, -1.0], "steps": [1000, 2000, 3000], "delta": [1e-5, 1e-5, 1e-6]}
    >>> spent = hs.epsilon("poisson(gaussian(sigma={noise}), rate=0.01) * {steps}", runs["delta"], columns=runs)
    >>> spent.upper.round(4).tolist()
    [3.141, 2.5838, nan]

    A row in which something is missing (``None``, NaN) has no answer. A row in which something is wrong has none either, and its exception is
    in ``errors``; with ``errors="raise"`` the first one is raised. Each answer is the same as that of its question alone.

    >>> print(str(spent.errors[2]).splitlines()[0])
    column 24: gaussian: sigma is -1, but must be a finite number above 0; give the standard deviation of the noise
    """
    if columns is not None or is_column(mechanism):
        return many.ask("epsilon", mechanism, "delta", delta, columns, errors, (relation, method, tolerance))
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
@overload
def delta(
    mechanism: Column,
    epsilon: float | Column,
    *,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
    errors: Errors = ...,
) -> Answers: ...
@overload
def delta(
    mechanism: str,
    epsilon: float | Column,
    *,
    columns: Columns,
    relation: Relation = ...,
    method: str = ...,
    tolerance: float | None = ...,
    errors: Errors = ...,
) -> Answers: ...
def delta(
    mechanism: Mechanism | str | Column,
    epsilon: float | Numbers | Column,
    *,
    columns: Columns | None = None,
    relation: Relation = "add-remove",
    method: str = "auto",
    tolerance: float | None = None,
    errors: Errors = "keep",
) -> Answer | Answers:
    """The smallest δ for which the mechanism is (ε, δ)-DP.

    >>> import hockeystick as hs
    >>> print(hs.delta(hs.Laplace(2.0), 0.25))  # doctest: +ELLIPSIS
    δ = 0.117503097415... ± ... at ε = 0.25
    """
    if columns is not None or is_column(mechanism):
        return many.ask("delta", mechanism, "epsilon", epsilon, columns, errors, (relation, method, tolerance))
    expression = _expression(mechanism)
    if is_number(epsilon):
        asked = number(epsilon, "epsilon")
        return Answer._of("delta", asked, _engine.delta(expression, asked, relation, method, tolerance))
    at = numbers(epsilon, "epsilon")
    return sweep("delta", at, lambda given: _engine.deltas(expression, given, relation, method, tolerance))


def _expression(mechanism: object) -> _engine.Expression:
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
