//! Nodes as a workload: which keys there are, and what they may hold.

use super::{
    node::{Entry, Misplaced, Node, Value},
    parts::{Ask, Goal, Group, Workload, Written},
};
use crate::visible::visible;
use hockeystick::{
    Answer, Error, Query,
    mechanism::{Algebra, Batches, Duration, Files, Gaussian, MAX_COUNT, ParseError, Problem, Training},
};

pub(super) fn workload(node: &Node, files: &Files) -> Result<Workload<Written>, Misplaced> {
    let mut table = Table::of(node, "")?;
    let title = table.take("title").map(|field| field.text().map(str::to_owned)).transpose()?;
    let relation = table.take("relation").map(|field| field.parsed()).transpose()?;
    let groups: Vec<Group<Written>> = table
        .need("groups", "a list of groups")?
        .list()?
        .iter()
        .map(|field| group(field, files))
        .collect::<Result<_, _>>()?;
    if groups.is_empty() {
        return Err(Misplaced::new(
            node.span.start..node.span.start,
            "key groups: there must be at least one group",
        ));
    }
    for (position, group) in groups.iter().enumerate() {
        if groups[..position].iter().any(|earlier| earlier.name == group.name) {
            let message = format!(
                "key groups[{position}].name: there are two groups named {:?}; rename one",
                group.name
            );
            return Err(Misplaced::new(table.span_of("groups", position), message));
        }
    }
    let targets = match table.take("targets") {
        Some(field) => field.list()?.iter().map(|field| goal(field, &groups)).collect::<Result<_, _>>()?,
        None => vec![],
    };
    table.finish()?;
    Ok(Workload { title, relation, groups, targets })
}

fn group(field: &Field<'_>, files: &Files) -> Result<Group<Written>, Misplaced> {
    let mut table = Table::of(field.node, &field.path)?;
    let name = table.need("name", "a text")?.text()?.to_owned();
    let (written, assumptions) = match (table.take("mechanism"), table.take("training")) {
        (Some(mechanism), None) => (mechanism.written(files)?, vec![]),
        (None, Some(training)) => trained(&training)?,
        (Some(_), Some(training)) => {
            return Err(training.wrong("a group has a mechanism or a training, not both; remove one"));
        }
        (None, None) => {
            return Err(field
                .wrong("a group needs a mechanism or a training; write mechanism = \"gaussian(sigma=1)\""));
        }
    };
    let written = match table.take("count") {
        None => written,
        Some(count) if count.is_hole() => {
            let text = format!("({}) * ?", written.text);
            written.mechanism.and(Ok(Written { text, mechanism: Err(count.hole()) }))?
        }
        Some(count) => repeated(written, count.whole()?),
    };
    table.finish()?;
    Ok(Group { name, mechanism: written, assumptions })
}

fn repeated(Written { text, mechanism }: Written, count: u64) -> Written {
    let mechanism = mechanism.map(|mechanism| mechanism.repeat(count));
    Written { text: format!("({text}) * {count}"), mechanism }
}

/// DP-SGD in the words of those who train.
fn trained(field: &Field<'_>) -> Result<(Written, Vec<String>), Misplaced> {
    let mut table = Table::of(field.node, &field.path)?;
    let examples = table.need("examples", "a whole number")?.whole()?;
    let batch = table.need("batch", "a whole number")?.whole()?;
    let duration = match (table.take("epochs"), table.take("steps")) {
        (Some(epochs), None) => Duration::Epochs(epochs.number()?),
        (None, Some(steps)) => Duration::Steps(steps.whole()?),
        (Some(_), Some(steps)) => return Err(steps.wrong("give epochs or steps, not both; remove one")),
        (None, None) => return Err(field.wrong("a training needs epochs or steps")),
    };
    let noise = table.need("noise", "a number")?;
    let batches = match table.take("batches") {
        None => Batches::Poisson,
        Some(field) => match field.text()? {
            "poisson" => Batches::Poisson,
            "fixed" => Batches::Fixed,
            "shuffled-bins" => Batches::Bins,
            other => {
                let must = "must be \"poisson\", \"fixed\" or \"shuffled-bins\"";
                return Err(field.wrong(&format!("is {other:?}, but {must}")));
            }
        },
    };
    table.finish()?;
    let refused = |error: hockeystick::mechanism::InvalidParameter| field.wrong(&error.to_string());
    let training = Training::new(examples, batch, duration, batches).map_err(refused)?;
    let written = if noise.is_hole() {
        let template = training.template().map_err(|error| field.wrong(&error.to_string()))?;
        Written { text: template.text().to_owned(), mechanism: Err(noise.hole()) }
    } else {
        let mechanism = training.mechanism(noise.number()?).map_err(refused)?;
        Written { text: mechanism.to_string(), mechanism: Ok(mechanism) }
    };
    Ok((written, training.assumptions()))
}

