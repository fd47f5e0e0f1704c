"""riskcal on the objects of dp_accounting and on ours: ours give a bound of the truth, and at least as tight a one.

riskcal is not changed. It is given privacy loss distributions, and asked for trade-off curves, advantages and Bayes risks. The
truth is the certified trade-off curve: no answer on our objects may be on its unsafe side.
"""

from __future__ import annotations

import sys

import numpy as np
from dp_accounting.pld import privacy_loss_distribution as theirs
from riskcal.analysis import get_advantage_from_pld, get_beta_from_pld, get_bayes_risk_from_pld

import hockeystick as hs
from hockeystick.compat.dp_accounting.pld import privacy_loss_distribution as ours

RATES = np.array([0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.9])
# The masses on a grid are doubles: sums of them are off in their last digits.
ROUNDING = 1e-12
TIGHT = 1e-6
CASES = [
    ("gaussian, once", {"standard_deviation": 1.0}, 1),
    ("gaussian, 100 times", {"standard_deviation": 10.0}, 100),
    ("dp-sgd, 100 steps", {"standard_deviation": 1.0, "sampling_prob": 0.01}, 100),
    ("dp-sgd, 1000 steps", {"standard_deviation": 1.0, "sampling_prob": 0.01}, 1000),
    ("dp-sgd, 10000 steps", {"standard_deviation": 0.8, "sampling_prob": 0.002}, 10_000),
]


def main() -> int:
    is_right = True
    for name, parameters, count in CASES:
        one = ours.from_gaussian_mechanism(**parameters).self_compose(count)
        other = theirs.from_gaussian_mechanism(**parameters).self_compose(count)
        truth = hs.tradeoff(one.mechanism, RATES)
        on_ours, on_theirs = (get_beta_from_pld(pld, alpha=RATES) for pld in (one, other))
        above = float(np.max(on_ours - truth.upper))
        below = float(np.max(truth.lower - on_ours))
        unsafe = float(np.max(on_theirs - truth.upper))
        advantage = get_advantage_from_pld(one) - hs.risk(one.mechanism).advantage.lower
        bayes = abs(get_bayes_risk_from_pld(one, 0.3) - get_bayes_risk_from_pld(other, 0.3))
        is_right = is_right and above <= ROUNDING and below <= TIGHT and -ROUNDING <= advantage <= TIGHT and bayes <= 1e-4
        print(
            f"riskcal, {name}: FNR on our objects is at most {max(0.0, below):.0e} below the truth and never above it; "
            f"on those of dp_accounting up to {max(0.0, unsafe):.0e} above it, which claims too much"
        )
    print("riskcal: as expected" if is_right else "riskcal: NOT as expected")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
