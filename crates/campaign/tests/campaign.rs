//! A small part of the campaign, in every run of the tests.

use hockeystick_campaign::{law::LAWS, oracle::Library, run};
use std::time::{Duration, Instant};

#[test]
fn some_cases_break_no_law() {
    let deadline = Instant::now() + Duration::from_secs(3600);
    let batch = run::batch(&Library, (77, 40), 0, 60, deadline);
    assert!(batch.violations.is_empty(), "{:#?}", batch.violations);
    assert!(batch.checked > 40, "{batch:#?}");
    assert!(batch.checks.len() > LAWS.len() / 2, "{batch:#?}");
}
