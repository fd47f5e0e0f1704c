//! A mechanism to its canonical text.

use std::fmt;

use super::super::catalogue::Written;
use super::super::decimal::Shortest;
use super::super::{Mechanism, Value};
use super::quote;

/// The canonical text form: parameters in their declared order, defaults left out, numbers as short as they
/// read back exactly, parentheses only where they are needed.
impl fmt::Display for Mechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.written() {
            Written::Call { name, parameters, arguments } => {
                write!(f, "{name}(")?;
                let mut separator = "";
                for (name, value) in arguments {
                    let parameter = parameters.iter().find(|parameter| parameter.name == name);
                    if parameter.is_some_and(|parameter| parameter.is_default(&value)) {
                        continue;
                    }
                    f.write_str(separator)?;
                    write_argument(f, name, &value)?;
                    separator = ", ";
                }
                f.write_str(")")
            }
            Written::Sum(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    f.write_str(if position == 0 { "" } else { " + " })?;
                    part.fmt(f)?;
                }
                Ok(())
            }
            Written::Times(repeat) => {
                let (mechanism, count) = (repeat.mechanism(), repeat.count());
                match mechanism.written() {
                    Written::Call { .. } => write!(f, "{mechanism} * {count}"),
                    Written::Sum(_) | Written::Times(_) => write!(f, "({mechanism}) * {count}"),
                }
            }
        }
    }
}

fn write_argument(f: &mut fmt::Formatter<'_>, name: &str, value: &Value<'_>) -> fmt::Result {
    match value {
        Value::Number(number) => write!(f, "{name}={}", Shortest(*number)),
        Value::Whole(whole) => write!(f, "{name}={whole}"),
        Value::Numbers(numbers) => {
            write!(f, "{name}=\"")?;
            for (position, number) in numbers.iter().enumerate() {
                let separator = if position == 0 { "" } else { "," };
                write!(f, "{separator}{}", Shortest(*number))?;
            }
            f.write_str("\"")
        }
        Value::Text(text) => {
            write!(f, "{name}=")?;
            quote::write(f, text)
        }
        // A sampler's mechanism has no name.
        Value::Mechanism(mechanism) => write!(f, "{mechanism}"),
    }
}
