//! Koskela, Jälkö, Prediger and Honkela 2021: the Fourier accountant for discrete mechanisms.

mod binomial;
mod exponential;
mod sampled_gaussian;
mod training;

use super::{Entry, Paper};

pub(super) const PAPER: Paper = Paper {
    id: "koskela21",
    key: "Koskela21",
    title: "Tight Differential Privacy for Discrete-Valued Mechanisms and for the Subsampled Gaussian Mechanism Using FFT",
    authors: "A. Koskela, J. Jälkö, L. Prediger, A. Honkela. AISTATS 2021.",
    notes: &[],
    entries: &[
        Entry {
            id: "fig1",
            name: "Fig. 1",
            title: "Exponential mechanism with a counting query",
            draw: exponential::fig1,
        },
        Entry { id: "fig2", name: "Fig. 2", title: "Work for Fig. 1", draw: exponential::fig2 },
        Entry {
            id: "fig3",
            name: "Fig. 3",
            title: "Binomial noise, tight against cpSGD",
            draw: binomial::fig3,
        },
        Entry {
            id: "fig4",
            name: "Fig. 4",
            title: "Training with binomial noise, the privacy side",
            draw: training::fig4,
        },
        Entry {
            id: "fig5",
            name: "Fig. 5",
            title: "Bounds for the sampled Gaussian",
            draw: sampled_gaussian::fig5,
        },
    ],
    left_out: &["The accuracy of the models of Fig. 4 takes their training, not accounting."],
};
