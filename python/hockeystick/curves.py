"""The curves that are drawn, as numbers: for matplotlib and for notebooks alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from . import _engine
from .arguments import numbers, whole
from .attack import tradeoff as _tradeoff
from .losses import losses as _losses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .arguments import Numbers
    from .losses import Losses
    from .mechanism import Mechanism, Relation

Look: TypeAlias = Literal["line", "falling", "levels", "stems"]

# Points of a curve.
_POINTS = 200
# Points of a curve that needs a composition for each.
_COMPOSITIONS = 40


class Curve(NamedTuple):
    """A line with the band that contains the truth. Where an end is not a number there is a gap."""

    name: str
    x: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    look: Look = "line"
    """How it is drawn; ``falling`` if no value is above one before, ``levels`` up to the next place, ``stems`` for single places."""
    is_right: bool = False
    """Is it measured along the axis on the right?"""

    def outline(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Places, lower and upper ends of the lines through them: stairs, unless it is a line.

        >>> import numpy as np
        >>> x, lower, upper = Curve("", np.arange(3.0), np.array([2.0, 1.0, 0.0]), np.array([3.0, 2.0, 1.0]), "falling").outline()
        >>> x.tolist(), lower.tolist(), upper.tolist()
        ([0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 0.0, 0.0], [3.0, 3.0, 2.0, 2.0])
        """
        if self.look not in ("falling", "levels") or len(self.x) < 2:
            return self.x, self.lower, self.upper
        # Between two places a falling curve is between the values at both.
        lower = self.lower[1:] if self.look == "falling" else self.lower[:-1]
        return self.x.repeat(2)[1:-1], lower.repeat(2), self.upper[:-1].repeat(2)


class Picture(NamedTuple):
    """Curves on two axes, each with its label and whether it is logarithmic, and on a third, on the right, if there is one."""

    x: tuple[str, bool]
    y: tuple[str, bool]
    curves: tuple[Curve, ...]
    right: tuple[str, bool] | None = None

    def svg(self, title: str = "") -> str:
        """As a drawing that needs no other package.

        >>> import hockeystick as hs
        >>> profile(hs.Gaussian(1.0)).svg().startswith("<svg")
        True
        """
        series = []
        for curve in self.curves:
            points = list(zip(*(column.tolist() for column in curve.outline())))
            series.append((curve.name, points, curve.look == "stems", curve.is_right))
        return _engine.chart(title, self.x, self.y, self.right, series)

    def _repr_html_(self) -> str:
        return self.svg()


def profile(
    mechanism: Mechanism, epsilons: Numbers | None = None, relation: Relation = "add-remove"
) -> Picture:
    """δ over ε; by default from ε = 0 to where δ is about 10⁻¹⁰.

    >>> import hockeystick as hs
    >>> curve = profile(hs.Gaussian(1.0)).curves[0]
    >>> bool((curve.lower <= curve.upper).all()), len(curve.x)
    (True, 200)
    """
    import numpy as np

    if epsilons is None:
        found = _engine.interesting(mechanism._expression, _POINTS, relation)[0]
        points = np.frombuffer(found, dtype=np.float64)
    else:
        points = numbers(epsilons, "epsilons")
    answers = mechanism.delta(points, relation=relation)
    return Picture(("ε", False), ("δ", True), (_curve(str(mechanism), answers.given, answers.lower, answers.upper),))


def tradeoff(
    mechanism: Mechanism, fpr: Numbers | None = None, relation: Relation = "add-remove"
) -> Picture:
    """The least false negative rate of any attack over its false positive rate. If all rates asked for are above 0 and the smallest is
    below 10⁻², the largest true positive rate, on logarithmic axes: where there are few false alarms an attack misses nearly all.

    >>> import hockeystick as hs
    >>> tradeoff(hs.Gaussian(1.0), [1e-6, 1e-3, 1.0]).y
    ('true positive rate', True)
    """
    import numpy as np

    rates = np.linspace(0.0, 1.0, _POINTS) if fpr is None else numbers(fpr, "fpr")
    answers = _tradeoff(mechanism, rates, relation=relation)
    curve = _curve(str(mechanism), answers.given, answers.lower, answers.upper)
    if _are_few(curve.x):
        return _detections(mechanism, curve.x, relation)
    return Picture(("false positive rate", False), ("false negative rate", False), (curve,))


def losses(
    mechanism: Mechanism, at: Numbers | None = None, relation: Relation = "add-remove"
) -> Picture:
    """The chances of a privacy loss above a number, with the record and without it."""
    return losses_picture(_losses(mechanism, at, relation=relation))


def losses_picture(tails: Losses) -> Picture:
    """What :func:`hockeystick.losses` found."""
    curves = (
        _curve("with the record", tails.at, tails.present.lower, tails.present.upper),
        _curve("without it", tails.at, tails.absent.lower, tails.absent.upper),
    )
    falling = tuple(curve._replace(look="falling") for curve in curves)
    return Picture(("privacy loss", False), ("probability of a larger one", False), falling)


