"""Drawings with matplotlib, an optional extra: ``pip install "hockeystick[plot]"``.

Every function draws on the axes given, or on new ones, and returns them; the band of a line contains the truth. Without
matplotlib, :mod:`hockeystick.curves` gives the same curves as numbers and as SVG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes  # type: ignore[import-not-found, unused-ignore]

    from .arguments import Numbers
    from .curves import Picture
    from .mechanism import Mechanism, Relation


def profile(
    mechanism: Mechanism,
    epsilons: Numbers | None = None,
    *,
    relation: Relation = "add-remove",
    ax: Axes | None = None,
    label: str | None = None,
) -> Axes:
    """Draws δ over ε."""
    return _draw(curves.profile(mechanism, epsilons, relation), ax, label)


def tradeoff(
    mechanism: Mechanism,
    fpr: Numbers | None = None,
    *,
    relation: Relation = "add-remove",
    ax: Axes | None = None,
    label: str | None = None,
) -> Axes:
    """Draws the least false negative rate of any attack over its false positive rate."""
    return _draw(curves.tradeoff(mechanism, fpr, relation), ax, label)


def losses(
    mechanism: Mechanism,
    at: Numbers | None = None,
    *,
    relation: Relation = "add-remove",
    ax: Axes | None = None,
) -> Axes:
    """Draws how likely privacy losses above a number are, with the record and without it."""
    return _draw(curves.losses(mechanism, at, relation), ax, None)


def steps(
    step: Mechanism,
    count: int,
    delta: float,
    *,
    relation: Relation = "add-remove",
    ax: Axes | None = None,
    label: str | None = None,
) -> Axes:
    """Draws ε over the number of steps, up to ``count``."""
    return _draw(curves.steps(step, count, delta, relation), ax, label)


def _draw(picture: Picture, ax: Axes | None, label: str | None) -> Axes:
    axes = _axes(ax)
    for curve in picture.curves:
        (line,) = axes.plot(curve.x, curve.upper, label=label or curve.name)
        axes.fill_between(curve.x, curve.lower, curve.upper, color=line.get_color(), alpha=0.3)
    axes.set(
        xlabel=picture.x[0],
        ylabel=picture.y[0],
        xscale="log" if picture.x[1] else "linear",
        yscale="log" if picture.y[1] else "linear",
    )
    axes.legend()
    return axes


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot  # type: ignore[import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('drawings need matplotlib: pip install "hockeystick[plot]"') from missing
    return pyplot.subplots()[1]