fn goal(field: &Field<'_>, groups: &[Group<Written>]) -> Result<Goal, Misplaced> {
    let mut table = Table::of(field.node, &field.path)?;
    let name = table.take("name").map(|field| field.text().map(str::to_owned)).transpose()?;
    let chosen = match table.take("groups") {
        None => (0..groups.len()).collect(),
        Some(field) => {
            let names = field.list()?;
            if names.is_empty() {
                return Err(field.wrong("is empty; leave it out for all groups"));
            }
            names.iter().map(|name| position(name, groups)).collect::<Result<_, _>>()?
        }
    };
    let [epsilon, delta, advantage, fpr, tpr] =
        ["epsilon", "delta", "advantage", "fpr", "tpr"].map(|key| table.take(key));
    let (epsilon, delta) = (checked(epsilon, |q, x| q.delta(x))?, checked(delta, |q, x| q.epsilon(x))?);
    let fpr = checked(fpr, |q, x| q.true_positives(x))?;
    let (advantage, tpr) = (rate(advantage)?, rate(tpr)?);
    table.finish()?;
    let ask = match (epsilon, delta, advantage, fpr, tpr) {
        (at_most, Some(delta), None, None, None) => Ask::Epsilon { delta, at_most },
        (Some(epsilon), None, None, None, None) => Ask::Delta { epsilon },
        (None, None, Some(at_most), None, None) => Ask::Advantage { at_most },
        (None, None, None, Some(false_positives), at_most) => Ask::TruePositives { false_positives, at_most },
        _ => {
            return Err(field.wrong(
                "a target has delta, epsilon, both, advantage, or fpr with or without tpr, and nothing else of these",
            ));
        }
    };
    Ok(Goal { name, groups: chosen, ask })
}

/// The number of a question, refused as the question would refuse it.
fn checked(
    field: Option<Field<'_>>,
    ask: impl Fn(Query<'_>, f64) -> Result<Answer, Error>,
) -> Result<Option<f64>, Misplaced> {
    let Some(field) = field else { return Ok(None) };
    let number = field.number()?;
    let simple = Gaussian::new(1.0).map_err(|error| field.wrong(&error.to_string()))?.into();
    ask(Query::new(&simple), number).map_err(|error| field.wrong(&error.to_string()))?;
    Ok(Some(number))
}

/// A number between 0 and 1.
fn rate(field: Option<Field<'_>>) -> Result<Option<f64>, Misplaced> {
    let Some(field) = field else { return Ok(None) };
    let number = field.number()?;
    if (0.0..=1.0).contains(&number) {
        Ok(Some(number))
    } else {
        Err(field.wrong(&format!("is {number}, but must be from 0 to 1")))
    }
}

fn position(field: &Field<'_>, groups: &[Group<Written>]) -> Result<usize, Misplaced> {
    let name = field.text()?;
    groups.iter().position(|group| group.name == name).ok_or_else(|| {
        let names: Vec<String> = groups.iter().map(|group| visible(&group.name)).collect();
        field.wrong(&format!("there is no group {name:?}; the groups are {}", names.join(", ")))
    })
}

/// A table whose keys are taken one by one, so that those nobody wants are found.
struct Table<'a> {
    entries: &'a [Entry],
    node: &'a Node,
    path: String,
    known: Vec<&'static str>,
}

/// A value and the keys that lead to it.
struct Field<'a> {
    path: String,
    node: &'a Node,
}

