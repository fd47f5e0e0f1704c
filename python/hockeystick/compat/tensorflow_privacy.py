"""``compute_dp_sgd_privacy_statement`` of TensorFlow Privacy: the guarantee of a training in words.

One number only where the other project prints two: batches that are cut from shuffled data are not Poisson samples, and no ε
is printed for them; nor is there one for micro-batches, which do not bound the share of one example.
"""

from __future__ import annotations

import math

from ..arguments import number, size, steps_of, whole
from ..catalogue import Gaussian
from ..mechanism import Mechanism


def compute_dp_sgd_privacy_statement(
    number_of_examples: int,
    batch_size: int,
    num_epochs: float,
    noise_multiplier: float,
    delta: float,
    used_microbatching: bool = True,
    max_examples_per_user: int | None = None,
) -> str:
    """What a training by DP-SGD guarantees, and under which assumptions.

    >>> text = compute_dp_sgd_privacy_statement(60_000, 256, 3, 1.1, 1e-6, used_microbatching=False)
    >>> "ε ≤ 0.60228939" in text and "Poisson" in text
    True
    """
    number_of_examples = whole(number_of_examples, "number_of_examples", least=1)
    batch_size = whole(batch_size, "batch_size", least=1, most=number_of_examples)
    noise_multiplier = size(noise_multiplier, "noise_multiplier")
    delta = number(delta, "delta", above=0.0, most=math.nextafter(1.0, 0.0))
    if max_examples_per_user is not None:
        max_examples_per_user = whole(max_examples_per_user, "max_examples_per_user", least=1)
    # Epochs that end within a step are rounded up, and so is the share of a batch: both are less private.
    steps = steps_of(num_epochs, batch_size / number_of_examples)
    rate = min(1.0, math.nextafter(batch_size / number_of_examples, math.inf))
    lines = [
        f"DP-SGD on {number_of_examples} examples, batches of {batch_size} on average, {steps} steps, "
        f"noise multiplier {noise_multiplier:g}.",
    ]
    if noise_multiplier == 0:
        return "\n".join([*lines, "Without noise there is no guarantee: ε is infinite."])
    training = Gaussian(noise_multiplier).poisson(rate) * steps
    answer = training.epsilon(delta)
    lines += [
        f"For one example added or removed: ε ≤ {answer.upper!r} at δ = {delta:g} ({answer.guarantee}, {answer.method}).",
        "It holds if batches are Poisson samples: every example is in every batch with the same probability, "
        "independently. Shuffling the data and cutting it into batches is something else, which this number does not cover.",
    ]
    if used_microbatching:
        lines.append(
            "It does not hold with micro-batches of more than one example: the mean of their gradients is clipped, and an "
            "example can move it by twice the clipping norm. Clip the gradient of each example."
        )
    if max_examples_per_user is None:
        lines.append("It is about one example, and not about a user with several of them.")
    elif max_examples_per_user > 1:
        lines.append(_for_users(training, delta, max_examples_per_user))
    return "\n\n".join(lines)


def _for_users(training: Mechanism, delta: float, examples: int) -> str:
    """Group privacy: (ε, δ) for one example gives (kε, δ(e^{kε} − 1)/(e^ε − 1)) for k of them."""
    def loss(single: float) -> float:
        epsilon = training.epsilon(single).upper
        growth = math.expm1(examples * epsilon) / math.expm1(epsilon) if epsilon * examples < 700 else math.inf
        return single * growth * (1 + 1e-9)

    single = delta / examples
    for _ in range(200):
        if loss(single) <= delta:
            break
        single *= 0.25
        if single < 1e-290:
            return f"No guarantee was found for users with {examples} examples each at δ = {delta:g}."
    epsilon = training.epsilon(single).upper * examples * (1 + 1e-12)
    return f"For a user with at most {examples} examples: ε ≤ {epsilon!r} at δ = {delta:g}, by group privacy."
