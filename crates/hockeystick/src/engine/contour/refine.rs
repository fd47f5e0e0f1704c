//! Build, measure, choose again: the only loop over recipes.

use super::{
    Recipe,
    assembly::Assembly,
    choose::{Tried, choose},
    facts::{Facts, Question},
    search::saddle,
    target::{Target, before_largest},
    tuning::TUNING,
};
use hockeystick_numerics::{enclosure::Enclosure, limits::check};

/// The narrowest assembly found, and the ε it answers for. `None` if there is no saddle estimate or no recipe can be built.
///
/// Every assembly encloses g at every ε. The choice of recipes only affects width and time.
pub(super) fn refined(question: Question<'_>, largest: Enclosure) -> Option<(Assembly, f64)> {
    let Question { factors, mut goal, accuracy } = question;
    let parts = factors.others.len() as f64;
    let (mut narrow, mut accuracy) = (accuracy, accuracy.of_parts(parts));
    let mut saddle = saddle::find(factors, goal)?;
    if let Some(before) = before_largest(goal, accuracy, &saddle, largest) {
        (goal, accuracy) = before;
        narrow.relative = accuracy.relative;
        saddle = saddle::find(factors, goal)?;
    }
    let question = Question { factors, goal, accuracy };
    let target = Target::first(goal, accuracy, &saddle);
    let mut facts = Facts::new(question, saddle, target);
    let mut tried: Vec<Tried> = Vec::new();
    let mut best: Option<Found> = None;
    let mut passes = 0;
    while passes < TUNING.passes
        && let Some(recipe) = choose(&facts.outlook(), &tried, &TUNING)
    {
        check();
        let built = Assembly::new(recipe, &facts);
        tried.push(Tried {
            recipe,
            target: facts.target,
            built: built.as_ref().map(|_| ()).map_err(|why| *why),
        });
        let Ok(assembly) = built else { continue };
        passes += 1;
        let epsilon = assembly.center(goal, facts.target.epsilon);
        let width = assembly.width(goal, epsilon);
        let before = accuracy;
        if recipe == Recipe::BandLimited {
            // Where few pairs are summed at most points, more points are hardly more work.
            accuracy = narrow.of_parts(parts * assembly.summed());
        }
        let finer = accuracy.without_decay / before.without_decay;
        let target =
            facts.target.finer_without_decay(finer).moved(goal, accuracy, epsilon, assembly.slope(epsilon));
        if best.as_ref().is_none_or(|best| width < best.width) {
            best = Some(Found { assembly, epsilon, width });
        }
        if target.is_met_by(width, recipe != Recipe::BandLimited) {
            break;
        }
        // A width of 1 says nothing about g, so the ε found is no target. The table of scales gives one instead.
        let Some(next) = facts.aimed_at((width < 1.0).then_some(target)) else { break };
        facts = next;
    }
    best.map(|Found { assembly, epsilon, .. }| (assembly, epsilon))
}

/// The result of a pass: an assembly, its estimate of the ε asked for, and the relative width of g there.
struct Found {
    assembly: Assembly,
    epsilon: f64,
    width: f64,
}