def steps(step: Mechanism, count: int, delta: float, relation: Relation = "add-remove") -> Picture:
    """ε over the number of steps, up to ``count``.

    >>> import hockeystick as hs
    >>> spent = steps(hs.Gaussian(4.0), 10, 1e-6).curves[0]
    >>> spent.x.tolist()[-1], bool((spent.upper[1:] > spent.upper[:-1]).all())
    (10.0, True)
    """
    import numpy as np

    uses = np.unique(np.linspace(1, whole(count, "count", least=1), _COMPOSITIONS).round().astype(np.int64))
    answers = [(step * int(number)).epsilon(delta, relation=relation) for number in uses]
    upper = np.array([answer.upper for answer in answers])
    lower = np.array([np.nan if answer.lower is None else answer.lower for answer in answers])
    curve = _curve(str(step), uses.astype(np.float64), lower, upper)
    return Picture(("steps", False), (f"ε at δ = {delta:g}", False), (curve,))


def _curve(
    name: str, x: NDArray[np.float64], lower: NDArray[np.float64], upper: NDArray[np.float64]
) -> Curve:
    """Without a lower end there is no band."""
    import numpy as np

    return Curve(name, x, np.where(np.isnan(lower), upper, lower), upper)


# Charts of false positive rates below this are logarithmic.
_FEW = 1e-2


def _are_few(rates: NDArray[np.float64]) -> bool:
    """Are there rates so small that only logarithmic axes tell them apart, and none that these cannot show?"""
    return bool(rates.size > 0 and rates.min() > 0.0 and rates.min() < _FEW)


def _detections(mechanism: Mechanism, rates: NDArray[np.float64], relation: Relation) -> Picture:
    """The largest true positive rate over the false positive rate, on logarithmic axes."""
    import numpy as np

    given = np.ascontiguousarray(rates, dtype=np.float64)
    found = _engine.true_positive_rates(mechanism._expression, given.tobytes(), relation, "auto", None)
    lower, upper = (np.frombuffer(end, dtype=np.float64) for end in found[:2])
    curve = _curve(str(mechanism), given.ravel(), lower, upper)
    return Picture(("false positive rate", True), ("true positive rate", True), (curve,))


# Bins of a distribution.
_BINS = 101


def loss_distribution(mechanism: Mechanism, relation: Relation = "add-remove") -> Picture:
    """The distribution of the privacy loss, with the record and without it: losses that have a probability of their own as stems, the
    others in bins, by their density if they have one.

    >>> import hockeystick as hs
    >>> loss_distribution(hs.RandomizedResponse(0.75)).curves[0].x.round(9).tolist()
    [-1.098612289, 1.098612289]
    >>> loss_distribution(hs.Laplace(1.0)).right
    ('probability of a single loss', False)
    """
    import numpy as np

    measure, singles, bins, beyond = _engine.loss_shape(mechanism._expression, _BINS, relation)
    losses, *chances = (np.frombuffer(column, dtype=np.float64) for column in singles)
    starts, ends, *heights = (np.frombuffer(column, dtype=np.float64) for column in bins)
    laws = ("with the record", "with another in its place" if relation == "replace" else "without it")
    names = [
        name + (f", {mass:.3f} of it at {place} losses" if mass >= _UNSEEN else "")
        for name, mass, place in zip(laws, beyond, ("larger", "smaller"))
    ]
    if not starts.size:
        return Picture(_LOSS, (measure, False), tuple(_sides(names, losses, chances, "stems")))
    # A gap wherever no bin follows.
    is_last = np.append(ends[:-1] != starts[1:], True)
    after = np.flatnonzero(is_last) + 1
    x = np.insert(starts, after, ends[is_last])
    levels = [np.insert(height, after, np.nan) for height in heights]
    bars = _sides(names, x, levels, "levels")
    if not losses.size:
        return Picture(_LOSS, (measure, False), tuple(bars))
    single = [f"{law}: single losses" for law in laws]
    stems = [curve._replace(is_right=True) for curve in _sides(single, losses, chances, "stems")]
    return Picture(_LOSS, (measure, False), (*bars, *stems), ("probability of a single loss", False))


def _sides(
    names: list[str], x: NDArray[np.float64], ends: list[NDArray[np.float64]], look: Look
) -> list[Curve]:
    """A curve with the record and one without it, of lower and upper ends in this order."""
    return [Curve(name, x, ends[2 * side], ends[2 * side + 1], look) for side, name in enumerate(names)]


_LOSS = ("privacy loss", False)
# Less mass than this beyond the ends of a chart is not worth a word.
_UNSEEN = 1e-3
