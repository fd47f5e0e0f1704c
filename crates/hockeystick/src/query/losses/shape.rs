//! What a drawing of the distribution of the loss shows: single losses with their probabilities, and bins of the others.

use super::{
    LossCell,
    atoms::{self, LossAtom, Parts},
};
use crate::{
    mechanism::Relation,
    pair::Direction,
    query::{Curves, even_grid},
};
use hockeystick_numerics::enclosure::Enclosure;

/// The distribution of the loss between two ends, as it can be drawn without saying more than is known.
#[derive(Clone, Debug, PartialEq)]
pub struct LossShape {
    /// What atoms and bins are.
    pub kind: LossKind,
    /// Single losses, by rising loss.
    pub atoms: Vec<LossAtom>,
    /// How likely losses are in bins, without those of `atoms`: side by side, except where there is an atom.
    pub bins: Vec<LossCell>,
    /// `P(L > end)`, infinite losses included: what lies beyond the upper end, with the record.
    pub larger: Enclosure,
    /// `Q(L ≤ start)`, what lies beyond the lower end, without the record.
    pub smaller: Enclosure,
}

/// Of what kind a distribution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    /// No loss has a probability of its own, or less than 10⁻⁴ of all have: bins have average densities.
    Density,
    /// All losses have one: there are no bins.
    Atoms,
    /// Some losses have one: there are atoms, and bins with average densities.
    Mixed,
    /// All losses have one, but there are many: each bin holds so many neighbouring losses.
    Grouped {
        /// How many, in all bins but the last.
        each: usize,
    },
    /// It is not known which have one: bins have probabilities, but no densities.
    Bins,
}

/// More single losses than this are drawn in groups: they would be nearer to each other than both laws of one.
const MOST_ATOMS: usize = 50;
/// Atoms that have less than this of both laws are not drawn beside a density.
const FAINT: f64 = 1e-4;
/// How far from an atom a bin ends, as a part of the range: tails are only known beside it.
const BESIDE: f64 = 1e-5;

impl LossShape {
    /// What the heights of the bins are, or of the atoms if there are no bins.
    pub fn measure(&self) -> String {
        match self.kind {
            LossKind::Density | LossKind::Mixed => "density".to_owned(),
            LossKind::Atoms => "probability".to_owned(),
            LossKind::Grouped { each: 1 } => "probability of each loss".to_owned(),
            LossKind::Grouped { each } => format!("probability of {each} neighbouring losses"),
            LossKind::Bins => format!("probability in each of {} bins", self.bins.len()),
        }
    }

    /// The height of a bin with the record and without it.
    pub fn heights(&self, bin: &LossCell) -> (Enclosure, Enclosure) {
        match self.kind {
            LossKind::Density | LossKind::Mixed => bin.densities(),
            LossKind::Atoms | LossKind::Grouped { .. } | LossKind::Bins => (bin.with, bin.without),
        }
    }
}

impl LossCell {
    /// The average densities with the record and without it.
    pub fn densities(&self) -> (Enclosure, Enclosure) {
        let width = Enclosure::point(self.to) - Enclosure::point(self.from);
        (self.with / width, self.without / width)
    }
}

