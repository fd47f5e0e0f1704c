"""Drawings with matplotlib, an optional extra: ``pip install "hockeystick[plot]"``.

Every function draws on the axes given, or on new ones, and returns them; the band of a line contains the truth. Without
matplotlib, :mod:`hockeystick.curves` gives the same curves as numbers and as SVG.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import curves

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes  # type: ignore[import-not-found, unused-ignore]
    from numpy.typing import NDArray

    from .arguments import Numbers
    from .curves import Curve, Picture
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
    """Draws the least false negative rate of any attack over its false positive rate; the largest true positive rate, on logarithmic
    axes, if all rates asked for are above 0 and the smallest is below 10⁻².
    """
    return _draw(curves.tradeoff(mechanism, fpr, relation), ax, label)


def losses(
    mechanism: Mechanism,
    at: Numbers | None = None,
    *,
    relation: Relation = "add-remove",
    ax: Axes | None = None,
) -> Axes:
    """Draws the distribution of the privacy loss, with the record and without it: single losses as stems, the others by their density.
    With ``at``, how likely losses above these numbers are.
    """
    if at is None:
        return _draw(curves.loss_distribution(mechanism, relation), ax, None)
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
    span = _span(picture, axes)
    right = axes.twinx() if picture.right else axes
    for curve in picture.curves:
        if curve.look == "stems":
            _stems(right if curve.is_right else axes, curve, label or curve.name)
        else:
            _line(axes, curve, label or curve.name, picture.y[1])
    axes.set(
        xlabel=picture.x[0],
        ylabel=picture.y[0],
        xscale="log" if picture.x[1] else "linear",
        yscale="log" if picture.y[1] else "linear",
    )
    if span:
        axes.set_ylim(*span)
    handles, names = axes.get_legend_handles_labels()
    if picture.right:
        right.set_ylabel(picture.right[0])
        more, others = right.get_legend_handles_labels()
        handles, names = handles + more, names + others
    axes.legend(handles, names)
    return axes


def _line(axes: Axes, curve: Curve, name: str, is_logarithmic: bool) -> None:
    """A line over its band, with gaps where a value is not known, or cannot be shown."""
    import numpy as np

    x, lower, upper = curve.outline()
    shown = np.where(upper > 0.0, upper, np.nan) if is_logarithmic else upper
    (line,) = axes.plot(x, shown, label=name, marker=None if _connects(shown) else ".")
    axes.fill_between(x, lower, shown, color=line.get_color(), alpha=0.3)
    known = shown[np.isfinite(shown)]
    if known.size:
        # What cannot be shown is a gap on the axis, not its end.
        axes.update_datalim([(x.min(), known[0]), (x.max(), known[0])])
        axes.autoscale_view()
    if curve.look == "levels":
        axes.set_ylim(bottom=0.0)


def _stems(axes: Axes, curve: Curve, name: str) -> None:
    """A thin line up to every value; those of both laws stand beside each other."""
    from matplotlib.transforms import ScaledTranslation  # type: ignore[import-not-found, unused-ignore]

    number = sum(line.get_marker() == "o" for line in axes.lines) % 2
    aside = (2 * number - 1) * _ASIDE / _POINTS_PER_INCH
    beside = axes.transData + ScaledTranslation(aside, 0.0, axes.figure.dpi_scale_trans)
    colour = f"C{number}"
    axes.vlines(curve.x, 0.0, curve.upper, color=colour, linewidth=1.0, transform=beside)
    axes.plot(curve.x, curve.upper, linestyle="none", marker="o", markersize=4, color=colour, label=name, transform=beside)
    if curve.x.size:
        # Axes do not grow with what stands aside of its place.
        before = axes.get_ylim()[1] if number else 0.0
        axes.update_datalim([(x, 0.0) for x in curve.x])
        axes.autoscale_view(scaley=False)
        axes.set_ylim(0.0, max(before, _ABOVE * float(curve.upper.max())))


# The room above the longest stem.
_ABOVE = 1.05
# Half of the distance of stems at the same place, in points.
_ASIDE = 2.0
_POINTS_PER_INCH = 72.0


def _connects(values: NDArray[np.float64]) -> bool:
    """Is every known value beside another one? Where a value is alone, a line does not show it."""
    import numpy as np

    known = np.isfinite(values)
    beside = np.concatenate(([False], known[:-1])) | np.concatenate((known[1:], [False]))
    return bool((~known | beside).all())


def _span(picture: Picture, axes: Axes) -> tuple[float, float] | None:
    """The ends of a logarithmic axis: those of values that are known not to be 0. Lower ends far below say only that a value is small."""
    import numpy as np

    if not picture.y[1]:
        return None
    lower, upper = (np.concatenate([getattr(curve, end) for curve in picture.curves]) for end in ("lower", "upper"))
    shown = np.isfinite(upper) & (upper > 0.0)
    known = upper[shown & (lower > 0.0)]
    values = known if known.size else upper[shown]
    if not values.size:
        return None
    least = values.min()
    near = lower[np.isfinite(lower) & (lower >= _FARTHEST * least)]
    low, high = min(least, *near) / _ROOM, max(upper[shown]) * _ROOM
    if axes.lines and axes.get_yscale() == "log":
        before = axes.get_ylim()
        return min(low, before[0]), max(high, before[1])
    return low, high


# Lower ends below this part of the smallest value do not make an axis longer.
_FARTHEST = 1e-3
# The room at the ends of a logarithmic axis.
_ROOM = 1.5


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot  # type: ignore[import-not-found, unused-ignore]
    except ImportError as missing:
        raise ImportError('drawings need matplotlib: pip install "hockeystick[plot]"') from missing
    return pyplot.subplots()[1]
