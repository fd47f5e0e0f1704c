//! Values on their way to PostgreSQL and back.

use super::super::{Cell, Record, Value};
use ::postgres::{
    Row, Statement,
    types::{ToSql, Type},
};

const NO_TEXT: Option<&str> = None;
const NO_NUMBER: Option<i64> = None;

/// The values of a statement: nothing has a type, too.
pub(super) fn parameters<'a>(statement: &Statement, values: &'a [Value<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    let parameter = |(value, kind): (&'a Value<'_>, &Type)| -> &'a (dyn ToSql + Sync) {
        match value {
            Value::Text(text) => text,
            Value::Whole(number) => number,
            Value::Null if *kind == Type::INT8 => &NO_NUMBER,
            Value::Null => &NO_TEXT,
        }
    };
    values.iter().zip(statement.params()).map(parameter).collect()
}

/// A record of what a row has; what no ledger writes is not understood.
pub(super) fn record(row: &Row) -> Record {
    Record((0..row.len()).map(|at| cell(row, at)).collect())
}

fn cell(row: &Row, at: usize) -> Cell {
    let kind = row.columns()[at].type_();
    if *kind == Type::TEXT {
        return row
            .try_get::<_, Option<String>>(at)
            .map_or(Cell::Other, |text| text.map_or(Cell::Null, Cell::Text));
    }
    if *kind == Type::INT8 {
        return row
            .try_get::<_, Option<i64>>(at)
            .map_or(Cell::Other, |number| number.map_or(Cell::Null, Cell::Whole));
    }
    Cell::Other
}
