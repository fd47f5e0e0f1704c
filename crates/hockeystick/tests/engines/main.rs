//! Engines against references, theorems and each other.

mod beyond_losses;
mod characteristic;
mod closed_form_golden;
mod closed_form_regressions;
mod closed_form_theorems;
mod complement;
mod composition_golden;
mod composition_laws;
mod contour_golden;
mod contour_overlap;
mod exact_sums;
mod few_uses;
mod large_noise;
mod lattice;
mod many_parts;
mod next_to_largest;
mod next_to_zero;
mod published_in_stages;
mod rare_losses;
mod sampled_compositions;
mod width_range;
mod without_decay;
