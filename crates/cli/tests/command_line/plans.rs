//! What `explain` prints is what was planned: the table of the library's tests.

use crate::run::run;
use serde_json::Value;

const TABLE: &str = include_str!("../../../hockeystick/tests/plans.txt");

#[test]
fn explain_prints_the_engine_of_every_question() {
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.splitn(7, '|').map(str::trim).collect();
        let (question, given) = fields[2].split_once(" at ").unwrap();
        let option = if question == "epsilon" { "--delta" } else { "--epsilon" };
        let mut arguments = vec!["explain", fields[0], option, given, "--relation", fields[1]];
        arguments.extend(["--method", fields[4], "--format", "json"]);
        if fields[3] != "-" {
            arguments.extend(["--tolerance", fields[3]]);
        }
        let printed: Value = serde_json::from_str(&run(&arguments).stdout).unwrap();
        let plans = printed["plans"].as_array().unwrap();
        assert!(!plans.is_empty(), "{line}");
        for (i, plan) in plans.iter().enumerate() {
            // Where directions are planned differently, a slash is between them.
            let [wanted, because] = [fields[5], fields[6]].map(|field| {
                let each: Vec<_> = field.split(" / ").collect();
                each[i.min(each.len() - 1)]
            });
            let (engine, reason) = (plan["engine"].as_str().unwrap(), plan["reason"].as_str().unwrap());
            let name = wanted.strip_suffix(" and lattice").unwrap_or(wanted);
            assert!(engine.starts_with(name) && reason.contains(because), "{line}: {plan}");
            assert_eq!(engine.contains("; and lattice: "), name != wanted, "{line}: {plan}");
        }
        assert!(!printed["theorems"].as_array().unwrap().is_empty(), "{line}");
    }
}
