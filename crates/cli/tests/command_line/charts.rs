//! Charts of every command: what is drawn is what was computed.

use crate::run::run;
use std::path::PathBuf;

const BLUE: &str = "#0072b2";
const VERMILION: &str = "#d55e00";

type Point = (f64, f64);

/// What a command draws.
fn drawn(name: &str, arguments: &[&str]) -> String {
    let file: PathBuf =
        std::env::temp_dir().join(format!("hockeystick-charts-{name}-{}.svg", std::process::id()));
    run(&[arguments, &["--plot", file.to_str().unwrap()]].concat());
    let svg = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    svg
}

/// The points of all lines of a colour, without the samples of the legend: these are level, and 30 wide.
fn lines(svg: &str, colour: &str) -> Vec<Vec<Point>> {
    let lines = svg.lines().filter(|line| line.starts_with("<polyline") && line.contains(colour));
    let number = |text: &str| text.parse::<f64>().unwrap();
    let point = |text: &str| text.split_once(',').map(|(x, y)| (number(x), number(y))).unwrap();
    let points = lines.map(|line| line.split('"').nth(1).unwrap().split(' ').map(point).collect());
    let is_sample = |line: &Vec<Point>| {
        line.len() == 2 && line[0].1 == line[1].1 && (line[1].0 - line[0].0 - 30.0).abs() < 0.02
    };
    points.filter(|line| !is_sample(line)).collect()
}

fn dots(svg: &str, colour: &str) -> Vec<Point> {
    let lines = svg.lines().filter(|line| line.starts_with("<circle") && line.contains(colour));
    let number = |line: &str, at: usize| line.split('"').nth(at).unwrap().parse().unwrap();
    lines.map(|line| (number(line, 1), number(line, 3))).collect()
}

/// The words, one text after the other.
fn has(svg: &str, words: &str) -> bool {
    svg.contains(&format!(">{words}<"))
}

/// Two and a half uses have no answer, and neither has a response with p = 2: the place between stays empty, and so does the end.
#[test]
fn a_sweep_has_gaps_where_there_is_no_answer() {
    let uses = ["sweep", "gaussian(sigma=1) * {k}", "--grid", "k=1,2,2.5,3,4", "--delta", "1e-6"];
    let between = lines(&drawn("between", &uses), BLUE);
    assert_eq!(between.len(), 2, "{between:?}");
    assert!(between[0][1].0 + 100.0 < between[1][0].0, "{between:?}");
    let odds = ["sweep", "randomized_response(p={p})", "--grid", "p=0.55,0.6,0.65,0.7,2", "--delta", "1e-6"];
    let end = lines(&drawn("end", &odds), BLUE);
    assert!(end.len() == 1 && end[0].iter().all(|(x, _)| *x < 300.0), "{end:?}");
}

/// A curve without any answer is named so in the legend, and the points of others stay.
#[test]
fn a_curve_without_answers_says_so() {
    let expression = "poisson(gaussian(sigma=1), rate=0.1) * {k}";
    let sweep =
        ["sweep", expression, "--grid", "k=2,3,4", "--delta", "1e-6", "--methods", "auto,closed-form"];
    let svg = drawn("empty", &sweep);
    assert!(has(&svg, "auto") && has(&svg, "closed-form: no answer"), "{svg}");
    assert!(!lines(&svg, BLUE).is_empty() && lines(&svg, VERMILION).is_empty());
}

/// Points of a sweep are connected along the axis, in whatever order they are asked for.
#[test]
fn a_sweep_is_drawn_in_order() {
    let svg = drawn("order", &["sweep", "gaussian(sigma=1) * {k}", "--grid", "k=4,1,3,2", "--delta", "1e-6"]);
    let lines = lines(&svg, BLUE);
    assert!(lines.len() == 1 && lines[0].windows(2).all(|pair| pair[0].0 < pair[1].0), "{lines:?}");
}

/// Three responses have four losses: four stems for either law, no bars and no lines.
#[test]
fn discrete_losses_are_stems() {
    let svg = drawn("stems", &["losses", "randomized_response(p=0.6) * 3"]);
    assert!(has(&svg, "probability") && !has(&svg, "density"));
    for colour in [BLUE, VERMILION] {
        let stems: Vec<_> =
            lines(&svg, colour).into_iter().filter(|line| line[0].1 > line[1].1 + 11.0).collect();
        assert_eq!(stems.len(), 4, "{stems:?}");
        // Upright, and the same distance apart.
        assert!(stems.iter().all(|stem| stem.len() == 2 && stem[0].0 == stem[1].0));
        let gaps: Vec<f64> = stems.windows(2).map(|pair| pair[1][0].0 - pair[0][0].0).collect();
        assert!(gaps.iter().all(|gap| (gap - gaps[0]).abs() < 0.02), "{gaps:?}");
    }
    // 0.6³ : 3·0.6²·0.4 = 0.216 : 0.432, and the smallest chance is 0.064.
    let heights: Vec<f64> = lines(&svg, BLUE).iter().take(4).map(|stem| stem[0].1 - stem[1].1).collect();
    let largest = heights.iter().copied().fold(0.0, f64::max);
    for (height, chance) in heights.iter().zip([0.064, 0.288, 0.432, 0.216]) {
        assert!((height / largest - chance / 0.432).abs() < 1e-3, "{heights:?}");
    }
}

