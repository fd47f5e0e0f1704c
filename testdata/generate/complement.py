"""Write testdata/composition/complement.csv: 1 − δ(ε) of compositions whose δ is above a half.

δ is computed to so many digits that its complement keeps twenty: in closed form for Gaussians, by
residues for Laplace mechanisms and atoms, from the definition for one use, by one integral for two uses
of a sampled Gaussian, else by two contours right of both poles (`compose/contour.py`), where the product
integrates left of one of them.
"""

import math

from flint import arb, ctx

import composition
import golden
import rare_losses
from composition import all_gaussian, exponential_type, gaussian, laplace, one_use
from compose import exact
from compose.contour import Contour
from compose.joined import JoinedUse
from compose.transform import Failed
from compose.uses import Use, expression, infinite
from pairs import laws

DIGITS = 20

#: ε as parts of the mean of the loss.
PARTS = (0.0, 0.13, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0)

SMALLEST, LARGEST = 1e-13, 0.6

#: As a multiple of what other generators spend on a row.
PATIENCE = 3


def mixture(sigma):
    shifts, weights = [0.0, 1.0, 2.5], [0.5, 0.375, 0.125]
    shown = laws.text(
        "gaussian_mixture", sigma=sigma, shifts=",".join(map(repr, shifts)), weights=",".join(map(repr, weights))
    )
    return shown, (lambda: laws.gaussian_mixture(sigma, shifts, weights)), False


def granted(epsilon, delta):
    return laws.made("dp", laws.approximate, True, epsilon=epsilon, delta=delta)


def response(epsilon):
    return laws.made("randomized_response", laws.response, True, epsilon=epsilon)


def truncated(sigma, bound):
    return laws.made("truncated_gaussian", laws.truncated_gaussian, True, sigma=sigma, bound=bound, sensitivity=1.0)


#: Compositions with their directions.
CASES = [
    ([Use(gaussian(0.15))], "remove"),
    ([Use(gaussian(4.0), 1.0, 3000)], "remove"),
    ([Use(gaussian(2.0), 1.0, 200), Use(gaussian(30.0), 1.0, 12345)], "add"),
    ([Use(gaussian(0.13), 0.95)], "remove"),
    ([Use(gaussian(0.13), 0.95)], "add"),
    ([Use(gaussian(0.21), 0.75, 2)], "remove"),
    ([Use(gaussian(0.21), 0.75, 2)], "add"),
    ([Use(gaussian(0.5), 0.5, 100)], "remove"),
    ([Use(gaussian(0.5), 0.5, 100)], "add"),
    ([Use(gaussian(1.0), 0.01, 1_000_000)], "remove"),
    ([Use(gaussian(1.0), 0.01, 1_000_000)], "add"),
    ([Use(gaussian(0.8), 0.2, 3000, "subset")], "remove"),
    ([JoinedUse(gaussian(1.5), 0.25, 2000)], "replace"),
    ([Use(laplace(0.5), 1.0, 60)], "remove"),
    ([Use(laplace(0.125), 1.0, 4)], "remove"),
    ([Use(laplace(0.5), 0.3, 700)], "remove"),
    ([Use(laplace(0.5), 0.3, 700)], "add"),
    ([Use(mixture(1.0), 1.0, 300)], "remove"),
    ([Use(mixture(1.0), 1.0, 300)], "add"),
    ([Use(truncated(1.5, 9.0), 1.0, 150), Use(granted(0.1, 0.01), 1.0, 40)], "remove"),
    ([Use(response(1.0), 1.0, 90)], "remove"),
    ([Use(response(0.3), 1.0, 40), Use(gaussian(0.4), 1.0, 3)], "remove"),
    ([Use(gaussian(0.7), 0.3, 900), Use(response(0.5), 1.0, 7), Use(laplace(3.0), 1.0, 11)], "remove"),
    ([Use(gaussian(0.7), 0.3, 900), Use(response(0.5), 1.0, 7), Use(laplace(3.0), 1.0, 11)], "add"),
]


def missing_of(uses, sign, epsilon, middle):
    """1 − δ, where the mean of the loss is `middle`."""
    joined = any(isinstance(use, JoinedUse) for use in uses)
    if all(use.gamma == 1 and use.base.startswith("gaussian(") for use in uses):
        delta = all_gaussian(uses, epsilon)
    elif not joined and len(uses) == 1 and uses[0].count == 1:
        delta = one_use(uses[0], sign, epsilon)
    elif not joined and all(exponential_type(use) or not use.build().parts for use in uses):
        delta = exact.residues(uses, sign, epsilon)
    elif not joined and len(uses) == 1 and uses[0].count == 2:
        ctx.prec = rare_losses.PRECISION
        law = (rare_losses.Remove if sign > 0 else rare_losses.Add)(
            float(uses[0].base.split("=")[1].rstrip(")")), uses[0].rate
        )
        delta = law.delta(epsilon)
    else:
        # Far left of the mean the saddle is so near to 0 that aliases are far away: right of it the line may be shorter.
        contour = Contour(uses, sign, PATIENCE)
        delta = contour.delta(epsilon, max(contour.saddle(epsilon), contour.saddle(middle)))
    ctx.prec = 400
    return 1 - arb(delta.mid())


def mean(uses, sign):
    return float(Contour(uses, sign).cumulant(1e-4)[1])


def rows():
    for uses, direction in CASES:
        sign = -1 if direction == "add" else 1
        ctx.prec = 200
        middle = mean(uses, sign)
        for part in PARTS:
            epsilon = float(f"{part * middle:.3g}")
            try:
                missing = missing_of(uses, sign, epsilon, middle)
            except Failed as failure:
                print(f"{expression(uses)} {direction} at {epsilon}: {failure}", flush=True)
                continue
            if not SMALLEST < missing < LARGEST:
                continue
            composition.DIGITS, old = DIGITS, composition.DIGITS
            shown = composition.decimal(missing)
            composition.DIGITS = old
            quoted = '"' + expression(uses).replace('"', '""') + '"'
            print(quoted, direction, epsilon, shown, flush=True)
            yield quoted, direction, epsilon, shown


if __name__ == "__main__":
    golden.DIGITS = DIGITS
    golden.write(
        "composition/complement",
        "1 − δ(ε) of compositions whose δ is above a half.",
        ("expression", "direction", "epsilon", "missing"),
        rows(),
        script="complement.py",
    )
