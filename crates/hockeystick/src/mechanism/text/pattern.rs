//! Expressions with names in braces, one mechanism for each row of a table.

use std::fmt::{self, Display, Write};

/// An expression with names in braces in place of numbers or of whole mechanisms.
///
/// ```
/// use hockeystick::mechanism::Pattern;
///
/// let pattern = Pattern::read("poisson(gaussian(sigma={sigma}), rate=0.01) * {steps}");
/// assert_eq!(pattern.names(), ["sigma", "steps"]);
/// let filled = pattern.fill(|name| Some(if name == "sigma" { 0.8 } else { 1000.0 }));
/// assert_eq!(filled.as_deref(), Ok("poisson(gaussian(sigma=0.8), rate=0.01) * 1000"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What stands before each name.
    before: Vec<(String, String)>,
    rest: String,
}

/// A name in braces for which there is no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no value for {{{name}}}")]
pub struct NoValue {
    /// The name.
    pub name: String,
}

impl Pattern {
    /// Takes a text apart. Braces around anything but a name stay as they are.
    pub fn read(text: &str) -> Self {
        let (mut before, mut literal, mut rest) = (Vec::new(), String::new(), text);
        while let Some((left, right)) = rest.split_once('{') {
            literal.push_str(left);
            match right.split_once('}').filter(|(name, _)| is_name(name)) {
                Some((name, after)) => {
                    before.push((std::mem::take(&mut literal), name.to_owned()));
                    rest = after;
                }
                None => {
                    literal.push('{');
                    rest = right;
                }
            }
        }
        literal.push_str(rest);
        Self { before, rest: literal }
    }

    /// The names, each once, in the order of the text.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (_, name) in &self.before {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The text with a value in place of each name.
    pub fn fill<Value: Display>(
        &self,
        mut value: impl FnMut(&str) -> Option<Value>,
    ) -> Result<String, NoValue> {
        let mut filled = String::new();
        for (literal, name) in &self.before {
            let found = value(name).ok_or_else(|| NoValue { name: name.clone() })?;
            filled.push_str(literal);
            write!(filled, "{found}").expect("a text takes every text");
        }
        filled.push_str(&self.rest);
        Ok(filled)
    }
}

/// The text that was read.
impl Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.before.iter().try_for_each(|(literal, name)| write!(f, "{literal}{{{name}}}"))?;
        f.write_str(&self.rest)
    }
}

/// Letters, digits and underscores.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_wherever_they_stand() {
        let pattern = Pattern::read("{a}+{b} * {a}");
        assert_eq!((pattern.names(), pattern.to_string().as_str()), (vec!["a", "b"], "{a}+{b} * {a}"));
        assert_eq!(pattern.fill(|name| Some(format!("<{name}>"))).unwrap(), "<a>+<b> * <a>");
        assert_eq!(pattern.fill(|name| (name == "a").then_some(1)), Err(NoValue { name: "b".to_owned() }));
    }

    #[test]
    fn other_braces_stay() {
        for text in ["", "{", "}", "{}", "{a b}", "{{", "pair(file=\"{x.csv}\")"] {
            let pattern = Pattern::read(text);
            assert!(pattern.names().is_empty() && pattern.to_string() == text, "{text}");
            assert_eq!(pattern.fill(|_| Some(0)).as_deref(), Ok(text));
        }
        assert_eq!(Pattern::read("{ {a}").fill(|_| Some(1)).as_deref(), Ok("{ 1"));
    }
}
