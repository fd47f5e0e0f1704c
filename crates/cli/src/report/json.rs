//! The JSON form: the report as it is.

use super::Report;

pub(super) fn write(report: &Report) -> String {
    // Numbers that are not finite become null.
    serde_json::to_string(report).expect("a report has string keys only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick::query::Guarantee;

    #[test]
    fn an_answer_without_a_lower_end_says_null() {
        assert_eq!(
            write(&Report::upper_bound(Guarantee::UpperBound)),
            r#"{"query":"epsilon","expression":"zcdp(rho=0.5)","relation":"add-remove","delta":0.00001,"lower":null,"upper":2.25,"guarantee":"upper-bound","method":"rdp","direction":"remove","budget":{"discretisation":0.0,"aliasing":0.0,"truncation":0.0,"quadrature":0.0,"roundoff":0.0},"elapsed_ms":0.5}"#
        );
    }
}
