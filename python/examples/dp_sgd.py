"""Logistic regression by DP-SGD in plain numpy, with an accountant that is asked after every step.

Each example's gradient is clipped, the batch is a Poisson sample, and noise is added to the sum. Training stops before the step
that would exceed the budget.
"""

from __future__ import annotations

import hockeystick as hs
import numpy as np

EXAMPLES, FEATURES = 2000, 5
RATE, NOISE, CLIP, LEARNING_RATE = 0.05, 1.5, 1.0, 0.5
DELTA, BUDGET, MOST_STEPS = 1e-5, 2.0, 400


def data(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that a plane separates, mostly."""
    truth = rng.normal(size=FEATURES)
    inputs = rng.normal(size=(EXAMPLES, FEATURES))
    labels = (inputs @ truth + 0.3 * rng.normal(size=EXAMPLES) > 0).astype(float)
    return inputs, labels


def noisy_gradient(
    weights: np.ndarray, inputs: np.ndarray, labels: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The sum of clipped gradients of a Poisson sample, with noise, per expected example."""
    sample = rng.random(EXAMPLES) < RATE
    residuals = 1 / (1 + np.exp(-inputs[sample] @ weights)) - labels[sample]
    gradients = residuals[:, None] * inputs[sample]
    norms = np.linalg.norm(gradients, axis=1, keepdims=True)
    clipped = gradients / np.maximum(1.0, norms / CLIP)
    noise = rng.normal(scale=NOISE * CLIP, size=FEATURES)
    return (clipped.sum(axis=0) + noise) / (RATE * EXAMPLES)


def train(seed: int = 0) -> tuple[float, hs.Accountant]:
    """Trains until the budget is spent; returns the accuracy and the account."""
    rng = np.random.default_rng(seed)
    inputs, labels = data(rng)
    weights = np.zeros(FEATURES)
    accountant = hs.Accountant()
    step = hs.Gaussian(NOISE).poisson(RATE)
    for _ in range(MOST_STEPS):
        # Ask before spending.
        planned = hs.Accountant()
        planned.load_state_dict(accountant.state_dict())
        planned.step(step)
        if planned.epsilon(DELTA).upper > BUDGET:
            break
        weights -= LEARNING_RATE * noisy_gradient(weights, inputs, labels, rng)
        accountant = planned
    accuracy = float(np.mean((inputs @ weights > 0) == (labels > 0.5)))
    return accuracy, accountant


if __name__ == "__main__":
    accuracy, accountant = train()
    print(f"accuracy {accuracy:.3f} after {accountant.steps} steps; {accountant.epsilon(DELTA)}")
