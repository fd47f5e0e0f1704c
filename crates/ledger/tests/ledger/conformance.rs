//! What a ledger does, on every store.

use crate::{
    clock::{Clock, ledger},
    place::{Kind, Place, on_every_store},
};
use hockeystick::{
    limits::{Limits, within},
    mechanism::Mechanism,
};
use hockeystick_ledger::{
    AccountKind, Budget, Error, Ledger, Limit, Outcome, Period, Receipt, Refusal, Reserve, Spend, Why,
};

on_every_store!(
    a_spend_is_charged_until_the_budget_is_used_up,
    a_reference_is_charged_once,
    all_budgets_above_are_charged_or_none,
    planned_accounts_compose_exactly,
    adaptive_accounts_filter_whatever_comes,
    a_refused_repetition_says_how_much_of_it_fits,
    a_dry_run_writes_nothing,
    a_reservation_is_committed_in_part,
    a_commit_may_be_of_something_smaller,
    what_is_released_or_has_run_out_can_be_spent,
    a_budget_renews_and_time_never_goes_back,
    a_budget_is_fixed,
    bad_input_is_an_error_and_writes_nothing,
    gaussian_and_concentrated_budgets_add_up,
    a_ledger_is_opened_again_and_other_tables_are_not,
    a_backup_is_a_ledger_in_a_file,
    what_is_stopped_is_rolled_back,
    mechanisms_may_be_long,
    names_of_every_alphabet_are_kept,
    a_head_that_was_noted_is_found_again,
    a_reservation_goes_on_into_the_next_period,
    an_export_is_imported_as_it_was,
    no_adaptive_budget_is_below_a_planned_one,
);

const NOON: &str = "2031-05-17T12:00:00.000Z";
const HOUR: i64 = 3_600_000;

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

/// A place, a clock, and a ledger with these budgets.
fn with(kind: Kind, budgets: &[Budget]) -> (Place, Clock, Ledger) {
    let (place, clock) = (Place::new(kind), Clock::at(NOON));
    let mut ledger = ledger(&place, &clock);
    for budget in budgets {
        ledger.budget(budget).unwrap();
    }
    (place, clock, ledger)
}

fn pure(name: &str, epsilon: f64) -> Budget {
    Budget::new(name, epsilon, 0.0)
}

fn spend(ledger: &mut Ledger, budget: &str, text: &str, reference: &str) -> Outcome {
    ledger.spend(&Spend::new(budget, parsed(text), reference)).unwrap()
}

fn reserve(ledger: &mut Ledger, budget: &str, text: &str, reference: &str, expires: &str) -> Outcome {
    let expires = expires.parse().unwrap();
    let request = Reserve {
        budget: budget.into(),
        mechanism: parsed(text),
        reference: reference.into(),
        expires,
        note: None,
    };
    ledger.reserve(&request).unwrap()
}

fn receipt(outcome: Outcome) -> Receipt {
    match outcome {
        Outcome::Charged(receipt) => receipt,
        Outcome::Refused(refusal) => panic!("refused: {refusal}"),
    }
}

fn refusal(outcome: Outcome) -> Refusal {
    match outcome {
        Outcome::Charged(receipt) => panic!("charged: {receipt:?}"),
        Outcome::Refused(refusal) => refusal,
    }
}

fn spent(ledger: &mut Ledger, budget: &str) -> f64 {
    ledger.status(Some(budget)).unwrap()[0].spent.upper
}

fn assert_clean(ledger: &mut Ledger) {
    let verified = ledger.verify(None).unwrap();
    assert!(verified.findings.is_empty(), "{:?}", verified.findings);
}

