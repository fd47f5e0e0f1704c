//! Charts show what they were given: gaps as gaps, weights as stems, and nothing that is not there.

use hockeystick_plot::{Axis, Chart, Look, Series, Sheet};

const BLUE: &str = "#0072b2";
const VERMILION: &str = "#d55e00";
const INK: &str = "#222222";

type Point = (f64, f64);

/// The points of all shapes of a kind and a colour.
fn shapes(svg: &str, kind: &str, colour: &str) -> Vec<Vec<Point>> {
    let lines = svg.lines().filter(|line| line.starts_with(&format!("<{kind}")) && line.contains(colour));
    let points = lines.map(|line| line.split("points=\"").nth(1).unwrap().split('"').next().unwrap());
    let point = |text: &str| text.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()));
    points.map(|points| points.split(' ').map(|text| point(text).unwrap()).collect()).collect()
}

fn attribute(line: &str, name: &str) -> f64 {
    line.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
}

/// The centres of all dots of a colour.
fn dots(svg: &str, colour: &str) -> Vec<Point> {
    let lines = svg.lines().filter(|line| line.starts_with("<circle") && line.contains(colour));
    lines.map(|line| (attribute(line, "cx"), attribute(line, "cy"))).collect()
}

/// Left, right, top and bottom of the frame.
fn frame(svg: &str) -> [f64; 4] {
    let lines = shapes(svg, "polyline", INK);
    let frame = lines.iter().find(|points| points.len() == 5).unwrap();
    let ends = |of: fn(&Point) -> f64| {
        let values = frame.iter().map(of);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max))
    };
    let ((left, right), (top, bottom)) = (ends(|point| point.0), ends(|point| point.1));
    [left, right, top, bottom]
}

/// The words of a drawing; raised letters follow those before.
fn words(svg: &str) -> Vec<String> {
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    let plain = |line: &str| {
        let mut words = String::new();
        let mut is_tag = false;
        for letter in line.chars() {
            match letter {
                '<' => is_tag = true,
                '>' => is_tag = false,
                letter if !is_tag => words.push(letter),
                _ => {}
            }
        }
        words
    };
    texts.map(plain).collect()
}

/// Eleven points of which some are not known.
fn gappy(missing: &[usize]) -> Vec<Point> {
    let y = |i: usize| if missing.contains(&i) { f64::NAN } else { 1.0 + i as f64 };
    (0..=10).map(|i| (i as f64, y(i))).collect()
}

fn linear() -> Chart {
    Chart::new(Axis::linear("x"), Axis::linear("y"))
}

/// No line and no band crosses the places of points that are not known: there is a line from 0 to 2, and one from 5 to 9.
#[test]
fn no_line_and_no_band_crosses_a_gap() {
    let points = gappy(&[3, 4, 10]);
    let band = points.iter().map(|&(x, y)| (x, y - 0.5, y + 0.5)).collect();
    let svg = linear().series(Series::new("", points).band(band)).svg();
    let [left, right, ..] = frame(&svg);
    let spans = |kind: &str| {
        let ends = |points: Vec<Point>| {
            let places = points.iter().map(|(x, _)| 10.0 * (x - left) / (right - left));
            (places.clone().fold(f64::INFINITY, f64::min), places.fold(0.0, f64::max))
        };
        shapes(&svg, kind, BLUE).into_iter().map(ends).collect::<Vec<_>>()
    };
    for kind in ["polyline", "polygon"] {
        let spans = spans(kind);
        assert_eq!(spans.len(), 2, "{kind}: {spans:?}");
        for ((from, to), (start, end)) in spans.into_iter().zip([(0.0, 2.0), (5.0, 9.0)]) {
            assert!((from - start).abs() < 1e-2 && (to - end).abs() < 1e-2, "{kind}: {from} {to}");
        }
    }
}

