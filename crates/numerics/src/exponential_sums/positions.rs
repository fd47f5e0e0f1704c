//! Where on a periodic grid a node lies: which cells it is spread over, and how far it is off their middle.

use super::kernel::WIDTH;
use crate::{double_double::DoubleDouble, error_free::split};

/// `1/2π` in two doubles, to 2⁻¹⁰⁸ of itself.
const TURNS_PER_RADIAN: [f64; 2] = [0.15915494309189535, -9.839338337591243e-18];

/// A node farther away (counted in cells, over all turns) is refused: `2⁴⁰`.
const FARTHEST: f64 = (1_u64 << 40) as f64;

/// Doubles around this one are the whole numbers: a sum with it is rounded to one, which its last bits hold.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 3·2⁵¹

/// Steps outside of these, and the losses with them, are brought near 1 by powers of two that cancel.
const PLAIN_STEPS: std::ops::Range<f64> = 1e-120..1e120;
const SHRINK: f64 = f64::from_bits((1023 - 500) << 52);
const GROW: f64 = f64::from_bits((1023 + 500) << 52);

/// How far a position may be off, in units of u cells: a difference of numbers up to 1, one up to ½, a sum up to ½, and less than
/// a tenth for what is left of 2⁻¹⁰¹ after 2⁴⁰ cells.
pub(super) const POSITION_UNITS: f64 = 2.1;

/// The positions of many nodes.
pub(super) struct Positions {
    /// The first cell of each.
    pub(super) starts: Vec<u32>,
    /// How far above the middle of the sixteen cells each is, from −½ to ½ (and 2⁻¹⁰ beyond).
    pub(super) offsets: Vec<f64>,
}

impl Positions {
    /// The positions `M·h·L/2π` of the losses on a grid of `length` = M cells, a power of two below 2³²; none if a
    /// loss or the step is not finite or a position too far away.
    ///
    /// # Guarantee
    /// Each is off by at most u·[`POSITION_UNITS`] cells, up to whole turns: `M·h/2π` is taken to 2⁻¹⁰¹ of itself, as `c + d`. The product
    /// `cL` is exact in two parts (\[Dekker 1971\], and in plain operations, which can be done for several losses at once), `dL` is rounded, and
    /// the nearest whole number is taken away before the parts are added.
    pub(super) fn new(losses: &[f64], step: f64, length: usize) -> Option<Self> {
        let (step, scale) = match step.abs() {
            size if size == 0.0 || PLAIN_STEPS.contains(&size) => (step, 1.0),
            size if size < PLAIN_STEPS.start => (step * GROW, SHRINK),
            size if size.is_finite() => (step * SHRINK, GROW),
            _ => return None,
        };
        let [leading, rest] = TURNS_PER_RADIAN;
        let turns = DoubleDouble::from(step) * DoubleDouble::from_sum(leading, rest);
        let (cells, less) = (turns.hi() * length as f64, turns.lo() * length as f64);
        let (cells_high, cells_low) = split(cells);
        let mask = (length - 1) as u32;
        let mut starts = vec![0; losses.len()];
        let mut offsets = vec![0.0; losses.len()];
        let mut all_near = true;
        for ((&loss, start), offset) in losses.iter().zip(&mut starts).zip(&mut offsets) {
            let loss = loss * scale;
            let position = loss * cells;
            let (high, low) = split(loss);
            let residual =
                ((high * cells_high - position) + high * cells_low + low * cells_high) + low * cells_low;
            let rounder = (position - 0.5) + ROUNDER;
            *offset = ((position - (rounder - ROUNDER)) - 0.5) + (residual + loss * less);
            // The middle is between the eighth and the ninth cell.
            *start = (rounder.to_bits() as u32).wrapping_sub(WIDTH as u32 / 2 - 1) & mask;
            all_near &= position.abs() <= FARTHEST;
        }
        all_near.then_some(Self { starts, offsets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ball::Ball, rounding::UNIT_ROUNDOFF};
    use proptest::prelude::*;

    /// How far the position is off, in cells, by balls; up to turns.
    fn off(loss: f64, step: f64, length: usize) -> f64 {
        let found = Positions::new(&[loss], step, length).expect("near");
        assert!(found.offsets[0].abs() <= 0.5 + 1.0 / 1024.0);
        let [leading, rest] = TURNS_PER_RADIAN;
        let per_radian = Ball::new(DoubleDouble::from_sum(leading, rest), 1e-33);
        let truth = Ball::product_of(loss, step) * per_radian * Ball::from(length as f64);
        let middle = f64::from(found.starts[0]) + 7.5;
        let distance = truth - Ball::from(middle) - Ball::from(found.offsets[0]);
        let turns = (distance.approximate() / length as f64).round();
        let rest = distance - Ball::product_of(turns, length as f64);
        rest.approximate().abs() - rest.radius()
    }

    proptest! {
        #[test]
        fn positions_are_good_to_the_last_bit(loss in -1e4f64..1e4, scale in -12i32..3, bits in 6u32..24) {
            let step = 10f64.powi(scale) * 0.7;
            prop_assert!(off(loss, step, 1 << bits) <= POSITION_UNITS * UNIT_ROUNDOFF);
        }
    }

    #[test]
    fn awkward_positions() {
        let turn = std::f64::consts::TAU;
        for length in [64, 4096, 1 << 20] {
            for cells in [0.0, 0.5, 1.0, 1.5, 7.0, 7.5, 8.0, 63.0, 63.5, 64.0, -0.5, -1.0, -7.5, -64.0] {
                for loss in [turn * cells / length as f64, turn * cells, turn * cells * 1e3] {
                    for loss in [loss, loss.next_up(), loss.next_down()] {
                        let off = off(loss, 1.0, length);
                        assert!(off <= POSITION_UNITS * UNIT_ROUNDOFF, "{loss} {length}: {off:e}");
                    }
                }
            }
        }
    }

    /// Powers of two that cancel change nothing.
    #[test]
    fn extreme_steps_are_like_plain_ones() {
        let plain = Positions::new(&[3.7, -1e-5], 0.3, 256).expect("near");
        for power in [1000, 500, -500, -1000] {
            let factor = 2f64.powi(power);
            let other = Positions::new(&[3.7 / factor, -1e-5 / factor], 0.3 * factor, 256).expect("near");
            assert_eq!((other.starts, other.offsets), (plain.starts.clone(), plain.offsets.clone()));
        }
        // Subnormal, where even the step has few digits.
        assert!(Positions::new(&[1.0, 1e300], 5e-324, 256).is_some());
        assert!(Positions::new(&[5e-324], 1.7e308, 256).is_some());
    }

    #[test]
    fn what_is_too_far_or_no_number_is_refused() {
        for (loss, step) in [
            (1e300, 1.0),
            (1.0, 1e300),
            (f64::NAN, 1.0),
            (f64::INFINITY, 1.0),
            (f64::INFINITY, 0.0),
            (1.0, f64::NAN),
            (0.0, f64::INFINITY),
        ] {
            assert!(Positions::new(&[0.0, loss], step, 64).is_none(), "{loss} {step}");
        }
    }
}
