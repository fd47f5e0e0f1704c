//! The JSON form: one object that says which form it has, and numbers that nothing mistakes for others.
//!
//! JSON has no infinity, and `null` is below every number for `jq` and others: a number that is not finite is the text `"inf"`.
//! `docs/json/README.md` is the contract, `docs/json/schema.json` the schema.

mod explicit;
mod not_finite;

pub(crate) use not_finite::not_finite;

use explicit::Explicit;
use serde::Serialize;

/// Goes up when a key changes its meaning or goes away; new keys do not count.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a, T: ?Sized> {
    schema_version: u32,
    hockeystick_version: &'static str,
    #[serde(flatten)]
    report: &'a T,
}

/// A report on one line.
///
/// # Guarantee
/// No number becomes `null`: what is not finite is `"inf"`, `"-inf"` or `"nan"`.
pub(crate) fn document<T: Serialize + ?Sized>(report: &T) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let document = Document { schema_version: SCHEMA_VERSION, hockeystick_version: version, report };
    serde_json::to_string(&Explicit(&document)).expect("a report is an object with string keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Ends {
        lower: Option<f64>,
        upper: f64,
        more: Vec<(f64, Option<f64>)>,
    }

    #[test]
    fn only_what_is_missing_is_null() {
        let ends = Ends { lower: None, upper: f64::INFINITY, more: vec![(0.1, Some(f64::NEG_INFINITY))] };
        let written = document(&ends);
        let (_, rest) = written.split_once(r#""lower""#).unwrap();
        assert_eq!(rest, r#":null,"upper":"inf","more":[[0.1,"-inf"]]}"#);
        assert!(written.starts_with(r#"{"schema_version":1,"hockeystick_version":""#), "{written}");
    }

    /// Wherever a number stands: in a list, a map, a choice, behind a reference.
    #[test]
    fn no_number_is_lost_anywhere() {
        #[derive(Serialize)]
        enum Choice {
            Alone(f64),
            Pair(f64, f64),
            Named { end: f64 },
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Open {
            Named { end: f64 },
        }
        #[derive(Serialize)]
        struct New(f64);
        #[derive(Serialize)]
        struct All {
            single: f32,
            choices: [Choice; 3],
            #[serde(flatten)]
            open: Open,
            map: std::collections::BTreeMap<String, f64>,
            new: Box<New>,
        }
        let far = f64::INFINITY;
        let all = All {
            single: f32::INFINITY,
            choices: [Choice::Alone(far), Choice::Pair(1.0, far), Choice::Named { end: -far }],
            open: Open::Named { end: far },
            map: [("k".to_owned(), far)].into_iter().collect(),
            new: Box::new(New(f64::NAN)),
        };
        let written = document(&all);
        assert!(!written.contains("null"), "{written}");
        assert_eq!(written.matches("\"inf\"").count(), 5, "{written}");
        assert_eq!(
            (written.matches("\"-inf\"").count(), written.matches("\"nan\"").count()),
            (1, 1),
            "{written}"
        );
    }
}
