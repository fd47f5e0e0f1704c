"""What notebooks show: a table of what is known, and a drawing where there is a curve."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import curves, digits
from .answer import Reading

if TYPE_CHECKING:
    from .accountant import Accountant
    from .answers import Answers
    from .attack import Risk
    from .calibration import Calibration
    from .comparison import Comparison
    from .explanation import Explanation
    from .losses import Losses
    from .mechanism import Mechanism

# Rows of a table before the rest is left out.
_MOST_ROWS = 20


def reading_html(reading: Reading) -> str:
    """An answer as a table.

    >>> import hockeystick as hs
    >>> "certified" in reading_html(hs.Gaussian(1.0).epsilon(1e-6))
    True
    """
    asked, known = reading._symbols()
    rows = [
        (asked, digits.relation(reading.guarantee, reading.lower, reading.upper)),
        ("at", f"{known} = {reading.given:g}"),
        ("guarantee", reading.guarantee),
        ("method", reading.method),
    ]
    direction, shortfall = getattr(reading, "direction", None), getattr(reading, "shortfall", None)
    rows += [("direction", direction)] if direction else []
    rows += [("not as asked", shortfall)] if shortfall else []
    rows += [("note", note) for note in getattr(reading, "notes", ())]
    return _table(rows)


def answers_html(answers: Answers) -> str:
    """Answers as a table, the first of them if there are many.

    >>> import hockeystick as hs
    >>> answers_html(hs.Gaussian(1.0).epsilon([1e-6] * 50)).count("<tr>")
    21
    """
    given, lower, upper = answers.given.ravel(), answers.lower.ravel(), answers.upper.ravel()
    first = type(answers)(
        answers.unknown, given[:_MOST_ROWS], lower[:_MOST_ROWS], upper[:_MOST_ROWS], answers.guarantee, answers.method, answers.errors
    )
    rows = [_sides(row) if isinstance(row, Reading) else _without(number, row) for number, row in enumerate(first.rows())]
    left = len(given) - len(rows)
    return _table([*rows, ("…", f"{left} more")] if left else rows)


def _without(number: int, error: Exception | None) -> tuple[str, str]:
    return f"row {number}", "" if error is None else f"no answer: {error}"


def _sides(reading: Reading) -> tuple[str, str]:
    asked, known = reading._symbols()
    return f"{known} = {reading.given:g}", f"{asked} {digits.relation(reading.guarantee, reading.lower, reading.upper)}"


def calibration_html(found: Calibration) -> str:
    """What was found, and what it spends.

    >>> import hockeystick as hs
    >>> "sigma" in calibration_html(hs.calibrate("gaussian(sigma=?)", epsilon=1, delta=1e-6))
    True
    """
    rows: list[tuple[str, str]] = [("outcome", found.outcome)]
    rows += [] if found.value is None else [(found.parameter, repr(found.value))]
    rows += [] if found.too_little is None else [("misses the target", repr(found.too_little))]
    return _table([*rows, ("mechanism", str(found.mechanism))]) + reading_html(found.answer)


def risk_html(risk: Risk) -> str:
    """What the best attack achieves.

    >>> import hockeystick as hs
    >>> "advantage" in risk_html(hs.risk(hs.Gaussian(1.0)))
    True
    """
    names = ("advantage", "accuracy", "tpr", "belief")
    between = [(name, getattr(risk, name)) for name in names]
    rows = [(name, digits.relation("certified", ends.lower, ends.upper)) for name, ends in between]
    return _table([*rows, ("method", risk.method)])


def comparison_html(comparison: Comparison) -> str:
    """What every method says.

    >>> import hockeystick as hs
    >>> "rdp-optimal" in comparison_html(hs.compare(hs.Gaussian(1.0), delta=1e-6))
    True
    """
    rows = [("auto", str(comparison.best))]
    for compared in comparison.methods:
        rows.append((compared.method, str(compared.refusal if compared.answer is None else compared.answer)))
    return _table(rows)


def explanation_html(explanation: Explanation) -> str:
    """The answer, its plan and its theorems.

    >>> import hockeystick as hs
    >>> "closed form" in explanation_html(hs.explain(hs.Gaussian(1.0), delta=1e-6))
    True
    """
    plans = [(plan.direction, f"{plan.engine}, because {plan.reason}") for plan in explanation.plans]
    theorems = [("theorem", theorem) for theorem in explanation.theorems]
    return reading_html(explanation.answer) + _table([*plans, *theorems])


def losses_html(losses: Losses) -> str:
    """The chances of losses, drawn.

    >>> import hockeystick as hs
    >>> "<svg" in losses_html(hs.losses(hs.Gaussian(1.0)))
    True
    """
    return curves.losses_picture(losses).svg()


def mechanism_html(mechanism: Mechanism) -> str:
    """A mechanism as its expression, with its privacy profile where that can be computed.

    >>> import hockeystick as hs
    >>> "<svg" in mechanism_html(hs.Gaussian(1.0) * 3)
    True
    """
    text = f"<code>{escape(str(mechanism))}</code>"
    try:
        return text + curves.profile(mechanism).svg()
    except ValueError as reason:
        return f"{text}<br><small>{escape(str(reason))}</small>"


def accountant_html(accountant: Accountant) -> str:
    """What was spent so far, with its privacy profile.

    >>> import hockeystick as hs
    >>> accountant = hs.Accountant()
    >>> "nothing" in accountant_html(accountant)
    True
    >>> accountant.step(hs.Gaussian(1.0), 3)
    >>> "<svg" in accountant_html(accountant)
    True
    """
    # Other threads may go on: both are of one moment.
    steps, spent = accountant._at_once()
    counted = f"{steps} step{'' if steps == 1 else 's'}"
    return f"{counted}: " + ("nothing was spent" if spent is None else mechanism_html(spent))


def _table(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{body}</table>"