/// A known point between two unknown ones has no line, but it is there: as a dot, with its interval.
#[test]
fn a_point_between_gaps_is_a_dot() {
    let points = gappy(&[0, 1, 2, 4, 5, 6, 7, 8, 9, 10]);
    let band = points.iter().map(|&(x, y)| (x, y - 0.5, y + 0.5)).collect();
    let chart = linear().series(Series::new("", points).band(band));
    let svg = chart.svg();
    let [left, right, ..] = frame(&svg);
    let dots = dots(&svg, BLUE);
    assert_eq!(dots.len(), 1);
    assert!((dots[0].0 - (left + 0.3 * (right - left))).abs() < 0.02, "{dots:?}");
    let whisker = &shapes(&svg, "polyline", BLUE)[0];
    assert!(whisker[0].0 == whisker[1].0 && whisker[0].1 > dots[0].1 && whisker[1].1 < dots[0].1);
    assert!(chart.terminal(72, 18).contains('*'));
}

/// The same in characters: no dot of a cell in the columns between.
#[test]
fn gaps_are_gaps_in_characters() {
    let drawn = linear().series(Series::new("", gappy(&[3, 4, 5, 6, 7]))).terminal(72, 18);
    let rows: Vec<Vec<char>> = drawn
        .lines()
        .filter_map(|line| line.split(['┤', '│']).nth(1))
        .map(|row| row.chars().collect())
        .collect();
    let width = drawn.lines().find_map(|line| line.split('└').nth(1)).unwrap().chars().count();
    let column = |x: f64| (x / 10.0 * (width - 1) as f64).round() as usize;
    let is_empty = |at: usize| rows.iter().all(|row| row.get(at).is_none_or(|cell| *cell == ' '));
    assert!((column(2.0) + 2..column(8.0) - 1).all(is_empty), "{drawn}");
    assert!(!is_empty(column(1.0)) && !is_empty(column(9.0)), "{drawn}");
}

/// Infinite points, and zeros on a logarithmic axis, are gaps too.
#[test]
fn what_an_axis_cannot_show_is_a_gap() {
    let points =
        vec![(0.0, 1.0), (1.0, 0.1), (2.0, 0.0), (3.0, 0.1), (4.0, f64::INFINITY), (5.0, 1.0), (6.0, 0.5)];
    let svg = Chart::new(Axis::linear("x"), Axis::logarithmic("y")).series(Series::new("", points)).svg();
    assert_eq!(shapes(&svg, "polyline", BLUE).len(), 2);
    assert_eq!(dots(&svg, BLUE).len(), 1);
}

/// A step says how high a line is up to the next point, also if nothing is known from there on.
#[test]
fn steps_end_at_a_gap() {
    let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 1.0)];
    let svg = linear().series(Series::new("", points).look(Look::Steps)).svg();
    let [left, right, ..] = frame(&svg);
    let x = |share: f64| left + share * (right - left);
    let lines = shapes(&svg, "polyline", BLUE);
    assert_eq!(lines.len(), 2);
    let (first, second) = (&lines[0], &lines[1]);
    assert!(
        (first.last().unwrap().0 - x(0.5)).abs() < 0.02 && (second[0].0 - x(0.75)).abs() < 0.02,
        "{lines:?}"
    );
    assert_eq!(shapes(&svg, "polygon", BLUE).len(), 2);
}

/// Lower ends that are 0 or next to it do not stretch a logarithmic axis: they are below it.
#[test]
fn lower_ends_next_to_0_do_not_stretch_an_axis() {
    for low in [0.0, 5e-324, 1e-300, -0.0] {
        let points: Vec<Point> = (0..10).map(|i| (f64::from(i), 10f64.powi(-i))).collect();
        let band = points.iter().map(|&(x, y)| (x, if x > 4.0 { low } else { 0.9 * y }, y)).collect();
        let chart =
            Chart::new(Axis::linear("x"), Axis::logarithmic("y")).series(Series::new("", points).band(band));
        let smallest = |words: Vec<String>| {
            let powers = words.iter().filter_map(|word| word.strip_prefix("10−")?.parse::<i32>().ok());
            powers.max().unwrap()
        };
        let drawn = words(&chart.svg());
        assert!((3..=12).contains(&smallest(drawn.clone())), "{low:e}: {drawn:?}");
        let svg = chart.svg();
        let [.., top, bottom] = frame(&svg);
        let band = shapes(&svg, "polygon", BLUE).concat();
        assert!(band.iter().all(|(_, y)| (top - 0.01..=bottom + 0.01).contains(y)), "{band:?}");
        assert!(band.iter().any(|(_, y)| (y - bottom).abs() < 0.01), "the band goes down to the frame");
    }
}

