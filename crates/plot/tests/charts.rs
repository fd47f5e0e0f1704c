//! Charts in every form.

use hockeystick_plot::{Axis, Chart, Look, Series};

fn chart() -> Chart {
    let points =
        |f: fn(f64) -> f64| (0..=60).map(|i| f64::from(i) / 10.0).map(|x| (x, f(x))).collect::<Vec<_>>();
    let band = points(|x| (-x * x / 2.0).exp()).into_iter().map(|(x, y)| (x, 0.5 * y, 2.0 * y)).collect();
    Chart::new(Axis::linear("ε"), Axis::logarithmic("δ(ε)").between(1e-8, 1.0))
        .title("gaussian(sigma=1) * 10 & <others>")
        .series(Series::new("contour", points(|x| (-x * x / 2.0).exp())).band(band))
        .series(Series::new("moments", points(|x| (0.6 - x).exp())))
        .series(Series::new("steps", points(|x| 0.3 / (1.0 + x.floor()))).look(Look::Steps))
        .series(Series::new("dots", points(|x| 1e-3 + 1e-4 * x)).look(Look::Dots))
}

#[test]
fn svg_is_text_with_escapes() {
    let svg = chart().svg();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("gaussian(sigma=1) * 10 &amp; &lt;others&gt;"));
    assert!(svg.contains(r#"10<tspan dy="-4.56" font-size="8.64">−8</tspan>"#), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // Every polyline stays within the picture.
    for places in svg.split("points=\"").skip(1) {
        for place in places.split('"').next().unwrap().split(' ') {
            let (x, y) = place.split_once(',').unwrap();
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            assert!((0.0..=640.0).contains(&x) && (0.0..=420.0).contains(&y), "{place}");
        }
    }
}

#[test]
fn png_has_the_colours_of_its_series() {
    let png = chart().png().unwrap();
    assert_eq!(&png[1..4], b"PNG");
    let picture = tiny_skia::Pixmap::decode_png(&png).unwrap();
    assert_eq!((picture.width(), picture.height()), (1280, 840));
    for colour in [(0x00, 0x72, 0xb2), (0xd5, 0x5e, 0x00), (0x00, 0x9e, 0x73)] {
        let found = picture.pixels().iter().filter(|p| (p.red(), p.green(), p.blue()) == colour).count();
        assert!(found > 300, "{colour:?}: {found}");
    }
}

#[test]
fn characters_show_the_curve() {
    let line = (0..=10).map(|x| (f64::from(x), f64::from(x))).collect();
    let chart = Chart::new(Axis::linear("x"), Axis::linear("y")).series(Series::new("", line));
    insta::assert_snapshot!(chart.terminal(30, 7));
}

#[test]
fn nothing_to_show_is_shown_as_nothing() {
    let empty = Chart::new(Axis::logarithmic("x"), Axis::linear("y"))
        .series(Series::new("a", vec![(0.0, 1.0), (f64::NAN, 2.0)]))
        .series(Series::new("b", vec![]));
    assert!(!empty.svg().contains("NaN"));
    empty.png().unwrap();
    assert!(!empty.terminal(0, 0).is_empty());
}

/// Names in place of numbers, spans with dots at both ends, one row for each name in a terminal.
#[test]
fn names_stand_for_numbers() {
    let spans = vec![(1.0, 2.0), (10.0, 2.0), (2.0, 1.0), (3.0, 1.0)];
    let chart = Chart::new(
        Axis::logarithmic("ε").between(0.5, 20.0),
        Axis::named("", ["dots", "short", "long"].map(str::to_owned).to_vec()),
    )
    .series(Series::new("spans", spans).look(Look::Spans))
    .series(Series::new("dots", vec![(5.0, 0.0)]).look(Look::Dots));
    let svg = chart.svg();
    assert!(svg.contains(">long</text>") && svg.contains(">short</text>"));
    // Four ends, the dot, and its sample in the legend.
    assert_eq!(svg.matches("<circle").count(), 6);
    insta::assert_snapshot!(chart.terminal(40, 9));
}

/// Four points of a line that crosses the corner where a legend usually is: none of them is in the corner.
#[test]
fn the_legend_keeps_clear_of_lines() {
    let rising = [0.0, 0.3, 0.6, 1.0].map(|x| (x, x)).to_vec();
    let svg = Chart::new(Axis::linear("x"), Axis::linear("y"))
        .series(Series::new("rising", rising))
        .series(Series::new("low", vec![(0.0, 0.0), (1.0, 0.05)]))
        .svg();
    let place = svg.split(">rising</text>").next().unwrap().rsplit("<text x=\"").next().unwrap();
    let x: f64 = place.split('"').next().unwrap().parse().unwrap();
    assert!(x < 320.0, "{place}");
}

/// The places of the corners of all areas of a colour.
fn corners(svg: &str, colour: &str) -> Vec<(f64, f64)> {
    let of_colour = svg.lines().filter(|line| line.starts_with("<polygon") && line.contains(colour));
    let points = of_colour.flat_map(|line| line.split('"').nth(1).unwrap().split(' '));
    let place = |text: &str| text.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()));
    points.map(|point| place(point).unwrap()).collect()
}

/// Bars at the ends of an axis are whole, and where the axis is too short they end at the frame: none covers a label.
#[test]
fn bars_stay_within_the_frame() {
    let bars = || Series::new("", (-5..=5).map(|x| (f64::from(x), 1.0)).collect()).look(Look::Bars);
    let frame = |svg: &str| {
        let frame =
            svg.lines().find(|line| line.starts_with("<polyline") && line.contains("#222222")).unwrap();
        let x = |text: &str| text.split(',').next().unwrap().parse::<f64>().unwrap();
        let mut points = frame.split('"').nth(1).unwrap().split(' ').map(x);
        (points.next().unwrap(), points.nth(1).unwrap())
    };
    for axis in [Axis::linear("x"), Axis::linear("x").between(-5.0, 4.9)] {
        let svg = Chart::new(axis, Axis::linear("y").including(0.0)).series(bars()).svg();
        let (left, right) = frame(&svg);
        let corners = corners(&svg, "#0072b2");
        assert_eq!(corners.len(), 44);
        assert!(corners.iter().all(|(x, _)| (left..=right).contains(x)), "{left} {right} {corners:?}");
    }
    let svg = Chart::new(Axis::linear("x"), Axis::linear("y").including(0.0)).series(bars()).svg();
    let widths: Vec<f64> = corners(&svg, "#0072b2").chunks(4).map(|bar| bar[2].0 - bar[0].0).collect();
    assert!(widths.iter().all(|width| (width - widths[5]).abs() < 0.02), "{widths:?}");
}

/// A line through dots leaves them visible: they are drawn after it.
#[test]
fn dots_are_drawn_over_lines() {
    let line = vec![(0.0, 0.0), (1.0, 1.0)];
    let svg = Chart::new(Axis::linear("x"), Axis::linear("y"))
        .series(Series::new("", vec![(0.5, 0.5)]).look(Look::Dots))
        .series(Series::new("", line))
        .svg();
    assert!(svg.find("<circle").unwrap() > svg.find("#d55e00").unwrap());
}
