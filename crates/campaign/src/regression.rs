//! A failure as a test that can be pasted.

use crate::{Case, law, oracle::Library};

/// A test that fails as long as `case` breaks the law called `law` with these random choices.
pub fn test_of(law: &str, case: &Case, choices: u64, what: &str) -> String {
    let name = law.replace('-', "_");
    format!(
        "/// {what}\n#[test]\nfn {name}_of_{choices:x}() {{\n    assert_law(\"{law}\", r#\"{case}\"#, {choices:#x});\n}}\n"
    )
}

/// # Panics
/// If the case breaks the law called `law` with these random choices, or is not answered at all.
pub fn assert_law(law: &str, case: &str, choices: u64) {
    let case = Case::parse(case).unwrap_or_else(|error| panic!("{error}"));
    let law = law::named(law).unwrap_or_else(|| panic!("there is no law {law}"));
    let findings = law::check(law, &Library, &case, choices);
    assert!(findings.broken.is_empty(), "{case}: {}", findings.broken.join("; "));
    assert!(findings.checks > 0, "{case}: nothing was checked");
}
