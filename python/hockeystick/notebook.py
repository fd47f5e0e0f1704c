"""What notebooks show: a table of what is known, and the privacy profile as a drawing."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from . import digits

if TYPE_CHECKING:
    from .answer import Answer
    from .mechanism import Mechanism

_POINTS = 60
_FAINT = 1e-12


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
        return text + profile_svg(mechanism)
    except ValueError as reason:
        return f"{text}<br><small>{escape(str(reason))}</small>"


def profile_svg(mechanism: Mechanism, width: int = 360, height: int = 220) -> str:
    """The upper end of δ over ε, δ on a logarithmic axis."""
    high = 1.0
    for _ in range(20):
        if mechanism.delta(high).upper <= _FAINT:
            break
        high *= 2
    epsilons = [high * i / (_POINTS - 1) for i in range(_POINTS)]
    deltas = mechanism.delta(epsilons).upper
    points = [(x, math.log10(y)) for x, y in zip(epsilons, deltas) if y > _FAINT]
    if len(points) < 2:
        return ""
    left, bottom, top = 48, height - 32, 10
    right = points[-1][0]
    low = min(y for _, y in points)
    floor = min(-1.0, math.floor(low))

    def place_x(x: float) -> float:
        return left + (width - left - 10) * x / right

    def place_y(y: float) -> float:
        return top + (bottom - top) * y / floor

    line = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
    marks = "".join(
        f'<text x="{left - 6}" y="{place_y(y) + 4:.1f}" text-anchor="end">1e{int(y)}</text>'
        for y in (0, floor / 2 // 1, floor)
    ) + "".join(
        f'<text x="{place_x(x):.1f}" y="{bottom + 16}" text-anchor="middle">{x:.3g}</text>' for x in (0.0, right)
    )
    return (
        f'<svg width="{width}" height="{height}" font-size="11" font-family="sans-serif" role="img" '
        f'aria-label="privacy profile"><path d="M{left} {top}V{bottom}H{width - 10}" fill="none" stroke="#888"/>'
        f'<polyline points="{line}" fill="none" stroke="#1f77b4" stroke-width="2"/>{marks}'
        f'<text x="{left + 8}" y="{top + 8}">δ</text>'
        f'<text x="{width / 2:.0f}" y="{height - 4}" text-anchor="middle">ε</text></svg>'
    )


def _table(rows: list[tuple[str, str]]) -> str:
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table>{body}</table>"
