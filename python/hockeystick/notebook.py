"""What notebooks show: a table of what is known, and the privacy profile as a drawing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import curves, digits

if TYPE_CHECKING:
    from .accountant import Accountant
    from .answer import Answer
    from .mechanism import Mechanism


def answer_html(answer: Answer) -> str:
    """An answer as a table.

    >>> import hockeystick as hs
    >>> "certified" in answer_html(hs.Gaussian(1.0).epsilon(1e-6))
    True
    """
    asked, known = answer._symbols()
    rows = [
        (asked, digits.relation(answer.guarantee, answer.lower, answer.upper)),
        ("at", f"{known} = {answer.given:g}"),
        ("guarantee", answer.guarantee),
        ("method", answer.method),
        ("direction", answer.direction),
    ]
    rows += [("not as asked", answer.shortfall)] if answer.shortfall else []
    rows += [("note", note) for note in answer.notes]
    return _table(rows)


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
    steps = f"{accountant.steps} step{'' if accountant.steps == 1 else 's'}"
    spent = accountant.mechanism
    return f"{steps}: " + ("nothing was spent" if spent is None else mechanism_html(spent))


def _table(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{body}</table>"