fn a_spend_is_charged_until_the_budget_is_used_up(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    for i in 0..4 {
        let receipt = receipt(spend(&mut ledger, "a", "dp(epsilon=0.25)", &format!("r{i}")));
        assert_eq!((receipt.sequence, receipt.repeated), (Some(i + 2), false));
        assert_eq!(receipt.budgets[0].spent, 0.25 * (i + 1) as f64);
    }
    let refusal = refusal(spend(&mut ledger, "a", "dp(epsilon=0.25)", "r4"));
    assert!(
        matches!(&refusal.why, Why::OverBudget { budget, spent, would_be, left, .. }
            if budget == "a" && *spent == 1.0 && *would_be == 1.25 && *left == 0.0),
        "{refusal:?}"
    );
    assert_eq!(spent(&mut ledger, "a"), 1.0);
    assert_clean(&mut ledger);
}

fn a_reference_is_charged_once(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0), pure("b", 1.0)]);
    let first = receipt(spend(&mut ledger, "a", "dp(epsilon=0.25)", "r"));
    let again = receipt(spend(&mut ledger, "a", "dp(epsilon=0.25)", "r"));
    assert_eq!((again.sequence, again.repeated, &again.budgets), (first.sequence, true, &first.budgets));
    // Written differently, it is still the same.
    assert!(receipt(spend(&mut ledger, "a", "dp(epsilon = 1/4)", "r")).repeated);
    for outcome in
        [spend(&mut ledger, "a", "dp(epsilon=0.5)", "r"), spend(&mut ledger, "b", "dp(epsilon=0.25)", "r")]
    {
        assert!(matches!(refusal(outcome).why, Why::ReferenceTaken { sequence: 3, .. }));
    }
    assert_eq!((spent(&mut ledger, "a"), spent(&mut ledger, "b")), (0.25, 0.0));
}

fn all_budgets_above_are_charged_or_none(kind: Kind) {
    let (_place, _, mut ledger) = with(
        kind,
        &[
            pure("all", 1.0),
            pure("team", 0.5).below("all"),
            pure("dataset", 4.0).below("all"),
            pure("study", 4.0).below("team").below("dataset"),
        ],
    );
    let receipt = receipt(spend(&mut ledger, "study", "dp(epsilon=0.5)", "1"));
    let names: Vec<&str> = receipt.budgets.iter().map(|charged| charged.budget.as_str()).collect();
    assert_eq!(names, ["study", "team", "all", "dataset"]);
    let why = refusal(spend(&mut ledger, "study", "dp(epsilon=0.25)", "2")).why;
    assert!(matches!(why, Why::OverBudget { budget, .. } if budget == "team"));
    for (name, expected) in [("study", 0.5), ("team", 0.5), ("all", 0.5), ("dataset", 0.5)] {
        assert_eq!(spent(&mut ledger, name), expected, "{name}");
    }
    assert_clean(&mut ledger);
}

fn planned_accounts_compose_exactly(kind: Kind) {
    let budget = Budget::new("a", 1.0, 1e-6).account(AccountKind::Planned);
    let (_place, _, mut ledger) = with(kind, &[budget]);
    let (step, mut uses) = ("poisson(gaussian(sigma=4), rate=0.02)", 0);
    while let Outcome::Charged(_) = spend(&mut ledger, "a", &format!("{step} * 1000"), &format!("r{uses}")) {
        uses += 1000;
    }
    let all = |uses: u64| hockeystick::epsilon(&parsed(&format!("{step} * {uses}")), 1e-6).unwrap();
    assert!(all(uses).upper() <= 1.0 && all(uses + 1000).lower().unwrap() > 1.0, "{uses}");
    let standing = &ledger.status(Some("a")).unwrap()[0];
    assert_eq!(Some(standing.spent.lower), all(uses).lower());
    assert_clean(&mut ledger);
}

fn adaptive_accounts_filter_whatever_comes(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[Budget::new("a", 1.0, 1e-6)]);
    for (i, text) in [
        "gaussian(sigma=20) * 3",
        "laplace(scale=50)",
        "poisson(gaussian(sigma=8), rate=0.01) * 100",
        "zcdp(rho=0.001)",
        "gdp(mu=0.01)",
    ]
    .into_iter()
    .enumerate()
    {
        receipt(spend(&mut ledger, "a", text, &format!("r{i}")));
        let standing = ledger.status(Some("a")).unwrap().remove(0);
        assert!(standing.spent.lower <= standing.spent.upper && standing.spent.upper <= 1.0, "{standing:?}");
        // A filter is never tighter than exact composition, which has no pair for ρ-zCDP.
        assert!(standing.planned.is_none_or(|planned| planned.lower <= standing.spent.upper), "{standing:?}");
    }
    assert_clean(&mut ledger);
}

