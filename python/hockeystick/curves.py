"""The curves that are drawn, as numbers: for matplotlib and for notebooks alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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

# Points of a curve.
_POINTS = 200
# Points of a curve that needs a composition for each.
_COMPOSITIONS = 40


class Curve(NamedTuple):
    """A line with the band that contains the truth."""

    name: str
    x: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


class Picture(NamedTuple):
    """Curves on two axes, each with its label and whether it is logarithmic."""

    x: tuple[str, bool]
    y: tuple[str, bool]
    curves: tuple[Curve, ...]

    def svg(self, title: str = "") -> str:
        """As a drawing that needs no other package.

        >>> import hockeystick as hs
        >>> profile(hs.Gaussian(1.0)).svg().startswith("<svg")
        True
        """
        series = []
        for curve in self.curves:
            points = [
                (x, low if low > 0 or not self.y[1] else high, high)
                for x, low, high in zip(curve.x.tolist(), curve.lower.tolist(), curve.upper.tolist())
                if high > 0 or not self.y[1]
            ]
            series.append((curve.name, points))
        return _engine.chart(title, self.x, self.y, series)

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
    """The least false negative rate of any attack over its false positive rate."""
    import numpy as np

    rates = np.linspace(0.0, 1.0, _POINTS) if fpr is None else numbers(fpr, "fpr")
    answers = _tradeoff(mechanism, rates, relation=relation)
    curve = _curve(str(mechanism), answers.given, answers.lower, answers.upper)
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
    return Picture(("privacy loss", False), ("probability of a larger one", False), curves)


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
