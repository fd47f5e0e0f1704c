//! Asoodeh, Liao, Calmon, Kosut and Sankar 2021: what Rényi divergences imply.

mod conversion;
mod gaussian;
mod noisy_sgd;
mod regions;
mod sgd_regions;

use super::{Entry, Paper};

pub(super) const PAPER: Paper = Paper {
    id: "asoodeh21",
    key: "Asoodeh21",
    title: "Three Variants of Differential Privacy: Lossless Conversion and Applications",
    authors: "S. Asoodeh, J. Liao, F. P. Calmon, O. Kosut, L. Sankar. IEEE Journal on Selected Areas in Information Theory 2(1), 2021.",
    notes: &[
        "For noisy SGD the paper takes the Rényi divergence of one step to be ρα with ρ = q²/((1 − q)σ²), which drops the higher-order \
         terms of Abadi et al.'s lemma. Curves that rest on it are marked *approximate*: they are no guarantees. The certified ε of \
         the Poisson-sampled Gaussian is drawn beside them.",
    ],
    entries: &[
        Entry {
            id: "fig2",
            name: "Fig. 2",
            title: "RDP to DP: exact conversion and closed forms",
            draw: conversion::fig2,
        },
        Entry {
            id: "fig3",
            name: "Fig. 3",
            title: "ε of composed Gaussian mechanisms",
            draw: gaussian::fig3,
        },
        Entry { id: "fig4", name: "Fig. 4", title: "ε of noisy SGD over epochs", draw: noisy_sgd::fig4 },
        Entry {
            id: "fig5",
            name: "Fig. 5",
            title: "ε and δ of noisy SGD, moments against f-DP",
            draw: noisy_sgd::fig5,
        },
        Entry {
            id: "fig6",
            name: "Fig. 6",
            title: "Privacy region of the Gaussian mechanism",
            draw: regions::fig6,
        },
        Entry {
            id: "fig7",
            name: "Fig. 7",
            title: "Outer bounds of the region of composed Gaussians",
            draw: regions::fig7,
        },
        Entry {
            id: "fig8",
            name: "Fig. 8",
            title: "Outer bounds of the region of noisy SGD",
            draw: sgd_regions::fig8,
        },
        Entry {
            id: "fig9",
            name: "Fig. 9",
            title: "Difference of the areas of the two regions",
            draw: sgd_regions::fig9,
        },
    ],
    left_out: &["Fig. 1 is a diagram."],
};
