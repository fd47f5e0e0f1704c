//! All figures, drawn once: what the papers claim, and that the committed pages are what the command writes.

use hockeystick_reproduce::{Document, Entry, Figure, Verdict, csv, draw_all, index, page, papers, sheet};
use std::{fs, path::PathBuf, sync::LazyLock};

static DRAWN: LazyLock<Vec<Document<'static>>> = LazyLock::new(|| {
    let entries: Vec<&Entry> = papers().iter().flat_map(|paper| paper.entries).collect();
    let mut drawn = draw_all(&entries, |_| ()).into_iter();
    let figure = |entry: &'static Entry, figure: Option<Result<Figure, _>>| match figure {
        Some(Ok(figure)) => (entry, figure),
        Some(Err(failure)) => panic!("{}: {failure}", entry.name),
        None => panic!("{} was not drawn", entry.name),
    };
    let document = |paper: &'static hockeystick_reproduce::Paper| Document {
        paper,
        figures: paper.entries.iter().map(|entry| figure(entry, drawn.next())).collect(),
    };
    papers().map(document).into()
});

fn figure(paper: &str, id: &str) -> &'static Figure {
    let document = DRAWN.iter().find(|document| document.paper.id == paper).unwrap();
    &document.figures.iter().find(|(entry, _)| entry.id == id).unwrap().1
}

/// The number found for the claim of a figure whose text contains some words.
fn found(paper: &str, id: &str, words: &str) -> f64 {
    figure(paper, id).claims.iter().find(|claim| claim.text.contains(words)).unwrap().found
}

/// Every number that the papers' texts quote, with the digits that are printed. These bounds are written down here once more, so that
/// a claim cannot be met by widening it where it is made.
#[test]
fn quoted_numbers_hold() {
    let between = |paper, id, words, from: f64, to: f64| {
        let value = found(paper, id, words);
        assert!((from..to).contains(&value), "{paper} {id} {words}: {value}");
    };
    // [Zhu22, Sec. 3]: (0.277, 0.3)-DP, and no ε below 0.471. δ_RR(ε) = p − e^ε(1 − p) gives ε = log((p − 0.3)/(1 − p)).
    between("zhu22", "fig1", "Gaussian", 0.2765, 0.2775);
    let p = 1f64.exp() / (1.0 + 1f64.exp());
    let response = ((p - 0.3) / (1.0 - p)).ln();
    between("zhu22", "fig1", "response", response - 1e-9, response + 1e-9);
    assert!(response > 0.471);
    // [Asoodeh21, Sec. IV-B]: 0.75, and a hundred iterations more.
    between("asoodeh21", "fig3", "largest gain", 0.75, 0.76);
    between("asoodeh21", "fig3", "more releases", 100.0, 300.0);
    between("asoodeh21", "fig4", "more epochs", 100.0, 1000.0);
    between("asoodeh21", "fig9", "T = 5000", 0.65, 0.75);
    // [Koskela21, abstract]: up to 75 % of the variance.
    between("koskela21", "fig3", "variance", 0.75, 0.80);
    // [Sommer19, Sec. 1(d) and 6.2.2].
    between("sommer19", "fig9", "128", -100.0, -80.0);
    between("sommer19", "fig9", "256", -190.0, -150.0);
    // [Doroshenko22, Sec. 6]: comparable ε on lattices 66.66 and 6.66 times as coarse.
    between("doroshenko22", "fig6", "66.66", 0.0, 0.05);
    between("doroshenko22", "fig7", "6.66", 0.0, 0.05);
    // [Doroshenko22, Remark 6.1]: fewer points than the PRV Accountant.
    between("doroshenko22", "fig7", "points", 0.0, 1.0);
    between("doroshenko22", "fig8", "100", 0.0, 0.05);
}

#[test]
fn every_claim_holds_or_says_why_not() {
    let claims =
        || DRAWN.iter().flat_map(|document| &document.figures).flat_map(|(_, figure)| &figure.claims);
    assert!(claims().count() >= 15);
    for claim in claims() {
        assert!(claim.found.is_finite(), "{claim:?}");
        match claim.verdict {
            Verdict::Holds => {}
            Verdict::Differs(why) => panic!("{claim:?}: {why}; if that is so, say it in this test"),
        }
    }
}