fn a_refused_repetition_says_how_much_of_it_fits(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[Budget::new("a", 1.0, 1e-6)]);
    let refused = refusal(spend(&mut ledger, "a", "gaussian(sigma=20) * 100", "1"));
    let uses = refused.fits.unwrap();
    receipt(spend(&mut ledger, "a", &format!("gaussian(sigma=20) * {uses}"), "2"));
    assert_eq!(refusal(spend(&mut ledger, "a", "gaussian(sigma=20) * 2", "3")).fits, Some(0));
    assert_eq!(ledger.uses_that_fit("a", &parsed("gaussian(sigma=20)"), 10).unwrap(), 0);
    assert_eq!(ledger.uses_that_fit("a", &parsed("gaussian(sigma=1e9)"), 10).unwrap(), 10);
}

fn a_dry_run_writes_nothing(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    let dry = |text| Spend { dry_run: true, ..Spend::new("a", parsed(text), "r") };
    let receipt = receipt(ledger.spend(&dry("dp(epsilon=0.75)")).unwrap());
    assert_eq!((receipt.sequence, receipt.budgets[0].left), (None, 0.25));
    refusal(ledger.spend(&dry("dp(epsilon=1.25)")).unwrap());
    assert_eq!((spent(&mut ledger, "a"), ledger.verify(None).unwrap().entries), (0.0, 1));
}

fn a_reservation_is_committed_in_part(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    receipt(reserve(&mut ledger, "a", "dp(epsilon=0.125) * 6", "training", "1h"));
    refusal(spend(&mut ledger, "a", "dp(epsilon=0.5)", "other"));
    assert!(receipt(reserve(&mut ledger, "a", "dp(epsilon=0.125) * 6", "training", "1h")).repeated);
    let more = ledger.commit("training", Some(&parsed("dp(epsilon=0.125) * 7"))).unwrap();
    assert!(matches!(refusal(more).why, Why::MoreThanReserved { .. }));
    let used = parsed("dp(epsilon=0.125) * 2");
    assert!(!receipt(ledger.commit("training", Some(&used)).unwrap()).repeated);
    assert!(receipt(ledger.commit("training", Some(&used)).unwrap()).repeated);
    assert_eq!(spent(&mut ledger, "a"), 0.25);
    refusal(ledger.commit("training", None).unwrap());
    refusal(ledger.release("training").unwrap());
    refusal(ledger.commit("other", None).unwrap());
    assert_clean(&mut ledger);
}

/// Other mechanisms than those reserved, of which every sum is smaller.
fn a_commit_may_be_of_something_smaller(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[Budget::new("a", 1.0, 1e-6)]);
    receipt(reserve(&mut ledger, "a", "gaussian(sigma=20)", "r", "1h"));
    refusal(ledger.commit("r", Some(&parsed("gaussian(sigma=19)"))).unwrap());
    receipt(ledger.commit("r", Some(&parsed("gaussian(sigma=21)"))).unwrap());
    assert_clean(&mut ledger);
}

