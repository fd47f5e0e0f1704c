//! The points of a grid, or the rows of a file, and their questions.

use super::{
    arguments::{QUESTIONS, Sweep},
    row::{Reading, Row},
    stream::Stop,
    table::{Cell, Table},
};
use crate::{command::common::Subject, command::common::number, failure::Failure, progress::Progress};
use hockeystick::{
    engine::Goal,
    mechanism::Pattern,
    query::{
        Method,
        batch::{Asked, each_answer, in_order},
    },
};
use std::{convert::Infallible, ops::ControlFlow};

/// What the answers of a file have columns for.
const ANSWERS: [&str; 5] = ["lower", "upper", "guarantee", "method", "error"];

/// All of them: for each row every method.
pub(super) struct Points<'a> {
    pub(super) sweep: &'a Sweep,
    /// The rows, unless there is a grid.
    pub(super) table: Option<Table>,
    pub(super) pattern: Pattern,
}

impl Points<'_> {
    pub(super) fn count(&self) -> usize {
        let grid = || self.sweep.grid.iter().map(|grid| grid.values.len()).product();
        let rows: usize = self.table.as_ref().map_or_else(grid, |table| table.rows.len());
        [rows, self.sweep.methods().len()].into_iter().product()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let grid = self.sweep.grid.iter().map(|grid| grid.name.as_str());
        let columns = self.table.iter().flat_map(|table| table.names.iter().map(String::as_str));
        grid.chain(columns)
    }

    /// Is δ what is asked for?
    pub(super) fn asks_delta(&self) -> bool {
        self.sweep.epsilon.is_some() || self.names().any(|name| name == "epsilon")
    }

    /// Every name is used, and every brace is a name.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let complaint = |message: String| Err(Failure::Request(message));
        let (filled, names): (_, Vec<&str>) = (self.pattern.names(), self.names().collect());
        let what = if self.table.is_some() { "column" } else { "grid" };
        for (position, name) in names.iter().enumerate() {
            if names[..position].contains(name) {
                return complaint(format!("there are two grids for {name}; remove one"));
            }
            if QUESTIONS.contains(name) && (self.sweep.epsilon.is_some() || self.sweep.delta.is_some()) {
                return complaint(format!(
                    "a {what} for {name} is the question; leave out --epsilon and --delta"
                ));
            }
            if self.table.is_none() && !QUESTIONS.contains(name) && !filled.contains(name) {
                return complaint(format!(
                    "{{{name}}} is not in the expression; write it where its values go"
                ));
            }
            if self.table.is_some() && ANSWERS.contains(name) {
                return complaint(format!("the answers have a column {name}, too; rename that of the rows"));
            }
        }
        if let Some(name) = filled.iter().find(|name| self.table.is_some() && !names.contains(name)) {
            return complaint(format!(
                "there is no column {name} for {{{name}}}; the columns are {}",
                names.join(", ")
            ));
        }
        let asked = names.iter().filter(|name| QUESTIONS.contains(name)).count();
        if asked > 1 {
            return complaint(format!("there are {what}s for epsilon and delta; ask for one of them"));
        }
        if asked == 0 && self.sweep.epsilon.is_none() && self.sweep.delta.is_none() {
            return complaint(format!(
                "there is no question; give --delta, --epsilon, or a {what} for one of them"
            ));
        }
        Ok(())
    }

    /// The row of a point.
    pub(super) fn row(&self, position: usize, answer: Result<Reading, String>) -> Row {
        let methods = self.sweep.methods();
        let (place, method) = (position / methods.len(), methods[position % methods.len()]);
        let values = match &self.table {
            Some(table) => table.rows[place].0.clone(),
            None => self.point(place).into_iter().map(Cell::Number).collect(),
        };
        Row { values, method, answer }
    }

    /// The values of a point of the grid, the last name changing fastest.
    fn point(&self, position: usize) -> Vec<f64> {
        let mut rest = position;
        let mut values: Vec<f64> = (self.sweep.grid.iter().rev())
            .map(|grid| {
                let value = grid.values[rest % grid.values.len()];
                rest /= grid.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// All answers in order; each is handed on when all before it are known. What is asked twice is answered once.
    pub(super) fn answers(
        &self,
        known: Vec<Row>,
        mut hand_on: impl FnMut(&Row) -> Result<(), Stop>,
    ) -> Result<Vec<Row>, Stop> {
        let (first, total) = (known.len(), self.count());
        let progress = Progress::new(total);
        let mut rows: Vec<Row> = Vec::with_capacity(total);
        let mut add = |row: Row| -> Result<(), Stop> {
            hand_on(&row)?;
            progress.step();
            rows.push(row);
            Ok(())
        };
        known.into_iter().try_for_each(&mut add)?;
        let mut questions = Vec::with_capacity(total - first);
        let read: ControlFlow<Infallible> = in_order(
            total - first,
            |at| self.question(first + at),
            |_, question| {
                questions.push(question);
                ControlFlow::Continue(())
            },
        );
        let ControlFlow::Continue(()) = read;
        let (places, asked): (Vec<usize>, Vec<Asked<'_>>) = (questions.iter().enumerate())
            .filter_map(|(at, question)| {
                let (subject, goal, method) = question.as_ref().ok()?;
                Some((at, Asked { query: self.sweep.accounting.query(subject).method(*method), goal: *goal }))
            })
            .unzip();
        let mut due = 0;
        // Up to the next answer nothing is a question.
        let refuse =
            |due: &mut usize, end: usize, add: &mut dyn FnMut(Row) -> Result<(), Stop>| -> Result<(), Stop> {
                for (at, question) in questions.iter().enumerate().take(end).skip(*due) {
                    let reason = question.as_ref().err().cloned().unwrap_or_default();
                    add(self.row(first + at, Err(reason)))?;
                }
                *due = end;
                Ok(())
            };
        let answered = each_answer(
            &asked,
            |answer| match answer {
                Ok(answer) => Ok(Reading::from(&answer)),
                Err(error) => Err(Failure::from(error).to_string()),
            },
            |at, answer| {
                let place = places[at];
                let handed =
                    refuse(&mut due, place, &mut add).and_then(|()| add(self.row(first + place, answer)));
                due = place + 1;
                handed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
            },
        );
        if let ControlFlow::Break(stop) = answered {
            return Err(stop);
        }
        refuse(&mut due, questions.len(), &mut add)?;
        drop(progress);
        Ok(rows)
    }

    /// What is asked in a row.
    fn question(&self, position: usize) -> Result<(Subject, Goal, Method), String> {
        let Row { values, method, .. } = self.row(position, Err(String::new()));
        let problem = self
            .table
            .as_ref()
            .and_then(|table| table.rows[position / self.sweep.methods().len()].1.as_ref());
        if let Some(problem) = problem {
            return Err(problem.clone());
        }
        let cell = |name: &str| {
            let cell = self.names().zip(&values).find_map(|(known, cell)| (known == name).then_some(cell));
            cell.filter(|cell| **cell != Cell::Missing)
        };
        let text = self.pattern.fill(cell).map_err(|missing| missing.to_string())?;
        let asked = |name: &str, given: Option<f64>| match (given, cell(name)) {
            (Some(given), _) => Ok(Some(given)),
            (None, Some(Cell::Number(number))) => Ok(Some(*number)),
            (None, Some(Cell::Text(text))) => {
                number(text).map(Some).map_err(|error| format!("{name} is {text:?}: {error}"))
            }
            (None, Some(Cell::Missing) | None) => Ok(None),
        };
        let goal = match (asked("epsilon", self.sweep.epsilon)?, asked("delta", self.sweep.delta)?) {
            (Some(epsilon), _) => Goal::Delta { epsilon },
            (None, Some(delta)) => Goal::Epsilon { delta },
            (None, None) => return Err("there is no value for epsilon or delta".to_owned()),
        };
        let mechanism = self.sweep.access.of_arguments().mechanism(&text);
        let mechanism = mechanism.map_err(|error| Failure::Expression { text, error }.to_string())?;
        Ok((
            Subject { mechanism, relation: self.sweep.accounting.relation.unwrap_or_default() },
            goal,
            method,
        ))
    }
}
