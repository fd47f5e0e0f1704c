"""Times many questions: 10⁵ different DP-SGD questions, 2,000 calibrations, trade-off curves of 10⁵ points.

Times are meant for two cores with nothing else to do. The user time, in brackets, says what it costs them.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import hockeystick as hs
import numpy as np

STEP = "poisson(gaussian(sigma={sigma}), rate={rate}) * {steps}"
WANTED = "poisson(gaussian(sigma=?), rate={rate}) * {steps}"
CURVES = ["gaussian(sigma=1)", "poisson(gaussian(sigma=1), rate=0.01) * 1000", "discrete_gaussian(sigma=3) * 5"]


def timed(name: str, goal: float, part: int, work: Callable[[], str]) -> None:
    """Prints how long some work took, beside what it should take."""
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_utime, time.perf_counter()
    found = work()
    seconds, user = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    print(f"{name:45} {seconds:7.2f} s ({user:.2f} s), at most {goal / part:g} s    {found}", flush=True)


def columns(rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    """Ordinary training runs."""
    return {
        "sigma": np.exp(rng.uniform(np.log(0.5), np.log(8.0), count)),
        "rate": np.exp(rng.uniform(np.log(1e-4), np.log(0.05), count)),
        "steps": np.exp(rng.uniform(np.log(100), np.log(1e5), count)).round(),
        "delta": np.exp(rng.uniform(np.log(1e-8), np.log(1e-4), count)),
        "epsilon": np.exp(rng.uniform(np.log(0.5), np.log(10.0), count)),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", type=int, default=1, help="ask an N-th of the questions")
    part = options.parse_args().part
    rng = np.random.default_rng(7)

    def training() -> str:
        runs = columns(rng, 100_000 // part)
        spent = hs.epsilon(STEP, runs["delta"], columns=runs)
        width = (spent.upper - spent.lower) / spent.upper
        return f"{len(spent)} answers, {len(spent.errors)} errors, {np.mean(width <= 1e-9):.2%} to 1e-9"

    def calibrations() -> str:
        runs = columns(rng, 2_000 // part)
        found = hs.calibrate_many(WANTED, epsilon=runs["epsilon"], delta=runs["delta"], columns=runs)
        return f"{np.isfinite(found.value).sum()} of {len(found)} found"

    def curve(text: str) -> Callable[[], str]:
        def read() -> str:
            missed = hs.tradeoff(text, np.linspace(0.0, 1.0, 100_000 // part))
            return f"widest {np.max(missed.upper - missed.lower):.1e}"

        return read

    timed("different DP-SGD questions", 10.0, part, training)
    timed("calibrations", 5.0, part, calibrations)
    for text in CURVES:
        timed(f"trade-off of {text:.32}", 1.0, part, curve(text))


if __name__ == "__main__":
    main()
