//! The campaign on the command line: see `bench/README.md`.

use hockeystick::limits::Limits;
use hockeystick_campaign::{
    Case, attack, draw,
    law::{self, LAWS},
    ledger::{self, Batch},
    oracle::Library,
    pace::{self, Row, Tally},
    reference, regression, run,
};
use hockeystick_golden::rows_of;
use std::{
    env,
    error::Error,
    fs, panic,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

const USAGE: &str = "\
campaign run [--seed S] [--cases N] [--seconds T] [--from I] [--whole W] [--ledger FILE] [--version WORD]
    checks cases until N are done or T seconds are over; goes on where the ledger ends, or at I;
    one case in W is drawn from all there is, the others are known to be quick (40)
campaign case --seed S --from I [--whole W]   one case by every law
campaign line 'EXPRESSION | RELATION | DELTA' [--seed S]   the same of a case that is written down
campaign pace [--seed S] [--cases N] [--seconds T] [--from I] [--ledger FILE]
    fuzzed questions, one in ten with numbers of every size, within the limits that people have by default; those that take long or much
    memory are listed; goes on where the ledger ends, if one is given, or at I
campaign tally FILE...                 what ledgers of pace say together
campaign report [--ledger FILE]        what was done, by version and seed
campaign export --seed S --cases N [--from I] --out FILE    cases for reference.py
campaign verify FILE                   answers against references
campaign attack FILE                   questions of testdata/generate/attack.py: enclosure and width
campaign answers --seed S --cases N [--from I] [--whole W] --out FILE   answers for python_agreement.py";

/// The words after the command, by name.
struct Options(Vec<String>);

impl Options {
    fn text(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|word| word == name)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let read = |text: &str| text.parse().map_err(|_| format!("{name} {text}: not a whole number"));
        self.text(name).map(read).transpose()
    }

    fn whole(&self) -> Result<u64, String> {
        Ok(self.number("--whole")?.unwrap_or(40).max(1))
    }

    fn ledger(&self) -> PathBuf {
        self.text("--ledger").unwrap_or("target/campaign/ledger.jsonl").into()
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the report is what the campaign is for")]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words: Vec<String> = env::args().skip(1).collect();
    if words.first().is_none_or(|word| word.starts_with('-') && word != "--help") {
        words.insert(0, "run".into());
    }
    let command = words.remove(0);
    let options = Options(words);
    // A panic is a finding, not a message.
    panic::set_hook(Box::new(|_| {}));
    match command.as_str() {
        "run" => campaign(&options),
        "case" => {
            let (seed, number) =
                (options.number("--seed")?.unwrap_or(1), options.number("--from")?.unwrap_or(0));
            let case = draw::case(seed, number, options.whole()?);
            Ok(every_law(&case, seed, number))
        }
        "line" => {
            let case = Case::parse(options.0.first().ok_or(USAGE)?)?;
            Ok(every_law(&case, options.number("--seed")?.unwrap_or(1), 0))
        }
        "pace" => paced(&options),
        "tally" => tally(&options.0),
        "report" => {
            let totals = ledger::totals(&ledger::read(&options.ledger())?);
            totals.iter().for_each(print_total);
            Ok(ExitCode::SUCCESS)
        }
        "export" => {
            let (seed, from) =
                (options.number("--seed")?.unwrap_or(1), options.number("--from")?.unwrap_or(0));
            let cases = options.number("--cases")?.unwrap_or(1000);
            fs::write(options.text("--out").ok_or(USAGE)?, reference::export(seed, from..from + cases))?;
            Ok(ExitCode::SUCCESS)
        }
        "answers" => {
            let (seed, from) =
                (options.number("--seed")?.unwrap_or(1), options.number("--from")?.unwrap_or(0));
            let cases = from..from + options.number("--cases")?.unwrap_or(500);
            fs::write(
                options.text("--out").ok_or(USAGE)?,
                reference::answers(seed, options.whole()?, cases),
            )?;
            Ok(ExitCode::SUCCESS)
        }
        "verify" => {
            let path = PathBuf::from(options.0.first().ok_or(USAGE)?);
            let verified = reference::verify(&rows_of(&path), |row, verified| {
                if row.is_multiple_of(50) {
                    eprint!(
                        "\rrow {row}: {} compared, {} violations  ",
                        verified.compared,
                        verified.violations.len()
                    );
                }
            });
            eprintln!();
            for violation in &verified.violations {
                println!("violation: {violation}");
            }
            println!(
                "{} cases compared with their reference ({} checks, {} of them narrower than 1 %), {} unsettled, {} without an \
                 answer, {} violations",
                verified.compared,
                verified.checks,
                verified.narrow,
                verified.unsettled,
                verified.refused,
                verified.violations.len()
            );
            Ok(if verified.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        "attack" => Ok(attacked(Path::new(options.0.first().ok_or(USAGE)?))),
        _ => {
            eprintln!("{USAGE}");
            Ok(ExitCode::from(2))
        }
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the report is what the campaign is for")]
fn attacked(path: &Path) -> ExitCode {
    let rows = rows_of(path);
    let mut report = attack::check(&rows, |row, report| {
        if row.is_multiple_of(50) {
            eprint!("\rrow {row}: {} compared, {} violations  ", report.comparisons, report.violations.len());
        }
    });
    eprintln!();
    for (what, found) in
        [("violation", &report.violations), ("wide", &report.wide), ("refused", &report.refused)]
    {
        found.iter().for_each(|line| println!("{what}: {line}"));
    }
    let [median, most, widest] = [0.5, 0.99, 1.0].map(|quantile| report.width_at(quantile));
    println!(
        "{} questions, {} comparisons: {} violations, {} wider than {:e}, {} without an answer; relative widths: median {median:.1e}, \
         99 % below {most:.1e}, widest {widest:.1e}",
        rows.len(),
        report.comparisons,
        report.violations.len(),
        report.wide.len(),
        attack::WIDEST,
        report.refused.len()
    );
    if let Some((took, question)) = &report.slowest {
        println!("slowest, all methods together: {:.1} s, {question}", took.as_secs_f64());
    }
    if report.violations.is_empty() && report.wide.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Cases that are noted in the ledger together.
const BATCH: u64 = 100;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "the report is what the campaign is for")]
fn campaign(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let seed = options.number("--seed")?.unwrap_or(1);
    let path = options.ledger();
    let from = match options.number("--from")? {
        Some(from) => from,
        None => ledger::next_case(&ledger::read(&path)?, seed),
    };
    let cases = options.number("--cases")?.unwrap_or(u64::MAX - from);
    let start = Instant::now();
    let budget = Duration::from_secs(options.number("--seconds")?.unwrap_or(u64::from(u32::MAX)));
    let deadline = start + budget;
    println!(
        "seed {seed}, one case in {} drawn from all there is, from case {from}, ledger {}",
        options.whole()?,
        path.display()
    );
    let whole = options.whole()?;
    let mut done = Batch { seed, whole, from, to: from, ..Batch::default() };
    while done.to < from + cases && Instant::now() < deadline {
        let mut batch =
            run::batch(&Library, (seed, whole), done.to, BATCH.min(from + cases - done.to), deadline);
        options.text("--version").unwrap_or("unknown").clone_into(&mut batch.version);
        ledger::append(&path, &batch)?;
        for violation in &batch.violations {
            println!("violation in case {} of {}: {}", violation.case, violation.law, violation.drawn);
            println!("  smallest: {}\n  {}", violation.smallest, violation.shows);
            let case = Case::parse(&violation.smallest)?;
            println!("{}", regression::test_of(&violation.law, &case, violation.choices, &violation.shows));
        }
        done.version.clone_from(&batch.version);
        done = ledger::totals(&[done, batch]).pop().unwrap_or_default();
        let rate = (done.to - from) as f64 / start.elapsed().as_secs_f64();
        eprint!("\r{} cases, {} violations, {rate:.1} cases/s  ", done.to - from, done.violations.len());
    }
    eprintln!();
    print_total(&done);
    Ok(if done.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[expect(clippy::print_stdout, reason = "the report is what the campaign is for")]
fn paced(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let seed = options.number("--seed")?.unwrap_or(1);
    let ledger = options.text("--ledger").map(PathBuf::from);
    let known = ledger.as_deref().map_or(Ok(vec![]), pace::read)?;
    let next = known.iter().filter(|row| row.seed == seed).map(|row| row.number + 1).max().unwrap_or(0);
    let from = options.number("--from")?.unwrap_or(next);
    let cases = options.number("--cases")?.unwrap_or(u64::MAX - from);
    let start = Instant::now();
    let budget = Duration::from_secs(options.number("--seconds")?.unwrap_or(u64::from(u32::MAX)));
    let (mut tally, mut is_bad) = (Tally::default(), false);
    for number in (from..from + cases).take_while(|_| start.elapsed() < budget) {
        let errand = pace::errand(seed, number);
        let row = Row::new(seed, number, &errand, pace::run(&errand, Limits::USUAL));
        if row.is_slow() || row.is_bad() {
            println!("{row}");
        }
        ledger.as_deref().map_or(Ok(()), |path| pace::append(path, &row))?;
        tally.add(&row);
        is_bad |= row.is_bad();
    }
    println!("{tally}");
    Ok(if is_bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Several runs as one.
#[expect(clippy::print_stdout, reason = "the report is what the campaign is for")]
fn tally(ledgers: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    let mut tally = Tally::default();
    for path in ledgers.iter().take_while(|word| !word.starts_with("--")) {
        for row in pace::read(Path::new(path))? {
            if row.is_bad() {
                println!("{row}");
            }
            tally.add(&row);
        }
    }
    println!("{tally}");
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::print_stdout, reason = "the report is what the campaign is for")]
fn print_total(total: &Batch) {
    println!(
        "version {}, seed {}, whole range one in {}, cases {} to {}: {} checked, {} with nothing to compare, {} without an answer; {} checks, {} violations, \
         {:.0} s",
        total.version,
        total.seed,
        total.whole,
        total.from,
        total.to,
        total.checked,
        total.unchecked,
        total.refused,
        total.checks.values().sum::<u64>(),
        total.violations.len(),
        total.seconds
    );
    let laws: Vec<String> = total.checks.iter().map(|(law, count)| format!("{law} {count}")).collect();
    println!("  {}", laws.join(", "));
    for violation in &total.violations {
        println!("  violation in case {} of {}: {}", violation.case, violation.law, violation.smallest);
    }
}

#[expect(clippy::print_stdout, reason = "the report is what the campaign is for")]
fn every_law(case: &Case, seed: u64, number: u64) -> ExitCode {
    println!("{case}");
    let mut broken = 0;
    for law in LAWS {
        let start = Instant::now();
        let findings = law::check(law, &Library, case, run::choices(seed, number, law));
        println!("{}: {} checks, {:.0} ms", law.name, findings.checks, start.elapsed().as_secs_f64() * 1e3);
        for what in &findings.broken {
            println!("  broken: {what}");
        }
        broken += findings.broken.len();
    }
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
