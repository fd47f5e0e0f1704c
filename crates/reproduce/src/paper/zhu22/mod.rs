//! Zhu, Dong and Wang 2022: dominating pairs and characteristic functions.

mod accountants;
mod directions;
mod lossy;
mod phi;

use super::{Entry, Paper};

pub(super) const PAPER: Paper = Paper {
    id: "zhu22",
    key: "Zhu22",
    title: "Optimal Accounting of Differential Privacy via Characteristic Function",
    authors: "Y. Zhu, J. Dong, Y.-X. Wang. AISTATS 2022.",
    notes: &[],
    entries: &[
        Entry { id: "fig1", name: "Fig. 1", title: "Rényi divergences do not say all", draw: lossy::fig1 },
        Entry { id: "fig3", name: "Fig. 3", title: "Accountants over compositions", draw: accountants::fig3 },
        Entry {
            id: "fig4",
            name: "Fig. 4",
            title: "Hockey-stick curves of both directions",
            draw: directions::fig4,
        },
        Entry { id: "table2", name: "Table 2", title: "φ-functions of basic mechanisms", draw: phi::table2 },
    ],
    left_out: &[
        "Tables 1, 3 and 4 and Fig. 2 hold no numbers. Fig. 2, the map of conversions, is what the library's \
         `curve::conversion` implements, an arrow a file.",
    ],
};
