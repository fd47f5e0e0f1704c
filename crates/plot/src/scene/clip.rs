//! The parts of lines and areas inside the frame.

/// A place, each coordinate from 0 to 1.
pub(crate) type Place = (f64, f64);

/// A rectangle with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) top: f64,
}

/// The frame of a chart.
pub(super) const FRAME: Rectangle = Rectangle { left: 0.0, right: 1.0, bottom: 0.0, top: 1.0 };

/// The ends of an axis are often points of the line: a hair's breadth of tolerance.
const HAIR: f64 = 1e-9;

impl Rectangle {
    pub(crate) fn contains(&self, (x, y): Place) -> bool {
        (self.left - HAIR..=self.right + HAIR).contains(&x)
            && (self.bottom - HAIR..=self.top + HAIR).contains(&y)
    }

    pub(crate) fn meets(&self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
    }

    /// The part of a segment inside (Liang and Barsky, ACM TOG 3, 1984).
    pub(crate) fn clipped(&self, a: Place, b: Place) -> Option<(Place, Place)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut enters, mut leaves) = (0.0f64, 1.0f64);
        let sides =
            [(-dx, a.0 - self.left), (dx, self.right - a.0), (-dy, a.1 - self.bottom), (dy, self.top - a.1)];
        for (speed, room) in sides.map(|(speed, room)| (speed, room + HAIR)) {
            if speed == 0.0 && room < 0.0 {
                return None;
            }
            if speed < 0.0 {
                enters = enters.max(room / speed);
            } else if speed > 0.0 {
                leaves = leaves.min(room / speed);
            }
        }
        let at = |share: f64| (a.0 + share * dx, a.1 + share * dy);
        (enters <= leaves)
            .then(|| (if enters > 0.0 { at(enters) } else { a }, if leaves < 1.0 { at(leaves) } else { b }))
    }

    /// The parts of a line inside.
    pub(crate) fn lines(&self, places: &[Place]) -> Vec<Vec<Place>> {
        let mut lines: Vec<Vec<Place>> = vec![];
        for (a, b) in places.windows(2).filter_map(|pair| self.clipped(pair[0], pair[1])) {
            match lines.last_mut() {
                Some(line) if line.last() == Some(&a) => line.push(b),
                Some(_) | None => lines.push(vec![a, b]),
            }
        }
        lines
    }

    /// The part of an area inside, side by side (Sutherland and Hodgman, CACM 17, 1974).
    pub(crate) fn area(&self, corners: Vec<Place>) -> Vec<Place> {
        // How far inside a place is, seen from each side.
        let sides: [&dyn Fn(Place) -> f64; 4] =
            [&|(x, _)| x - self.left, &|(x, _)| self.right - x, &|(_, y)| y - self.bottom, &|(_, y)| {
                self.top - y
            }];
        sides.iter().fold(corners, |corners, inside| {
            let mut kept = vec![];
            for (at, &here) in corners.iter().enumerate() {
                let before = corners[(at + corners.len() - 1) % corners.len()];
                let (from, to) = (inside(before), inside(here));
                if (from < 0.0) != (to < 0.0) {
                    let share = from / (from - to);
                    kept.push((
                        before.0 + share * (here.0 - before.0),
                        before.1 + share * (here.1 - before.1),
                    ));
                }
                if to >= 0.0 {
                    kept.push(here);
                }
            }
            kept
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_leave_and_enter_the_frame() {
        let zigzag = [(0.2, 0.5), (0.4, 1.5), (0.6, 0.5), (0.8, -0.5)];
        let lines = FRAME.lines(&zigzag);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().flatten().all(|&place| FRAME.contains(place)), "{lines:?}");
        assert!((lines[0][1].0 - 0.3).abs() < 1e-6 && (lines[1][0].0 - 0.5).abs() < 1e-6);
    }

    /// A triangle with its tip above the frame has four corners inside; moving the tip into the frame would bend its sides.
    #[test]
    fn areas_keep_the_slope_of_their_sides() {
        let inside = FRAME.area(vec![(0.0, 0.0), (0.5, 2.0), (1.0, 0.0)]);
        assert_eq!(inside, [(0.0, 0.0), (0.25, 1.0), (0.75, 1.0), (1.0, 0.0)]);
        assert!(FRAME.area(vec![(2.0, 0.0), (3.0, 1.0), (2.0, 1.0)]).is_empty());
    }
}
