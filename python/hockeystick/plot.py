"""Drawings with matplotlib, an optional extra: ``pip install "hockeystick[plot]"``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .mechanism import Mechanism, Relation


def profile(
    mechanism: Mechanism,
    epsilons: Sequence[float],
    *,
    relation: Relation = "add-remove",
    ax: Any = None,
    label: str | None = None,
) -> Any:
    """Draws δ over ε as the band of its interval, on the axes given or new ones, and returns the axes."""
    axes = _axes(ax)
    answers = mechanism.delta(epsilons, relation=relation)
    (line,) = axes.plot(answers.given, answers.upper, label=label or str(mechanism))
    axes.fill_between(answers.given, answers.lower, answers.upper, color=line.get_color(), alpha=0.3)
    axes.set(xlabel="ε", ylabel="δ", yscale="log")
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot  # type: ignore[import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('drawings need matplotlib: pip install "hockeystick[plot]"') from missing
    return pyplot.subplots()[1]