/// Bounds enclose what is drawn, and certified values lie between the bounds of other methods.
#[test]
fn bounds_are_in_order() {
    for document in DRAWN.iter() {
        for (entry, figure) in &document.figures {
            let name = format!("{} {}", document.paper.id, entry.id);
            assert!(!figure.panels.is_empty() && !figure.parameters.is_empty(), "{name}");
            assert!(!figure.findings.is_empty() || entry.id == "fig8", "{name}");
            for sample in
                figure.panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.samples)
            {
                assert!(!sample.x.is_nan() && !sample.y.is_nan(), "{name}: {sample:?}");
                assert!(sample.lower.is_none_or(|lower| lower <= sample.y), "{name}: {sample:?}");
                assert!(sample.upper.is_none_or(|upper| upper >= sample.y), "{name}: {sample:?}");
            }
        }
    }
    // Certified dots against every bound of [Sommer19] at the same point.
    for id in ["fig2", "fig5", "fig6", "fig7", "fig8"] {
        for panel in &figure("sommer19", id).panels {
            let certified = panel.curves.iter().find(|curve| curve.name == "certified").unwrap();
            let bounds = panel.curves.iter().filter(|curve| !curve.name.contains("estimate"));
            for (bound, dot) in bounds.flat_map(|curve| certified.samples.iter().map(move |dot| (curve, dot)))
            {
                let at = bound.samples.iter().find(|sample| sample.x == dot.x);
                let is_above = at.is_none_or(|sample| sample.y >= dot.lower.unwrap());
                assert!(is_above, "{id} {} at {}: {at:?} below {dot:?}", bound.name, dot.x);
            }
        }
    }
}

/// The committed pages are what the command writes, up to the last digits of numbers, in which processors differ.
#[test]
fn committed_pages_are_what_the_command_writes() {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "reproduction"].iter().collect();
    let mut seen = 0;
    let mut check = |path: PathBuf, written: &str| {
        let committed =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Some((old, new)) = first_difference(&committed, written) {
            panic!("{}: {old:?} is committed, {new:?} is written; run hockeystick reproduce", path.display());
        }
        seen += 1;
    };
    for document in DRAWN.iter() {
        let folder = root.join(document.paper.id);
        check(folder.join("index.md"), &page(document));
        for (entry, figure) in &document.figures {
            check(folder.join(format!("{}.csv", entry.id)), &csv(figure));
            check(folder.join(format!("{}.svg", entry.id)), &sheet(entry, figure).svg());
        }
    }
    check(root.join("index.md"), &index(&DRAWN));
    assert_eq!(seen, 1 + DRAWN.iter().map(|document| 1 + 2 * document.figures.len()).sum::<usize>());
    // Nothing else lies there: what nobody writes nobody keeps up to date.
    let files =
        |folder: PathBuf| fs::read_dir(folder).unwrap().filter_map(Result::ok).map(|entry| entry.path());
    let folders = files(root.clone()).filter(|path| path.is_dir()).flat_map(files);
    let committed = files(root).filter(|path| path.is_file()).chain(folders);
    assert_eq!(committed.count(), seen);
}

/// The first words in which two texts differ by more than a small part of a number.
fn first_difference<'a>(committed: &'a str, written: &'a str) -> Option<(&'a str, &'a str)> {
    let is_separator = |c: char| c.is_whitespace() || ",\"<>[]|()%".contains(c);
    let (mut old, mut new) = (committed.split(is_separator), written.split(is_separator));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b || are_close(a, b) => {}
            (a, b) => return Some((a.unwrap_or("the end"), b.unwrap_or("the end"))),
        }
    }
}

fn are_close(a: &str, b: &str) -> bool {
    let number = |text: &str| text.trim_end_matches(['.', ':', ';']).parse::<f64>().ok();
    match (number(a), number(b)) {
        // Places in drawings have two decimals; findings at least one digit.
        (Some(a), Some(b)) => (a - b).abs() <= 0.021 + 2e-6 * a.abs().max(b.abs()) && same_size(a, b),
        (Some(_), None) | (None, Some(_)) | (None, None) => false,
    }
}

/// Small numbers must agree in their own digits.
fn same_size(a: f64, b: f64) -> bool {
    a.abs().max(b.abs()) > 1.0 || (a - b).abs() <= 2e-5 * a.abs().max(b.abs()) + 1e-12
}
