//! Shapes as SVG. Text stays text, so that it can be searched and copied.

use crate::{
    palette::Colour,
    shape::{Anchor, Drawing, Point, RAISED_BY, RAISED_SIZE, Shape, Text},
};

pub(crate) fn write(drawing: &Drawing) -> String {
    let Drawing { width, height, shapes } = drawing;
    let mut lines = vec![
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif">"#
        ),
        format!(r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##),
    ];
    lines.extend(shapes.iter().map(shape));
    lines.push("</svg>\n".to_owned());
    lines.join("\n")
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, colour, width, dashes } => {
            let dashes = match dashes {
                [] => String::new(),
                dashes => {
                    let list: Vec<String> = dashes.iter().map(f32::to_string).collect();
                    format!(r#" stroke-dasharray="{}""#, list.join(" "))
                }
            };
            format!(
                r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>"#,
                places(points),
                hex(*colour)
            )
        }
        Shape::Area { points, colour, opacity } => {
            format!(
                r#"<polygon points="{}" fill="{}" fill-opacity="{opacity}"/>"#,
                places(points),
                hex(*colour)
            )
        }
        Shape::Dot { at: (x, y), radius, colour } => {
            format!(r#"<circle cx="{x:.2}" cy="{y:.2}" r="{radius}" fill="{}"/>"#, hex(*colour))
        }
        Shape::Text(line) => text(line),
    }
}

fn text(text: &Text) -> String {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = text.at;
    let turn = if text.upward { format!(r#" transform="rotate(-90 {x:.2} {y:.2})""#) } else { String::new() };
    let mut lowered = 0.0;
    let mut runs = String::new();
    for (run, is_raised) in text.runs() {
        if is_raised {
            let (up, size) = (text.size * RAISED_BY, text.size * RAISED_SIZE);
            runs += &format!(r#"<tspan dy="{:.2}" font-size="{size:.2}">{}</tspan>"#, -up, escaped(run));
            lowered = up;
        } else if lowered > 0.0 {
            runs += &format!(r#"<tspan dy="{lowered:.2}">{}</tspan>"#, escaped(run));
            lowered = 0.0;
        } else {
            runs += &escaped(run);
        }
    }
    format!(
        r##"<text x="{x:.2}" y="{y:.2}" font-size="{}" text-anchor="{anchor}" fill="#222222"{turn}>{runs}</text>"##,
        text.size
    )
}

fn places(points: &[Point]) -> String {
    points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
