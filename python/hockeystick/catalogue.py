"""Every mechanism that has a name, as a class. Parameters and their checks are those of the engine's catalogue."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from .arguments import number
from .mechanism import Mechanism, Parameter

if TYPE_CHECKING:
    from .arguments import Numbers


class Gaussian(Mechanism, name="gaussian"):
    """Gaussian noise on a real answer: N(s, σ²) against N(0, σ²), ``s`` the sensitivity in the Euclidean norm.

    >>> Gaussian(2.0, sensitivity=0.5)
    parse("gaussian(sigma=2, sensitivity=0.5)")
    """

    __slots__ = ()
    sigma = Parameter[float]()
    sensitivity = Parameter[float]()

    def __init__(self, sigma: float, sensitivity: float = 1.0) -> None:
        self._build(sigma=sigma, sensitivity=sensitivity)


class Laplace(Mechanism, name="laplace"):
    """Laplace noise on a real answer.

    >>> Laplace(5.0)
    parse("laplace(scale=5)")
    """

    __slots__ = ()
    scale = Parameter[float]()
    sensitivity = Parameter[float]()

    def __init__(self, scale: float, sensitivity: float = 1.0) -> None:
        self._build(scale=scale, sensitivity=sensitivity)


class DiscreteGaussian(Mechanism, name="discrete_gaussian"):
    """Gaussian noise on the integers.

    >>> DiscreteGaussian(3.0)
    parse("discrete_gaussian(sigma=3)")
    """

    __slots__ = ()
    sigma = Parameter[float]()
    sensitivity = Parameter[int]()

    def __init__(self, sigma: float, sensitivity: int = 1) -> None:
        self._build(sigma=sigma, sensitivity=sensitivity)


class DiscreteLaplace(Mechanism, name="discrete_laplace"):
    """Laplace (two-sided geometric) noise on the integers.

    >>> DiscreteLaplace(3.0)
    parse("discrete_laplace(scale=3)")
    """

    __slots__ = ()
    scale = Parameter[float]()
    sensitivity = Parameter[int]()

    def __init__(self, scale: float, sensitivity: int = 1) -> None:
        self._build(scale=scale, sensitivity=sensitivity)


class RandomizedResponse(Mechanism, name="randomized_response"):
    """A yes or no that is truthful with probability ``p``, or with odds e^``epsilon``. Give one of them.

    >>> RandomizedResponse(epsilon=0.1)
    parse("randomized_response(epsilon=0.1)")
    """

    __slots__ = ()
    p = Parameter[float | None]()

    def __init__(self, p: float | None = None, *, epsilon: float | None = None) -> None:
        self._build(p=p, epsilon=epsilon)


class KRandomizedResponse(Mechanism, name="k_randomized_response"):
    """One of k categories that is sometimes replaced by another.

    >>> KRandomizedResponse(categories=4, epsilon=1.0)
    parse("k_randomized_response(categories=4, epsilon=1)")
    """

    __slots__ = ()
    categories = Parameter[int]()

    def __init__(self, categories: int, epsilon: float) -> None:
        self._build(categories=categories, epsilon=epsilon)


class ApproximateDp(Mechanism, name="dp"):
    """Any (ε, δ)-differentially private mechanism.

    >>> ApproximateDp(0.5, delta=1e-6)
    parse("dp(epsilon=0.5, delta=1e-6)")
    """

    __slots__ = ()

    def __init__(self, epsilon: float, delta: float = 0.0) -> None:
        self._build(epsilon=epsilon, delta=delta)


class Exponential(Mechanism, name="exponential"):
    """The exponential mechanism of bounded range ``epsilon``, or for a counting query that counts ``m`` of ``n`` records.

    >>> Exponential(0.5)
    parse("exponential(epsilon=0.5)")
    """

    __slots__ = ()
    epsilon_tilde = Parameter[float | None]()
    n = Parameter[int | None]()
    m = Parameter[int | None]()

    def __init__(self, epsilon: float | None = None, *, epsilon_tilde: float | None = None, n: int | None = None, m: int | None = None) -> None:
        self._build(epsilon=epsilon, epsilon_tilde=epsilon_tilde, n=n, m=m)


class ReportNoisyMax(Mechanism, name="report_noisy_max"):
    """The largest of several noisy scores.

    >>> ReportNoisyMax(0.5)
    parse("report_noisy_max(epsilon=0.5)")
    """

    __slots__ = ()

    def __init__(self, epsilon: float) -> None:
        self._build(epsilon=epsilon)


class PermuteAndFlip(Mechanism, name="permute_and_flip"):
    """The permute-and-flip mechanism.

    >>> PermuteAndFlip(0.5)
    parse("permute_and_flip(epsilon=0.5)")
    """

    __slots__ = ()

    def __init__(self, epsilon: float) -> None:
        self._build(epsilon=epsilon)


class SparseVector(Mechanism, name="sparse_vector"):
    """The sparse vector technique.

    >>> SparseVector(0.5)
    parse("sparse_vector(epsilon=0.5)")
    """

    __slots__ = ()

    def __init__(self, epsilon: float) -> None:
        self._build(epsilon=epsilon)


class Binomial(Mechanism, name="binomial"):
    """Binomial noise on the integers.

    >>> Binomial(1000)
    parse("binomial(n=1000)")
    """

    __slots__ = ()
    n = Parameter[int]()
    p = Parameter[float]()
    sensitivity = Parameter[int]()
    dimension = Parameter[int]()

    def __init__(self, n: int, p: float = 0.5, sensitivity: int = 1, dimension: int = 1) -> None:
        self._build(n=n, p=p, sensitivity=sensitivity, dimension=dimension)


class Skellam(Mechanism, name="skellam"):
    """The difference of two Poisson numbers, as noise on the integers. ``variance`` is the sum of both means.

    >>> Skellam(4.0)
    parse("skellam(variance=4)")
    """

    __slots__ = ()
    variance = Parameter[float]()
    sensitivity = Parameter[int]()

    def __init__(self, variance: float, sensitivity: int = 1) -> None:
        self._build(variance=variance, sensitivity=sensitivity)


class Tree(Mechanism, name="tree"):
    """Running sums of ``steps`` numbers, published with Gaussian noise on a binary tree; a record changes one step.

    >>> Tree(5.0, steps=1000)
    parse("tree(sigma=5, steps=1000)")
    """

    __slots__ = ()
    sigma = Parameter[float]()
    steps = Parameter[int]()
    sensitivity = Parameter[float]()

    def __init__(self, sigma: float, steps: int, sensitivity: float = 1.0) -> None:
        self._build(sigma=sigma, steps=steps, sensitivity=sensitivity)


class TruncatedGaussian(Mechanism, name="truncated_gaussian"):
    """Gaussian noise conditioned on [−bound, bound].

    >>> TruncatedGaussian(2.0, bound=8.0)
    parse("truncated_gaussian(sigma=2, bound=8)")
    """

    __slots__ = ()
    sigma = Parameter[float]()
    bound = Parameter[float]()
    sensitivity = Parameter[float]()

    def __init__(self, sigma: float, bound: float, sensitivity: float = 1.0) -> None:
        self._build(sigma=sigma, bound=bound, sensitivity=sensitivity)


class TruncatedLaplace(Mechanism, name="truncated_laplace"):
    """Laplace noise conditioned on [−bound, bound].

    >>> TruncatedLaplace(2.0, bound=8.0)
    parse("truncated_laplace(scale=2, bound=8)")
    """

    __slots__ = ()
    scale = Parameter[float]()
    bound = Parameter[float]()
    sensitivity = Parameter[float]()

    def __init__(self, scale: float, bound: float, sensitivity: float = 1.0) -> None:
        self._build(scale=scale, bound=bound, sensitivity=sensitivity)


class Uniform(Mechanism, name="uniform"):
    """Uniform noise.

    >>> Uniform(10.0)
    parse("uniform(width=10)")
    """

    __slots__ = ()
    width = Parameter[float]()
    sensitivity = Parameter[float]()

    def __init__(self, width: float, sensitivity: float = 1.0) -> None:
        self._build(width=width, sensitivity=sensitivity)


class Staircase(Mechanism, name="staircase"):
    """Staircase noise, with steps as long as the sensitivity: the density falls by e^−``epsilon`` at ``gamma``, 1 + ``gamma``, ….

    >>> Staircase(1.0, gamma=0.4)
    parse("staircase(epsilon=1, gamma=0.4)")
    """

    __slots__ = ()
    gamma = Parameter[float]()

    def __init__(self, epsilon: float, gamma: float) -> None:
        self._build(epsilon=epsilon, gamma=gamma)


class GaussianMixture(Mechanism, name="gaussian_mixture"):
    """Gaussian noise on a sum that moves by ``shifts[i]`` with probability ``weights[i]``.

    >>> GaussianMixture(1.0, [0, 1], [0.9, 0.1])
    parse("gaussian_mixture(sigma=1, shifts=\\"0,1\\", weights=\\"0.9,0.1\\")")
    """

    __slots__ = ()
    sigma = Parameter[float]()
    shifts = Parameter[list[float]]()
    weights = Parameter[list[float]]()

    def __init__(self, sigma: float, shifts: Numbers, weights: Numbers) -> None:
        self._build(sigma=sigma, shifts=_list(shifts, "shifts"), weights=_list(weights, "weights"))


class GaussianVariance(Mechanism, name="gaussian_variance"):
    """Gaussian noise whose variance depends on the data.

    >>> GaussianVariance(1.0, 1.5)
    parse("gaussian_variance(sigma1=1, sigma2=1.5)")
    """

    __slots__ = ()
    sigma1 = Parameter[float]()
    sigma2 = Parameter[float]()

    def __init__(self, sigma1: float, sigma2: float) -> None:
        self._build(sigma1=sigma1, sigma2=sigma2)


class Stability(Mechanism, name="stability"):
    """Release by noisy distance to instability.

    >>> Stability(0.5, 1e-6)
    parse("stability(epsilon=0.5, delta=1e-6)")
    """

    __slots__ = ()

    def __init__(self, epsilon: float, delta: float) -> None:
        self._build(epsilon=epsilon, delta=delta)


class Zcdp(Mechanism, name="zcdp"):
    """Any ρ-zCDP mechanism.

    >>> Zcdp(0.1)
    parse("zcdp(rho=0.1)")
    """

    __slots__ = ()
    rho = Parameter[float]()

    def __init__(self, rho: float) -> None:
        self._build(rho=rho)


class Gdp(Mechanism, name="gdp"):
    """Any μ-GDP mechanism.

    >>> Gdp(0.5)
    parse("gdp(mu=0.5)")
    """

    __slots__ = ()
    mu = Parameter[float]()

    def __init__(self, mu: float) -> None:
        self._build(mu=mu)


class _Listed(Mechanism):
    """What is given by lists, or by a file of them."""

    __slots__ = ()

    def _of_lists(self, file: str | os.PathLike[str] | None, **lists: Numbers | None) -> None:
        given = {name: _list(numbers, name) for name, numbers in lists.items()}
        self._build(**given, file=None if file is None else os.fspath(file))
        if file is None:
            # Lists are refused where they are given, and not at the first question. A file may still be written.
            self.delta(1.0, relation="remove")


def _list(numbers: Numbers | None, name: str) -> object:
    if numbers is None or isinstance(numbers, (str, bytes)):
        return numbers
    kind = getattr(getattr(numbers, "dtype", None), "kind", "O")
    tolist = getattr(numbers, "tolist", None)
    if kind in "fiu" and tolist is not None:
        return tolist()
    return [number(entry, name) for entry in numbers]


class Renyi(_Listed, name="renyi"):
    """Any mechanism known by bounds of its Rényi divergences: that of order ``orders[i]`` is at most ``divergences[i]``.

    >>> Renyi([2.0, 4.0], [0.1, 0.2])
    parse("renyi(orders=\\"2,4\\", divergences=\\"0.1,0.2\\")")
    """

    __slots__ = ()
    orders = Parameter[list[float] | None]()
    divergences = Parameter[list[float] | None]()
    file = Parameter[str | None]()

    def __init__(
        self,
        orders: Numbers | None = None,
        divergences: Numbers | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
    ) -> None:
        self._of_lists(file, orders=orders, divergences=divergences)


class Pair(_Listed, name="pair"):
    """A dominating pair given by its probabilities: outcome ``i`` has probability ``p[i]`` under P and ``q[i]`` under Q.

    P is the output with the record and Q the one without it. Each must add up to 1 within 10⁻⁹.

    >>> coin = Pair([0.75, 0.25], [0.25, 0.75])
    >>> coin
    parse("pair(p=\\"0.75,0.25\\", q=\\"0.25,0.75\\")")
    >>> (coin * 10).epsilon(1e-3).method
    'closed-form'
    """

    __slots__ = ()
    p = Parameter[list[float] | None]()
    q = Parameter[list[float] | None]()
    file = Parameter[str | None]()

    def __init__(
        self,
        p: Numbers | None = None,
        q: Numbers | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
    ) -> None:
        self._of_lists(file, p=p, q=q)


class Profile(_Listed, name="profile"):
    """Any mechanism known by its privacy profile: δ is at most ``deltas[i]`` at ``epsilons[i]``.

    >>> known = Profile([0.0, 1.0], [0.3, 0.01])
    >>> known.epsilon(0.01).upper <= 1.0
    True
    """

    __slots__ = ()
    epsilons = Parameter[list[float] | None]()
    deltas = Parameter[list[float] | None]()
    file = Parameter[str | None]()

    def __init__(
        self,
        epsilons: Numbers | None = None,
        deltas: Numbers | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
    ) -> None:
        self._of_lists(file, epsilons=epsilons, deltas=deltas)

    @classmethod
    def of(cls, delta: Callable[[float], float], epsilons: Iterable[float] | None = None) -> Profile:
        """The mechanism whose δ at each of ``epsilons`` is at most ``delta(epsilon)``.

        The function is called at those points alone, and whatever its values leave open is taken as badly as it can be: answers
        hold for every mechanism that keeps to the bounds. Finer points give tighter answers. By default there are 513
        of them, from 0 to 64, closer together near 0.

        >>> import math
        >>> pure = Profile.of(lambda epsilon: max(0.0, 1 - math.exp(epsilon - 1)))
        >>> 0.99 < pure.epsilon(1e-9).upper < 1.01
        True
        """
        points = [64.0 * (i / 512) ** 2 for i in range(513)] if epsilons is None else [number(x, "epsilons") for x in epsilons]
        return cls(points, [number(delta(epsilon), "delta") for epsilon in points])