/// A Laplace loss has two atoms on an axis of their own, and a density that ends at them.
#[test]
fn mixed_losses_are_stems_beside_a_density() {
    let svg = drawn("mixed", &["losses", "laplace(scale=1)"]);
    for words in ["density", "probability of a single loss", "with the record: single losses"] {
        assert!(has(&svg, words), "{words}");
    }
    // Two heads, and one in the legend.
    assert_eq!((dots(&svg, BLUE).len(), dots(&svg, VERMILION).len()), (3, 3));
    let drawn = run(&["losses", "laplace(scale=1)", "--plot", "-"]).answered();
    assert!(drawn.contains("├ 0.5") && drawn.contains("o with the record: single losses"), "{drawn}");
    assert!(has(&crate::charts::drawn("smooth", &["losses", "gaussian(sigma=1)"]), "density"));
}

/// TPR over FPR is drawn on logarithmic axes: 1e-6 and its powers of ten are written along both.
#[test]
fn few_false_alarms_are_drawn_on_logarithmic_axes() {
    let svg = drawn("few", &["tradeoff", "gaussian(sigma=1)", "--from", "1e-6", "--points", "30"]);
    assert!(has(&svg, "true positive rate") && has(&svg, "false positive rate"));
    let of_power = |power: i32| svg.matches(&format!(">{power}</tspan>").replace('-', "−")).count();
    assert_eq!((-6..=-1).map(of_power).collect::<Vec<_>>(), [2; 6]);
    // Guessing is a straight line from corner to corner: TPR = FPR.
    let guess = &lines(&svg, VERMILION)[0];
    let (first, last) = (guess[0], guess[guess.len() - 1]);
    let slope = |point: &Point| (point.1 - first.1) / (point.0 - first.0);
    assert!(guess[1..].iter().all(|point| (slope(point) - slope(&last)).abs() < 1e-2), "{guess:?}");
    assert!(has(&drawn("all", &["tradeoff", "gaussian(sigma=1)"]), "false negative rate"));
}

/// δ of Laplace noise is 0 from ε = 1 on, which a logarithmic axis cannot show: the line ends and the legend says why.
#[test]
fn a_profile_that_ends_says_that_it_is_0() {
    let svg = drawn("zero", &["profile", "laplace(scale=1)", "--to", "3", "--points", "7"]);
    assert!(has(&svg, "δ, which is 0 from ε = 1 on"), "{svg}");
    assert!(!svg.contains("−30") && !svg.contains("NaN"));
}

/// A method without a lower end has no band down to 0.
#[test]
fn upper_bounds_have_no_band() {
    let training =
        ["dpsgd", "--examples", "1000", "--batch", "10", "--steps", "50", "--noise", "2", "--delta", "1e-5"];
    let svg = drawn("bound", &[&training[..], &["--method", "rdp"]].concat());
    assert!(!svg.contains("<polygon") && !lines(&svg, BLUE).is_empty());
}

/// What cannot be shown is refused before anything is computed, not dropped: characters in CSV, and files of other kinds.
#[test]
fn charts_that_cannot_be_shown_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let run = run(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(part), "{run:?}");
    };
    let profile = ["profile", "gaussian(sigma=1)", "--points", "3", "--plot"];
    for format in ["csv", "json", "markdown"] {
        refused(&[&profile[..], &["-", "--format", format]].concat(), "leave out --format");
    }
    refused(&[&profile[..], &["chart.gif"]].concat(), ".svg or .png");
    refused(
        &["sweep", "gdp(mu={m})", "--grid", "m=1,2", "--delta", "1e-5", "--plot", "x.pdf"],
        ".svg or .png",
    );
}

/// A sweep is CSV by itself, and text around a chart in characters.
#[test]
fn a_sweep_can_be_drawn_with_characters() {
    let sweep = ["sweep", "gdp(mu={m}) * {k}", "--grid", "m=1:5:5", "--grid", "k=1,2", "--delta", "1e-5"];
    assert!(run(&sweep).answered().starts_with("m,k,lower,upper"));
    let drawn = run(&[&sweep[..], &["--plot", "-"]].concat()).answered();
    for part in ["* k = 1   + k = 2", "└", "┬", "method"] {
        assert!(drawn.contains(part), "{part}:\n{drawn}");
    }
}

/// Under replace-one the other law is that with another record, not that without one.
#[test]
fn charts_of_losses_name_the_other_law() {
    let svg = drawn("other", &["losses", "laplace(scale=1)", "--relation", "replace"]);
    assert!(has(&svg, "with another in its place: single losses") && !svg.contains("without it"), "{svg}");
}
