"""A small network trained with Opacus, and accounted for by hockeystick: ε is asked for after every step.

Needs PyTorch and Opacus: `pip install hockeystick opacus`.
"""

from __future__ import annotations

import torch
from hockeystick.compat.opacus import get_noise_multiplier, register
from opacus import PrivacyEngine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EXAMPLES, FEATURES, BATCH, EPOCHS = 1000, 8, 50, 4
BUDGET, DELTA = 3.0, 1e-5


def train(seed: int = 0) -> tuple[float, list[float]]:
    """The accuracy after training, and ε after every step."""
    torch.manual_seed(seed)
    inputs = torch.randn(EXAMPLES, FEATURES)
    labels = (inputs @ torch.randn(FEATURES) > 0).long()
    loader = DataLoader(TensorDataset(inputs, labels), batch_size=BATCH)
    model = nn.Sequential(nn.Linear(FEATURES, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)

    register()
    noise = get_noise_multiplier(
        target_epsilon=BUDGET, target_delta=DELTA, sample_rate=BATCH / EXAMPLES, steps=EPOCHS * EXAMPLES // BATCH
    )
    engine = PrivacyEngine(accountant="hockeystick")
    model, optimizer, loader = engine.make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=noise, max_grad_norm=1.0
    )
    spent = []
    for _ in range(EPOCHS):
        for batch, targets in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(batch), targets).backward()
            optimizer.step()
            spent.append(engine.get_epsilon(DELTA))
    accuracy = (model(inputs).argmax(dim=1) == labels).float().mean().item()
    return accuracy, spent


if __name__ == "__main__":
    accuracy, spent = train()
    print(f"accuracy {accuracy:.3f} after {len(spent)} steps; ε ≤ {spent[-1]:.6f} at δ = {DELTA:g}, {BUDGET:g} allowed")
    assert spent == sorted(spent) and spent[-1] <= BUDGET
