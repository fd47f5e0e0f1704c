//! The arguments of `hockeystick calibrate`.

use crate::{
    command::common::{Accounting, FileAccess, number},
    report::Format,
};
use std::path::PathBuf;

const EXAMPLES: &str = include_str!("../examples/calibrate.txt");

/// The one number of an expression, written ?, that just meets a target
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(in crate::command) struct Calibrate {
    /// The mechanisms with one ? in place of a number, for example "gaussian(sigma=?) * 10"; - reads standard input
    #[arg(value_name = "EXPR", required_unless_present = "file")]
    pub(super) expression: Option<String>,

    /// A workload file with one ? in place of EXPR: what may still be spent; - reads it from standard input
    ///
    /// The ? stands in a mechanism, or is count = "?" or the noise = "?" of a training.
    #[arg(long, short = 'f', value_name = "FILE", conflicts_with = "expression")]
    pub(super) file: Option<PathBuf>,

    /// The target of the file that must be met, if it has several
    #[arg(long, value_name = "NAME", requires = "file", conflicts_with_all = ["epsilon", "delta", "advantage", "tpr", "fpr"])]
    pub(super) target: Option<String>,

    #[command(flatten)]
    pub(super) access: FileAccess,

    #[command(flatten)]
    pub(super) wanted: TargetFlags,

    /// How the answer is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) accounting: Accounting,
}

/// What must be met.
#[derive(Debug, clap::Args)]
pub(super) struct TargetFlags {
    /// The ε that must be met, together with --delta
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true, requires = "delta", help_heading = "Target")]
    pub(super) epsilon: Option<f64>,

    /// The δ that must be met, together with --epsilon
    #[arg(long, short = 'd', value_name = "Y", value_parser = number, allow_hyphen_values = true, requires = "epsilon", help_heading = "Target")]
    pub(super) delta: Option<f64>,

    /// The largest membership advantage, in place of ε and δ
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["epsilon", "delta", "tpr"], help_heading = "Target")]
    pub(super) advantage: Option<f64>,

    /// The largest true positive rate of an attack, together with --fpr and in place of ε and δ
    #[arg(long, value_name = "T", value_parser = number, allow_hyphen_values = true, requires = "fpr", conflicts_with_all = ["epsilon", "delta"], help_heading = "Target")]
    pub(super) tpr: Option<f64>,

    /// The false positive rate of that attack
    #[arg(long, value_name = "F", value_parser = number, allow_hyphen_values = true, requires = "tpr", help_heading = "Target")]
    pub(super) fpr: Option<f64>,
}