impl Curves<'_> {
    /// The distribution of the loss as it is to be drawn, with about `count` bins if there are any.
    ///
    /// # Guarantee
    /// Probabilities are enclosed, up to 10⁻⁹ of outcomes too rare to be listed.
    pub fn loss_shape(&self, count: usize) -> LossShape {
        let ends = self.interesting_losses(2);
        let (start, end) = (ends[0], ends[1]);
        let larger = self.loss_tail(end).with;
        let smaller = Enclosure::ONE - self.loss_tail(start).without;
        let shape = |kind, atoms, bins| LossShape { kind, atoms, bins, larger, smaller };
        let edges = even_grid(start, end, count);
        let is_inside = |atom: &LossAtom| start <= atom.loss.lower() && atom.loss.upper() <= end;
        match self.parts() {
            Parts::Density => shape(LossKind::Density, vec![], self.loss_cells(&edges)),
            Parts::Unknown => shape(LossKind::Bins, vec![], self.loss_cells(&edges)),
            Parts::Atoms { mut atoms, has_density: false } => {
                atoms.retain(is_inside);
                if atoms.len() <= MOST_ATOMS {
                    return shape(LossKind::Atoms, atoms, vec![]);
                }
                let each = atoms.len().div_ceil(count.max(2) - 1);
                shape(LossKind::Grouped { each }, vec![], grouped(&atoms, each))
            }
            Parts::Atoms { mut atoms, has_density: true } => {
                atoms.retain(is_inside);
                let is_drawn = |atom: &LossAtom| atom.with.upper().max(atom.without.upper()) >= FAINT;
                let drawn: Vec<LossAtom> = atoms.iter().copied().filter(is_drawn).collect();
                let bins = self.loss_cells(&beside(&edges, &drawn)).into_iter();
                // What is next to an atom on both sides is the atom.
                let holds = |bin: &LossCell| {
                    drawn.iter().any(|atom| bin.from < atom.loss.lower() && atom.loss.upper() < bin.to)
                };
                let bins = bins.filter(|bin| !holds(bin)).map(|bin| without_atoms(bin, &atoms)).collect();
                let kind = if drawn.is_empty() { LossKind::Density } else { LossKind::Mixed };
                shape(kind, drawn, bins)
            }
        }
    }

    /// What is known of the pair of which `presence` is the curve.
    fn parts(&self) -> Parts {
        let direction = match self.relation {
            Relation::Replace => Direction::Replace,
            Relation::AddRemove | Relation::Add | Relation::Remove => Direction::Remove,
        };
        self.releases().pairs(direction).map_or(Parts::Unknown, |pairs| atoms::of(&pairs))
    }
}

/// Bins of `each` neighbouring atoms, that end in the middle between two.
fn grouped(atoms: &[LossAtom], each: usize) -> Vec<LossCell> {
    let between = |a: &LossAtom, b: &LossAtom| 0.5 * (a.loss.upper() + b.loss.lower());
    let groups: Vec<&[LossAtom]> = atoms.chunks(each).collect();
    let half = |a: &LossAtom, b: &LossAtom| 0.5 * (b.loss.midpoint() - a.loss.midpoint());
    let mut bins = vec![];
    for (at, group) in groups.iter().enumerate() {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let before = at.checked_sub(1).and_then(|at| groups[at].last());
        let after = groups.get(at + 1).and_then(|group| group.first());
        let from = before.map(|before| between(before, first));
        let to = after.map(|after| between(last, after));
        let sum = |pick: fn(&LossAtom) -> Enclosure| {
            group.iter().map(pick).fold(Enclosure::ZERO, |sum, mass| sum + mass).clamp(0.0, 1.0)
        };
        bins.push(LossCell {
            from: from
                .or_else(|| after.map(|after| first.loss.midpoint() - half(last, after)))
                .unwrap_or(first.loss.lower()),
            to: to
                .or_else(|| before.map(|before| last.loss.midpoint() + half(before, first)))
                .unwrap_or(last.loss.upper()),
            with: sum(|atom| atom.with),
            without: sum(|atom| atom.without),
        });
    }
    bins
}

/// The edges of bins that end beside atoms, none much narrower than the others.
fn beside(edges: &[f64], atoms: &[LossAtom]) -> Vec<f64> {
    let (Some(&start), Some(&end)) = (edges.first(), edges.last()) else { return vec![] };
    let step = (end - start) / (edges.len().max(2) - 1) as f64;
    let room = BESIDE * (end - start);
    let is_near = |edge: f64, atom: &LossAtom| {
        edge > atom.loss.lower() - 0.5 * step && edge < atom.loss.upper() + 0.5 * step
    };
    let far = edges.iter().copied().filter(|&edge| !atoms.iter().any(|atom| is_near(edge, atom)));
    let near = atoms.iter().flat_map(|atom| [atom.loss.lower() - room, atom.loss.upper() + room]);
    let mut all: Vec<f64> = far.chain(near).chain([start, end]).collect();
    all.retain(|edge| (start..=end).contains(edge));
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// What a bin has that is not at atoms.
fn without_atoms(bin: LossCell, atoms: &[LossAtom]) -> LossCell {
    let inside = |atom: &&LossAtom| bin.from < atom.loss.lower() && atom.loss.upper() <= bin.to;
    let rest = |all: Enclosure, pick: fn(&LossAtom) -> Enclosure| {
        let atoms = atoms.iter().filter(inside).map(pick);
        (all - atoms.fold(Enclosure::ZERO, |sum, mass| sum + mass)).clamp(0.0, 1.0)
    };
    LossCell {
        with: rest(bin.with, |atom| atom.with),
        without: rest(bin.without, |atom| atom.without),
        ..bin
    }
}
