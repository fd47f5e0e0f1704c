//! Sommer, Meiser and Mohammadi 2019: privacy loss distributions and their classes.

mod bounds;
mod gauss_against_laplace;
mod gaussian;
mod histograms;
mod laplace;
mod noisy_sgd;
mod shapes;

use super::{Entry, Paper};

pub(super) const PAPER: Paper = Paper {
    id: "sommer19",
    key: "Sommer19",
    title: "Privacy Loss Classes: The Central Limit Theorem in Differential Privacy",
    authors: "D. M. Sommer, S. Meiser, E. Mohammadi. Proceedings on Privacy Enhancing Technologies 2019(2).",
    notes: &[
        "The paper evaluates one direction, with the record against without it; so do these figures. \"Class\" is the δ of the normal law \
         with the mean and variance of the loss (Gauss-ADP): an estimate. Where several digits are needed and the paper has privacy \
         buckets as its benchmark, the certified value is drawn.",
    ],
    entries: &[
        Entry {
            id: "fig1",
            name: "Fig. 1",
            title: "Loss of the Laplace mechanism under composition",
            draw: shapes::fig1,
        },
        Entry { id: "fig2", name: "Fig. 2", title: "Bounds for DP-SGD", draw: noisy_sgd::fig2 },
        Entry { id: "fig3", name: "Fig. 3", title: "Uniform noise and its loss", draw: shapes::fig3 },
        Entry { id: "fig5", name: "Fig. 5", title: "Bounds for the Gauss mechanism", draw: gaussian::fig5 },
        Entry {
            id: "fig6",
            name: "Fig. 6",
            title: "Bounds for two noisy histograms (synthetic data)",
            draw: histograms::fig6,
        },
        Entry {
            id: "fig7",
            name: "Fig. 7",
            title: "Bounds for DP-SGD, with Rényi-DP",
            draw: noisy_sgd::fig7,
        },
        Entry { id: "fig8", name: "Fig. 8", title: "Bounds for the Laplace mechanism", draw: laplace::fig8 },
        Entry {
            id: "fig9",
            name: "Fig. 9",
            title: "Gauss in place of Laplace",
            draw: gauss_against_laplace::fig9,
        },
    ],
    left_out: &["Fig. 4 explains ADP and PDP with a drawing; Table 1 lists notation."],
};
