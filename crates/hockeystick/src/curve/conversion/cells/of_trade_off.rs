//! Trade-off → cells.

use super::{Cell, SPLIT};
use crate::curve::{Support, TradeOff};
use hockeystick_numerics::enclosure::Enclosure;

/// The cells of a loss given by the trade-off function.
///
/// Between two type I errors `P` has their difference and `Q` that of `f`. The loss is `−log|f′|` and increases with the
/// type I error, so the secants of the neighbouring cells bound it. A part of `P` with infinite loss is left out where `f`
/// is known to be 0; a cell that may contain some is treated as unbounded.
pub(in crate::curve::conversion) fn of_trade_off(
    f: &(impl TradeOff + ?Sized),
    resolution: usize,
) -> Vec<Cell> {
    let support = f.support();
    let finest = (resolution as f64).powi(-3);
    // Infinite losses come last; all others are below this type I error.
    let end = support.infinite_mass.complement().upper();
    let mut points: Vec<(f64, Enclosure)> =
        (0..=16).map(|k| end * f64::from(k) / 16.0).map(|x| (x, f.trade_off(x).value())).collect();
    loop {
        let cells = cells_between(&points, &support);
        let before = points.len();
        let mut refined = Vec::with_capacity(before);
        for (cell, ends) in cells.iter().zip(points.windows(2)) {
            refined.push(ends[0]);
            let middle = ends[0].0 + SPLIT * (ends[1].0 - ends[0].0);
            let error = cell.p.upper().max(cell.q.upper()) * cell.spread().min(1.0);
            if cell.q.upper() > 0.0 && error > finest && ends[0].0 < middle && middle < ends[1].0 {
                refined.push((middle, f.trade_off(middle).value()));
            }
        }
        refined.push(points[before - 1]);
        points = refined;
        if points.len() == before || points.len() > 16 * resolution {
            let finite = |cell: &Cell| cell.q.upper() > 0.0;
            return cells.into_iter().filter(finite).collect();
        }
    }
}

fn cells_between(points: &[(f64, Enclosure)], support: &Support) -> Vec<Cell> {
    let masses: Vec<(Enclosure, Enclosure)> = points
        .windows(2)
        .map(|ends| (Enclosure::point(ends[1].0) - ends[0].0, (ends[0].1 - ends[1].1).clamp(0.0, 1.0)))
        .collect();
    let loss = |i: usize| -(masses[i].1 / masses[i].0).ln();
    // An infinite loss within the last cells is excluded only if there is none at all.
    let largest = if support.infinite_mass.value().upper() > 0.0 { f64::INFINITY } else { support.largest };
    let cell = |i: usize| Cell {
        from: if i == 0 { support.smallest } else { loss(i - 1).lower().max(support.smallest) },
        to: if i + 1 == masses.len() { largest } else { loss(i + 1).upper().min(largest) },
        p: masses[i].0,
        q: masses[i].1,
    };
    (0..masses.len()).map(cell).collect()
}
