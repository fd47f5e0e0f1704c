//! TOML as nodes.

use super::node::{Entry, Misplaced, Node, Value};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

pub(super) fn read(text: &str) -> Result<Node, Misplaced> {
    let table = DeTable::parse(text)
        .map_err(|error| Misplaced::new(error.span().unwrap_or(0..0), error.message().to_owned()))?;
    Ok(Node { span: 0..text.len(), value: of_table(table.get_ref())? })
}

fn of_table(table: &DeTable<'_>) -> Result<Value, Misplaced> {
    let entries = table.iter().map(|(key, value)| {
        Ok(Entry { key: key.get_ref().to_string(), key_span: key.span(), node: of_value(value)? })
    });
    entries.collect::<Result<_, _>>().map(Value::Table)
}

fn of_value(spanned: &Spanned<DeValue<'_>>) -> Result<Node, Misplaced> {
    let span = spanned.span();
    let value = match spanned.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(integer) => {
            let number = i128::from_str_radix(integer.as_str(), integer.radix());
            Value::Number(number.map_err(|_| Misplaced::new(span.clone(), "this number is too large"))? as f64)
        }
        DeValue::Float(float) => {
            let number = float.as_str().parse();
            Value::Number(number.map_err(|_| Misplaced::new(span.clone(), "this is not a number"))?)
        }
        DeValue::Boolean(_) => Value::Other("true or false"),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(list) => Value::List(list.iter().map(of_value).collect::<Result<_, _>>()?),
        DeValue::Table(table) => of_table(table)?,
    };
    Ok(Node { span, value })
}
