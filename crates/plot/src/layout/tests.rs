//! Words have the widths of their letters: they stay on the sheet, and off each other.

use super::shapes;
use crate::{
    Axis, Chart, Look, Series, letters,
    scene::Rectangle,
    shape::{Anchor, Drawing, Shape, Text},
};

const LONG: &str = "poisson(gaussian(sigma=1.123456789), rate=0.0123) * 10^{5} + laplace(scale=12.5) * 1000 + dp(epsilon=0.25)";

/// The box of a text, from its base line to the top of its letters; y downwards.
fn place(text: &Text) -> Rectangle {
    let width = letters::width(text);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5 * width,
        Anchor::End => width,
    };
    let (x, y) = text.at;
    let height = 0.75 * text.size;
    if text.upward {
        Rectangle { left: x - height, right: x, bottom: y + before - width, top: y + before }
    } else {
        Rectangle { left: x - before, right: x - before + width, bottom: y - height, top: y }
    }
}

fn words(drawing: &Drawing) -> impl Iterator<Item = (&str, Rectangle)> {
    drawing.shapes.iter().filter_map(|shape| match shape {
        Shape::Text(text) => Some((text.text.as_str(), place(text))),
        Shape::Line { .. } | Shape::Area { .. } | Shape::Dot { .. } => None,
    })
}

fn assert_readable(chart: &Chart) {
    let drawing = shapes(chart);
    let all: Vec<(&str, Rectangle)> = words(&drawing).collect();
    let sheet = Rectangle { left: 0.0, right: drawing.width, bottom: 0.0, top: drawing.height };
    for (at, (text, place)) in all.iter().enumerate() {
        let corners = [(place.left, place.bottom), (place.right, place.top)];
        assert!(
            corners.into_iter().all(|corner| sheet.contains(corner)),
            "{text:?} leaves the sheet: {place:?}"
        );
        for (other, beside) in &all[..at] {
            assert!(!place.meets(*beside), "{text:?} and {other:?} overlap");
        }
    }
}

/// Rising and falling curves in a decade around a number.
fn curves(count: usize, name: &str, scale: f64) -> Vec<Series> {
    let point = |k: usize, x: i32| {
        (f64::from(x), scale * (1.0 + k as f64 + f64::from(x * (1 - 2 * (k % 2) as i32)) / 20.0))
    };
    let curve = |k: usize| (0..=20).map(|x| point(k, x)).collect();
    (0..count).map(|k| Series::new(format!("{name}{k}"), curve(k))).collect()
}

#[test]
fn words_stay_on_the_sheet_and_off_each_other() {
    let axes = || [Axis::linear("x"), Axis::logarithmic("x"), Axis::linear(LONG)];
    for count in [0, 1, 2, 5, 13, 40] {
        for name in ["k = ", "a name of middle length, k = ", LONG] {
            for scale in [1e-320, 1e-300, 1e-7, 0.03, 1.0, 4e5, 1e12, 1e300] {
                for (x, y) in axes().into_iter().zip(axes().into_iter().rev()) {
                    let chart = Chart::new(x, y.clone()).title(LONG);
                    let both = chart.clone().right(y);
                    assert_readable(&curves(count, name, scale).into_iter().fold(chart, Chart::series));
                    let on_either = |chart: Chart, (at, series): (usize, Series)| {
                        chart.series(if at % 2 == 0 {
                            series
                        } else {
                            series.on_the_right().look(Look::Stems)
                        })
                    };
                    assert_readable(
                        &curves(count, name, scale).into_iter().enumerate().fold(both, on_either),
                    );
                }
            }
        }
    }
}

/// Axes along which little happens have labels with many digits.
#[test]
fn labels_with_many_digits_do_not_run_into_each_other() {
    for (from, step) in [(2.381_689_726, 1e-9), (1e8, 1.0), (1e-5, 1e-14), (-3.0, 1e-10), (1.0, f64::EPSILON)]
    {
        let points: Vec<(f64, f64)> = (0..5).map(|i| from + f64::from(i) * step).map(|at| (at, at)).collect();
        for axis in [Axis::linear, Axis::logarithmic] {
            let series = Series::new("", points.clone());
            assert_readable(&Chart::new(axis("x"), axis("y")).series(series));
        }
    }
}

#[test]
fn names_in_place_of_numbers_stay_on_the_sheet() {
    for names in [vec!["a"; 17], vec![LONG; 3], vec!["a method", LONG]] {
        let y = Axis::named("", names.iter().map(|&name| name.to_owned()).collect());
        let spans = Series::new("certified", vec![(1.0, 0.0), (2.0, 0.0)]).look(Look::Spans);
        assert_readable(&Chart::new(Axis::logarithmic("ε").between(0.5, 20.0), y).title(LONG).series(spans));
    }
}