fn what_is_released_or_has_run_out_can_be_spent(kind: Kind) {
    let (_place, clock, mut ledger) = with(kind, &[pure("a", 1.0)]);
    receipt(reserve(&mut ledger, "a", "dp(epsilon=1)", "1", "1h"));
    receipt(ledger.release("1").unwrap());
    assert!(receipt(ledger.release("1").unwrap()).repeated);
    refusal(ledger.commit("1", None).unwrap());
    receipt(reserve(&mut ledger, "a", "dp(epsilon=1)", "2", "1h"));
    clock.go_on(HOUR - 1);
    refusal(spend(&mut ledger, "a", "dp(epsilon=0.5)", "3"));
    assert_eq!(ledger.status(None).unwrap()[0].held.len(), 1);
    clock.go_on(1);
    assert!(ledger.status(None).unwrap()[0].held.is_empty());
    receipt(spend(&mut ledger, "a", "dp(epsilon=0.5)", "3"));
    // What has run out is charged if it still fits.
    refusal(ledger.commit("2", None).unwrap());
    receipt(reserve(&mut ledger, "a", "dp(epsilon=0.5)", "4", "1h"));
    clock.go_on(HOUR);
    receipt(ledger.commit("4", None).unwrap());
    assert_eq!(spent(&mut ledger, "a"), 1.0);
    assert_clean(&mut ledger);
}

fn a_budget_renews_and_time_never_goes_back(kind: Kind) {
    let (_place, clock, mut ledger) =
        with(kind, &[pure("ever", 2.0), pure("daily", 1.0).below("ever").renews(Period::Day)]);
    receipt(spend(&mut ledger, "daily", "dp(epsilon=1)", "1"));
    refusal(spend(&mut ledger, "daily", "dp(epsilon=1)", "2"));
    clock.go_on(12 * HOUR);
    assert_eq!(spent(&mut ledger, "daily"), 0.0);
    receipt(spend(&mut ledger, "daily", "dp(epsilon=1)", "2"));
    // A clock that is set back opens no day again, and reorders nothing.
    clock.go_on(-24 * HOUR);
    refusal(spend(&mut ledger, "daily", "dp(epsilon=0.5)", "3"));
    clock.go_on(72 * HOUR);
    let why = refusal(spend(&mut ledger, "daily", "dp(epsilon=0.5)", "3")).why;
    assert!(matches!(why, Why::OverBudget { budget, .. } if budget == "ever"));
    let mut times = Vec::new();
    ledger
        .history(None, |entry| {
            times.push(entry.time);
            Ok(())
        })
        .unwrap();
    assert!(times.is_sorted());
    assert_clean(&mut ledger);
}

