//! Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022: connect the dots.

mod candidates;
mod gaussian;
mod one_use;
mod prv;
mod sampled;

use super::{Entry, Paper};

pub(super) const PAPER: Paper = Paper {
    id: "doroshenko22",
    key: "Doroshenko22",
    title: "Connect the Dots: Tighter Discrete Approximations of Privacy Loss Distributions",
    authors: "V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi. Proceedings on Privacy Enhancing Technologies 2022(4).",
    notes: &[
        "The curves of peers are drawn with our own engines: Google DP's privacy buckets with `buckets` on the same lattice, and the PRV \
         Accountant in its style: the ε that its mean-preserving lattice tends to, with the error of Gopi et al. (2021, Thm 5.5), \
         Δ√(k/2·log(12/η)), on both sides. Where the paper draws running times, the points of the composed window are drawn: work that \
         does not depend on the machine.",
        "All lattices are composed by a tilted transform in a short window and round-off is in the bounds, so even the peers' methods \
         are certified here.",
    ],
    entries: &[
        Entry { id: "fig2", name: "Fig. 2", title: "Pessimistic estimates of one use", draw: one_use::fig2 },
        Entry { id: "fig3", name: "Fig. 3", title: "Optimistic estimates of one use", draw: one_use::fig3 },
        Entry {
            id: "fig4",
            name: "Fig. 4",
            title: "How the optimistic estimate is made",
            draw: candidates::fig4,
        },
        Entry {
            id: "fig5", name: "Fig. 5", title: "ε of composed Gaussians, σ = 80", draw: gaussian::fig5
        },
        Entry {
            id: "fig6",
            name: "Fig. 6",
            title: "Sampled Gaussian, against privacy buckets",
            draw: sampled::fig6,
        },
        Entry {
            id: "fig7",
            name: "Fig. 7",
            title: "Sampled Gaussian, against the PRV Accountant",
            draw: sampled::fig7,
        },
        Entry {
            id: "fig8",
            name: "Fig. 8",
            title: "Sampled Laplace, against privacy buckets",
            draw: sampled::fig8,
        },
    ],
    left_out: &["Fig. 1 is a diagram."],
};