impl<'a> Table<'a> {
    fn of(node: &'a Node, path: &str) -> Result<Self, Misplaced> {
        match &node.value {
            Value::Table(entries) => Ok(Self { entries, node, path: path.to_owned(), known: vec![] }),
            Value::Text(_) | Value::Number(_) | Value::List(_) | Value::Other(_) => {
                Err(Field { path: path.to_owned(), node }.not("a table"))
            }
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.known.push(key);
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        let path = if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) };
        Some(Field { path, node: &entry.node })
    }

    fn need(&mut self, key: &'static str, expected: &str) -> Result<Field<'a>, Misplaced> {
        let place = if self.path.is_empty() { String::new() } else { format!("key {}: ", self.path) };
        self.take(key).ok_or_else(|| {
            let start = self.node.span.start;
            let end = self.node.span.end.min(start + 1);
            Misplaced::new(start..end, format!("{place}the key {key} is missing; give {expected}"))
        })
    }

    /// Where the `position`-th item of a list is.
    fn span_of(&self, key: &str, position: usize) -> std::ops::Range<usize> {
        let list = self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node.value);
        match list {
            Some(Value::List(nodes)) => nodes[position].span.clone(),
            Some(Value::Text(_) | Value::Number(_) | Value::Table(_) | Value::Other(_)) | None => {
                self.node.span.clone()
            }
        }
    }

    /// Refuses keys that nobody took.
    fn finish(&self) -> Result<(), Misplaced> {
        let Some(entry) = self.entries.iter().find(|entry| !self.known.contains(&entry.key.as_str())) else {
            return Ok(());
        };
        let place = if self.path.is_empty() { String::new() } else { format!(" in {}", self.path) };
        let known = self.known.join(", ");
        Err(Misplaced::new(
            entry.key_span.clone(),
            format!("there is no key {:?}{place}; the keys are {known}", entry.key),
        ))
    }
}

impl Field<'_> {
    fn wrong(&self, message: &str) -> Misplaced {
        Misplaced::new(self.node.span.clone(), format!("key {}: {message}", self.path))
    }

    fn not(&self, expected: &str) -> Misplaced {
        self.wrong(&format!("this is {}, but must be {expected}", self.node.value.words()))
    }

    fn text(&self) -> Result<&str, Misplaced> {
        match &self.node.value {
            Value::Text(text) => Ok(text),
            Value::Number(_) | Value::List(_) | Value::Table(_) | Value::Other(_) => Err(self.not("a text")),
        }
    }

    fn number(&self) -> Result<f64, Misplaced> {
        match self.node.value {
            Value::Number(number) => Ok(number),
            Value::Text(_) | Value::List(_) | Value::Table(_) | Value::Other(_) => Err(self.not("a number")),
        }
    }

    fn whole(&self) -> Result<u64, Misplaced> {
        let number = self.number()?;
        if number.fract() == 0.0 && (1.0..=MAX_COUNT as f64).contains(&number) {
            Ok(number as u64)
        } else {
            Err(self.wrong(&format!("is {number}, but must be a whole number from 1 to 10^15")))
        }
    }

    fn list(&self) -> Result<Vec<Field<'_>>, Misplaced> {
        match &self.node.value {
            Value::List(nodes) => Ok(nodes
                .iter()
                .enumerate()
                .map(|(position, node)| Field { path: format!("{}[{position}]", self.path), node })
                .collect()),
            Value::Text(_) | Value::Number(_) | Value::Table(_) | Value::Other(_) => Err(self.not("a list")),
        }
    }

    fn parsed<T: std::str::FromStr<Err: ToString>>(&self) -> Result<T, Misplaced> {
        self.text()?.parse().map_err(|error: T::Err| self.wrong(&error.to_string()))
    }

    /// Is this a number to be found?
    fn is_hole(&self) -> bool {
        matches!(&self.node.value, Value::Text(text) if text.trim() == "?")
    }

    /// What is said of a number to be found where it must be known.
    fn hole(&self) -> Misplaced {
        self.wrong(&Problem::Hole.to_string())
    }

    fn written(&self, files: &Files) -> Result<Written, Misplaced> {
        let text = self.text()?;
        let misplaced = |error: ParseError| {
            // Inside of an ordinary text in quotes, the place of the problem is known; escapes would shift it.
            let quoted = self.node.span.len() == text.len() + 2;
            let start = self.node.span.start + 1;
            let span = if quoted {
                start + error.span().start..start + error.span().end
            } else {
                self.node.span.clone()
            };
            Misplaced::new(span, format!("key {}, {error}", self.path))
        };
        let mechanism = match files.mechanism(text) {
            Err(error) if *error.problem() == Problem::Hole => Err(misplaced(error)),
            Err(error) => return Err(misplaced(error)),
            Ok(mechanism) => Ok(mechanism),
        };
        Ok(Written { text: text.to_owned(), mechanism })
    }
}