fn a_budget_is_fixed(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    ledger.budget(&pure("a", 1.0)).unwrap();
    let error = ledger.budget(&pure("a", 2.0)).unwrap_err().to_string();
    assert!(
        error.contains(r#"limit is {"delta":0.0,"epsilon":1.0}, not {"delta":0.0,"epsilon":2.0}"#),
        "{error}"
    );
    for budget in [
        pure("", 1.0),
        pure("b", f64::NAN),
        pure("b", 0.0),
        Budget::new("b", 1.0, 1.0),
        Budget::of("b", Limit::Gaussian { mu: -1.0 }),
        pure("b", 1.0).below("nobody"),
        pure("two\nlines", 1.0),
    ] {
        assert!(ledger.budget(&budget).is_err(), "{budget:?}");
    }
    assert_eq!(ledger.status(None).unwrap().len(), 1);
}

fn bad_input_is_an_error_and_writes_nothing(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    let nobody = ledger.spend(&Spend::new("nobody", parsed("dp(epsilon=1)"), "r")).unwrap_err();
    assert_eq!(nobody.to_string(), r#"there is no budget "nobody"; the budgets are a"#);
    let file = ledger.spend(&Spend::new("a", parsed(r#"pair(file="p.csv")"#), "r")).unwrap_err();
    assert!(matches!(file, Error::NamesFile { .. }));
    assert!(ledger.spend(&Spend::new("a", parsed("dp(epsilon=1)"), "")).is_err());
    assert_eq!(ledger.verify(None).unwrap().entries, 1);
}

fn gaussian_and_concentrated_budgets_add_up(kind: Kind) {
    let (_place, _, mut ledger) = with(
        kind,
        &[
            Budget::of("mu", Limit::Gaussian { mu: 1.0 }),
            Budget::of("rho", Limit::Concentrated { rho: 0.5 }).account(AccountKind::Planned),
        ],
    );
    for name in ["mu", "rho"] {
        receipt(spend(&mut ledger, name, "gaussian(sigma=4) * 16", &format!("{name} all")));
        let refused = refusal(spend(&mut ledger, name, "gaussian(sigma=1000)", &format!("{name} more")));
        assert!(matches!(refused.why, Why::OverBudget { left, .. } if left == 0.0), "{refused:?}");
    }
    assert_clean(&mut ledger);
}

fn a_ledger_is_opened_again_and_other_tables_are_not(kind: Kind) {
    let (place, _, mut first) = with(kind, &[pure("a", 1.0)]);
    receipt(spend(&mut first, "a", "dp(epsilon=0.5)", "r"));
    for again in [Ledger::open(&place.url()), Ledger::create(&place.url())] {
        assert_eq!(spent(&mut again.unwrap(), "a"), 0.5);
    }
    let (empty, foreign) = (Place::new(kind), Place::new(kind));
    let missing = Ledger::open(&empty.url()).unwrap_err().to_string();
    assert!(missing.contains("there is no") && missing.contains("ledger init"), "{missing}");
    assert!(foreign.raw().execute("CREATE TABLE entry (x BIGINT)"));
    let other = Ledger::create(&foreign.url()).unwrap_err().to_string();
    assert!(other.contains("no ledger"), "{other}");
    // A version that this program does not know.
    let newer = match kind {
        Kind::Sqlite => "PRAGMA user_version = 99",
        Kind::Postgres => "UPDATE ledger SET format = 99",
    };
    assert!(place.raw().execute(newer));
    let error = Ledger::open(&place.url()).unwrap_err().to_string();
    assert!(error.contains("newer version"), "{error}");
}

fn a_backup_is_a_ledger_in_a_file(kind: Kind) {
    let (place, _, mut ledger) = with(kind, &[pure("all", 2.0), Budget::new("a", 1.0, 1e-6).below("all")]);
    receipt(spend(&mut ledger, "a", "laplace(scale=20) * 3", "1"));
    receipt(reserve(&mut ledger, "all", "dp(epsilon=0.1) * 3", "2", "1h"));
    let file = place.folder.path().join("copy.db");
    ledger.back_up(file.to_str().unwrap()).unwrap();
    let mut copy = Ledger::open(file.to_str().unwrap()).unwrap();
    assert_eq!(copy.verify(None).unwrap(), ledger.verify(None).unwrap());
    let again = ledger.back_up(file.to_str().unwrap()).unwrap_err().to_string();
    assert!(again.contains("copy.db"), "{again}");
}

/// A limit of time unwinds out of the middle of a transaction.
fn what_is_stopped_is_rolled_back(kind: Kind) {
    let (place, _, mut ledger) =
        with(kind, &[Budget::new("a", 1.0, 1e-6).account(AccountKind::Planned), pure("b", 1.0)]);
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::NONE };
    let stopped = within(limits, || {
        spend(&mut ledger, "a", "laplace(scale=50) * 10 + laplace(scale=51) * 10", "stopped")
    });
    assert!(stopped.is_err(), "{stopped:?}");
    // Nobody waits for what was begun.
    let mut other = Ledger::open(&place.url()).unwrap();
    receipt(spend(&mut other, "b", "dp(epsilon=0.5)", "other"));
    receipt(spend(&mut ledger, "b", "dp(epsilon=0.5)", "same"));
    assert_eq!((spent(&mut other, "a"), spent(&mut other, "b")), (0.0, 1.0));
    assert_clean(&mut ledger);
}

/// Longer than an index of PostgreSQL can hold.
fn mechanisms_may_be_long(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[Budget::new("a", 1.0, 1e-6)]);
    let many = |value: &str| vec![value; 2000].join(",");
    let text =
        format!(r#"gaussian_mixture(sigma=3000, shifts="{}", weights="{}")"#, many("1"), many("0.0005"));
    receipt(spend(&mut ledger, "a", &text, "long"));
    receipt(spend(&mut ledger, "a", &text, "once more"));
    assert_clean(&mut ledger);
}

/// Names sort by their bytes on every store: verification compares their order.
fn names_of_every_alphabet_are_kept(kind: Kind) {
    let names = ["b", "B", "a b", "a-b", "é", "ß", "東京", "'; DROP TABLE entry; --", "😀", "A"];
    let budgets: Vec<Budget> = names.iter().map(|name| pure(name, 1.0)).collect();
    let (_place, _, mut ledger) = with(kind, &budgets);
    for name in names {
        receipt(spend(&mut ledger, name, "dp(epsilon=0.5)", &format!("{name} reference")));
    }
    let mut sorted = names.map(str::to_owned);
    sorted.sort();
    let found: Vec<String> =
        ledger.status(None).unwrap().into_iter().map(|standing| standing.budget.name).collect();
    assert_eq!(found, sorted);
    assert_clean(&mut ledger);
}

fn a_head_that_was_noted_is_found_again(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[pure("a", 1.0)]);
    let head = ledger.verify(None).unwrap().head;
    receipt(spend(&mut ledger, "a", "dp(epsilon=0.5)", "r"));
    assert!(ledger.verify(Some(&head)).unwrap().findings.is_empty());
    assert_eq!(ledger.verify(Some("0000")).unwrap().findings.len(), 1);
}

/// A reservation that outlives its period is what leads in the next.
fn a_reservation_goes_on_into_the_next_period(kind: Kind) {
    let (_place, clock, mut ledger) = with(kind, &[Budget::new("daily", 1.0, 1e-6).renews(Period::Day)]);
    receipt(reserve(&mut ledger, "daily", "dp(epsilon=0.5, delta=5e-7)", "sum", "7d"));
    clock.go_on(24 * HOUR);
    receipt(spend(&mut ledger, "daily", "dp(epsilon=0.125)", "more"));
    assert_clean(&mut ledger);
    receipt(ledger.commit("sum", None).unwrap());
    assert_eq!(spent(&mut ledger, "daily"), 0.625);
    assert_clean(&mut ledger);
}

fn an_export_is_imported_as_it_was(kind: Kind) {
    let (_place, _, mut first) = with(kind, &[pure("all", 2.0), Budget::new("a", 1.0, 1e-6).below("all")]);
    receipt(spend(&mut first, "all", "dp(epsilon=0.3)", "1"));
    receipt(reserve(&mut first, "all", "dp(epsilon=0.1) * 3", "2", "1h"));
    receipt(first.commit("2", Some(&parsed("dp(epsilon=0.1)"))).unwrap());
    let mut lines = Vec::new();
    first
        .export(|line| {
            lines.push(line.to_owned());
            Ok(())
        })
        .unwrap();
    let (_place, _, mut second) = with(kind, &[]);
    assert_eq!(second.import(lines.iter().map(String::as_str)).unwrap(), 5);
    assert_eq!(second.verify(None).unwrap(), first.verify(None).unwrap());
    assert_eq!(second.status(None).unwrap(), first.status(None).unwrap());
    assert!(second.import(lines.iter().map(String::as_str)).is_err());
    let (_place, _, mut third) = with(kind, &[]);
    lines[3] = lines[3].replace("0.1", "0.2");
    assert!(third.import(lines.iter().map(String::as_str)).is_err());
    assert_eq!(third.verify(None).unwrap().entries, 0);
}

/// What is charged below a planned budget is composed as if it depended on no output.
fn no_adaptive_budget_is_below_a_planned_one(kind: Kind) {
    let (_place, _, mut ledger) = with(kind, &[Budget::new("plan", 1.0, 1e-6).account(AccountKind::Planned)]);
    let error = ledger.budget(&Budget::new("a", 1.0, 1e-6).below("plan")).unwrap_err().to_string();
    assert!(error.contains("the budget above must be adaptive"), "{error}");
    ledger.budget(&Budget::new("b", 1.0, 1e-6).account(AccountKind::Planned).below("plan")).unwrap();
    assert!(ledger.budget(&Budget::of("c", Limit::Gaussian { mu: 1.0 }).below("plan")).is_err());
}