/// An upper end over a lower end of 0 may be anything small, such as what rounding left: other points say how long the axis is.
#[test]
fn points_that_may_be_0_do_not_stretch_an_axis() {
    let points = vec![(0.0, 1e-1), (1.0, 1e-3), (2.0, 1e-315)];
    let band = vec![(0.0, 0.9e-1, 1e-1), (1.0, 0.9e-3, 1e-3), (2.0, 0.0, 1e-315)];
    let with = |points: &[Point], band: &[(f64, f64, f64)]| {
        let series = Series::new("", points.to_vec()).band(band.to_vec());
        words(&Chart::new(Axis::linear("x"), Axis::logarithmic("y")).series(series).svg())
    };
    let powers: Vec<String> =
        with(&points, &band).into_iter().filter(|word| word.starts_with("10")).collect();
    assert_eq!(powers, ["10−3", "10−2", "10−1"]);
    // Where there is nothing else, they say it.
    assert!(with(&points[2..], &band[2..]).iter().any(|word| word.contains("−315")));
}

/// An axis is as long as numbers that were given: ends of bands count where points are near, and infinite ones nowhere.
#[test]
fn axes_are_as_long_as_what_was_given() {
    let points = vec![(0.0, 1e-4), (1.0, 1e-6), (2.0, f64::INFINITY), (3.0, 0.0), (4.0, f64::NAN)];
    let band = points.iter().map(|&(x, y)| (x, 0.01 * y, f64::INFINITY)).collect();
    let svg = Chart::new(Axis::linear("x"), Axis::logarithmic("y"))
        .series(Series::new("", points).band(band))
        .svg();
    let powers: Vec<String> = words(&svg).into_iter().filter(|word| word.starts_with("10")).collect();
    assert_eq!(powers, ["10−8", "10−7", "10−6", "10−5", "10−4"]);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Stems stand where their points are, from 0 up to the heads, and those of two series beside each other.
#[test]
fn stems_stand_at_their_points() {
    let points = [(-3.0, 0.1), (0.0, 0.25), (1.0, 0.4)];
    let of = |name: &str| Series::new(name, points.to_vec()).look(Look::Stems);
    let svg = linear().series(of("")).svg();
    let [left, right, top, bottom] = frame(&svg);
    // 3 % of the axes are room.
    let x = |value: f64| left + (right - left) * ((value + 3.0) / 4.0 + 0.03) / 1.06;
    let y = |value: f64| bottom - (bottom - top) * value / 0.4 / 1.03;
    let lines = shapes(&svg, "polyline", BLUE);
    assert_eq!((lines.len(), dots(&svg, BLUE).len()), (3, 3));
    for ((line, dot), point) in lines.iter().zip(dots(&svg, BLUE)).zip(points) {
        assert!((line[0].1 - bottom).abs() < 0.02 && line[1] == dot, "{line:?}");
        assert!((dot.0 - x(point.0)).abs() < 0.02 && (dot.1 - y(point.1)).abs() < 0.02, "{dot:?} {point:?}");
    }
    let svg = linear().series(of("")).series(of("")).svg();
    for (blue, red) in dots(&svg, BLUE).into_iter().zip(dots(&svg, VERMILION)) {
        assert!((4.0..7.0).contains(&(red.0 - blue.0)), "{blue:?} {red:?}");
    }
    let drawn = linear().series(of("a")).series(of("b")).terminal(60, 16);
    assert!(
        drawn.contains('│') && drawn.matches('*').count() == 4 && drawn.matches('+').count() == 4,
        "{drawn}"
    );
}

/// What stands on an axis stands on 0: otherwise its length would say nothing.
#[test]
fn stems_and_bars_begin_at_0() {
    for look in [Look::Stems, Look::Bars, Look::Steps] {
        let svg = linear().series(Series::new("", vec![(0.0, 5.0), (1.0, 6.0)]).look(look)).svg();
        assert!(words(&svg).contains(&"0".to_owned()), "{look:?}: {:?}", words(&svg));
    }
}

/// A second axis has a scale of its own.
#[test]
fn the_axis_on_the_right_measures_its_own_series() {
    let chart = linear()
        .right(Axis::linear("probability"))
        .series(Series::new("density", vec![(0.0, 100.0), (1.0, 200.0)]).look(Look::Steps))
        .series(Series::new("weight", vec![(0.5, 0.25)]).look(Look::Stems).on_the_right());
    let svg = chart.svg();
    let [_, right, top, bottom] = frame(&svg);
    let head = dots(&svg, VERMILION)[0];
    assert!((bottom - head.1 - (bottom - top) / 1.03).abs() < 0.02, "{head:?}");
    let beside = svg.lines().filter(|line| line.starts_with("<text") && attribute(line, "x") > right);
    assert!(beside.map(|line| words(line)[0].clone()).collect::<Vec<_>>().contains(&"0.25".to_owned()));
    let drawn = chart.terminal(72, 18);
    assert!(drawn.contains("probability") && drawn.contains("├ 0.2"), "{drawn}");
}

const LONG: &str = "poisson(gaussian(sigma=1.123456789), rate=0.0123) * 10^{5} + laplace(scale=12.5) * 1000 + exponential(epsilon=0.25)";

/// Many curves with long names.
fn crowded(curves: usize, name: &str) -> Chart {
    let curve = |k: usize| (0..20).map(|x| (f64::from(x), (f64::from(x) / 3.0 + k as f64).sin())).collect();
    (0..curves).fold(linear().title(LONG.repeat(2)), |chart, k| {
        chart.series(Series::new(format!("{name}, k = {k}"), curve(k)))
    })
}

/// Every line and area of a drawing is on its sheet. How wide words are is measured where they are made.
fn assert_on_the_sheet(svg: &str) {
    let head = svg.lines().next().unwrap();
    let (right, bottom) = (attribute(head, "width"), attribute(head, "height"));
    for line in svg.lines() {
        let points =
            line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        for point in points.split_whitespace() {
            let (x, y): (f64, f64) =
                point.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap();
            assert!((0.0..=right).contains(&x) && (0.0..=bottom).contains(&y), "{line}");
        }
    }
}

/// Names and titles that are too long lose their middle, many of them make the sheet higher: nothing leaves it, or hides a curve.
#[test]
fn legends_and_titles_stay_on_the_sheet() {
    for (curves, name) in
        [(1, LONG), (3, LONG), (40, "k"), (40, LONG), (8, "a name of middle length"), (3, "")]
    {
        let svg = crowded(curves, name).svg();
        assert_on_the_sheet(&svg);
        assert_eq!(words(&svg).iter().filter(|word| word.contains(", k = ")).count(), curves, "{name}");
        assert!(words(&svg)[..].iter().any(|word| word.contains('…')), "the title is too long");
    }
    let sheet = Sheet::new("", 2).chart(crowded(2, LONG)).chart(crowded(20, "b"));
    assert_on_the_sheet(&sheet.svg());
    let names = vec![LONG.to_owned(), "short".to_owned()];
    let named = Chart::new(Axis::linear("x"), Axis::named("", names))
        .series(Series::new("a", vec![(0.0, 0.0), (1.0, 1.0)]));
    assert_on_the_sheet(&named.svg());
}

/// The box of a legend and the frame do not overlap, or the box is inside, where no curve is.
#[test]
fn legends_are_clear_of_curves_or_below_the_frame() {
    for (curves, name) in [(1, "a"), (2, "a"), (6, "b"), (12, "c"), (40, "d"), (3, LONG)] {
        let svg = crowded(curves, name).svg();
        let [_, _, top, bottom] = frame(&svg);
        let colours = [BLUE, VERMILION, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555"];
        let curve_points: Vec<Point> = colours
            .iter()
            .flat_map(|colour| shapes(&svg, "polyline", colour))
            .filter(|points| points.len() > 2)
            .flatten()
            .collect();
        for line in svg.lines().filter(|line| line.starts_with("<text") && line.contains(", k = ")) {
            let (x, y) = (attribute(line, "x"), attribute(line, "y"));
            let is_below = y > bottom + 20.0;
            let is_inside = y > top && y < bottom;
            assert!(is_below || is_inside, "{line}");
            let hidden = |point: &&Point| point.0 > x - 38.0 && point.0 < x && (point.1 - y).abs() < 10.0;
            assert!(is_below || curve_points.iter().find(hidden).is_none(), "{line}");
        }
    }
}

/// In characters every series has its own, in the drawing and in the legend, and no line is wider than asked for.
#[test]
fn curves_can_be_told_apart_in_characters() {
    let series =
        |k: usize| Series::new(format!("k = {k}"), vec![(0.0, k as f64), (1.0, 2.0 * k as f64 + 1.0)]);
    let chart = (0..5).fold(linear(), |chart, k| chart.series(series(k)));
    let drawn = chart.terminal(72, 24);
    let (drawing, legend) = drawn.split_at(drawn.find('└').unwrap());
    for (k, glyph) in "*+ox#".chars().enumerate() {
        assert!(drawing.matches(glyph).count() > 40, "{glyph}:\n{drawn}");
        assert!(legend.contains(&format!("{glyph} k = {k}")), "{glyph}:\n{drawn}");
    }
    for columns in [24, 40, 72, 100] {
        for chart in [crowded(3, LONG), crowded(40, "k"), chart.clone()] {
            let drawn = chart.terminal(columns, 18);
            assert!(drawn.lines().all(|line| line.chars().count() <= columns), "{columns}:\n{drawn}");
        }
    }
}

/// Two curves at the same place are both to be seen.
#[test]
fn curves_on_top_of_each_other_take_turns() {
    let line = || vec![(0.0, 0.0), (1.0, 1.0)];
    let drawn = linear().series(Series::new("a", line())).series(Series::new("b", line())).terminal(60, 12);
    assert!(drawn.matches('*').count() > 15 && drawn.matches('+').count() > 15, "{drawn}");
}

/// Axes of characters have round numbers, more than their ends, each where its mark is.
#[test]
fn axes_of_characters_have_ticks() {
    let line = (0..=10).map(|x| (f64::from(x), 10f64.powi(-x))).collect();
    let drawn =
        Chart::new(Axis::linear("x"), Axis::logarithmic("y")).series(Series::new("", line)).terminal(72, 18);
    for label in ["1e0 ┤", "1e-2 ┤", "1e-4 ┤", "1e-10 ┤"] {
        assert!(drawn.contains(label), "{label}:\n{drawn}");
    }
    let marks = drawn.lines().find(|line| line.contains('┬')).unwrap();
    let numbers = drawn.lines().skip_while(|line| !line.contains('┬')).nth(1).unwrap();
    assert_eq!(marks.matches('┬').count(), numbers.split_whitespace().count());
    let middle = marks.chars().enumerate().filter(|(_, c)| *c == '┬').nth(3).unwrap().0;
    assert_eq!(numbers.chars().nth(middle), Some('6'), "{drawn}");
}

/// An empty chart says so, in every form, and has no numbers along an axis that shows none.
#[test]
fn an_empty_chart_says_so() {
    for points in [vec![], vec![(1.0, f64::NAN), (2.0, 0.0)]] {
        let chart = Chart::new(Axis::linear("x"), Axis::logarithmic("y")).series(Series::new("", points));
        let said = "there is no point to be shown";
        assert!(words(&chart.svg()).contains(&said.to_owned()) && chart.terminal(72, 18).contains(said));
        assert!(!words(&chart.svg()).iter().any(|word| word.starts_with("10")));
        chart.png().unwrap();
    }
}

/// One point alone is a dot in the middle of axes of its size.
#[test]
fn one_point_is_a_dot() {
    let svg = Chart::new(Axis::linear("x"), Axis::logarithmic("y"))
        .series(Series::new("", vec![(3.0, 1e-5)]))
        .svg();
    let ([left, right, top, bottom], dots) = (frame(&svg), dots(&svg, BLUE));
    assert_eq!(dots.len(), 1);
    assert!(
        (dots[0].0 - 0.5 * (left + right)).abs() < 0.02 && (dots[0].1 - 0.5 * (top + bottom)).abs() < 0.02
    );
    assert!(words(&svg).iter().any(|word| word == "10−5"), "{:?}", words(&svg));
}
