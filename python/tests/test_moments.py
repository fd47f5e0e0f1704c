"""Rényi divergences: closed forms, and mechanisms that are given by them."""

from __future__ import annotations

import math

import hockeystick as hs
import numpy as np
import pytest

ORDERS = [1.0, 1.5, 2.0, 7.25, 64.0]


def encloses(found: hs.Answers, expected: list[float]) -> None:
    for lower, upper, value in zip(found.lower, found.upper, expected):
        assert lower <= value * (1 + 1e-12) and value * (1 - 1e-12) <= upper
        assert upper - lower <= 1e-6 * upper


def test_gaussian():
    encloses(hs.renyi(hs.Gaussian(2.0) * 10, ORDERS), [10 * order / 8 for order in ORDERS])


def test_laplace():
    def divergence(order: float) -> float:
        if order == 1.0:
            return 0.5 + math.expm1(-0.5)
        odds = order / (2 * order - 1) * math.exp((order - 1) / 2)
        return math.log(odds + (order - 1) / (2 * order - 1) * math.exp(-order / 2)) / (order - 1)

    encloses(hs.renyi(hs.Laplace(2.0), ORDERS), [divergence(order) for order in ORDERS])


def test_the_largest_loss_is_the_divergence_of_infinite_order():
    assert math.isclose(hs.renyi(hs.RandomizedResponse(epsilon=0.7), [math.inf]).upper[0], 0.7, rel_tol=1e-12)
    assert math.isinf(hs.renyi(hs.Gaussian(1.0), [math.inf]).upper[0])


def test_orders_below_one_are_refused():
    with pytest.raises(ValueError, match="order is 0.5, but must be 1 or above"):
        hs.renyi(hs.Gaussian(1.0), [0.5])
    with pytest.raises(TypeError, match="orders must be a number or an array of numbers"):
        hs.renyi(hs.Gaussian(1.0), ["2"])


def test_a_table_of_divergences_gives_back_its_own_bounds():
    orders = np.array([2.0, 4.0, 8.0])
    table = hs.Renyi(orders, orders / 8)
    assert np.allclose(hs.renyi(table, orders).upper, orders / 8, rtol=1e-12)
    # A bound for everything with these divergences holds for the Gaussian that has them.
    assert table.epsilon(1e-3).upper >= hs.Gaussian(2.0).epsilon(1e-3).lower
    with pytest.raises(ValueError, match="orders and divergences, line 1: the order 0.5 is not above 1"):
        hs.Renyi([0.5], [1.0]).epsilon(1e-3)
    with pytest.raises(ValueError, match="divergences is a list of 1, but must be as long as orders, which has 2"):
        hs.Renyi([2.0, 3.0], [1.0])
