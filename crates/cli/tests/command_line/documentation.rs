//! Every example in the README, the guide, the pages and the help is run, and prints what is shown.
//!
//! In Markdown a fenced block `console` has lines `$ command`, each with its output below or nothing; a block with a file name,
//! such as `toml release.toml`, is written to that file first. `UPDATE_DOCUMENTATION=1 cargo test -p hockeystick-cli` writes
//! what is printed now into all of them, and the tables that the catalogue knows.

use crate::{help::COMMANDS, run::run};
use hockeystick::{mechanism::catalogue, query::Method};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Markdown files of a folder, in order.
fn pages(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

/// A command and what is shown of its output.
struct Example {
    command: String,
    shown: String,
}

/// What a document has to be run: files to be written, and commands in order.
enum Step {
    File { name: String, text: String },
    Run(Example),
}

/// The steps of a Markdown document.
fn steps(text: &str) -> Vec<Step> {
    let mut steps = vec![];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["console"] => steps.extend(examples(&body).into_iter().map(Step::Run)),
            // The set-up of the README: cargo would build what is tested here.
            ["sh"] => {
                let own = body.iter().filter_map(|line| line.strip_prefix("cargo run --release -- "));
                let example =
                    |arguments| Example { command: format!("hockeystick {arguments}"), shown: String::new() };
                steps.extend(own.map(|arguments| Step::Run(example(arguments))));
            }
            [_, name] => {
                steps.push(Step::File { name: name.to_owned(), text: body.join("\n") + "\n" });
            }
            _ => {}
        }
    }
    steps
}

/// The lines `$ command` with what is below each of them.
fn examples(lines: &[&str]) -> Vec<Example> {
    let mut examples: Vec<Example> = vec![];
    for line in lines {
        match (line.trim_start().strip_prefix("$ "), examples.last_mut()) {
            (Some(command), _) => {
                examples.push(Example { command: command.to_owned(), shown: String::new() })
            }
            (None, Some(example)) => example.shown += &format!("{line}\n"),
            (None, None) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    examples
}

/// A folder of its own with the example files, in which a document is tried.
struct Workshop(PathBuf);

impl Workshop {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("hockeystick-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("examples")).unwrap();
        for file in fs::read_dir(root().join("examples")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.join("examples").join(file.file_name())).unwrap();
        }
        Self(folder)
    }

    /// Runs all steps and returns how many commands there were.
    fn try_out(&self, document: &str, steps: Vec<Step>) -> usize {
        let mut count = 0;
        for step in steps {
            match step {
                Step::File { name, text } => fs::write(self.0.join(name), text).unwrap(),
                Step::Run(example) => {
                    self.run(document, &example);
                    count += 1;
                }
            }
        }
        count
    }

    /// The document with what is printed now in place of what it shows.
    fn renewed(&self, text: &str) -> String {
        let mut written: Vec<String> = vec![];
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            written.push(line.to_owned());
            let Some(info) = line.strip_prefix("```") else { continue };
            let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
            match info.split_whitespace().collect::<Vec<_>>()[..] {
                ["console"] => {
                    for example in examples(&body) {
                        written.push(format!("$ {}", example.command));
                        let printed = self.printed(&example.command).1;
                        if !example.shown.trim().is_empty() {
                            written.push(crate::shown::renewed(example.shown.trim_end(), &printed));
                        }
                        written.extend(example.shown.ends_with("\n\n").then(String::new));
                    }
                }
                [_, name] => {
                    fs::write(self.0.join(name), body.join("\n") + "\n").unwrap();
                    written.extend(body.into_iter().map(str::to_owned));
                }
                _ => written.extend(body.into_iter().map(str::to_owned)),
            }
            written.push("```".to_owned());
        }
        written.join("\n") + "\n"
    }

    /// The exit code of a command, and all that it prints.
    fn printed(&self, command: &str) -> (Option<i32>, String) {
        let binary = Path::new(env!("CARGO_BIN_EXE_hockeystick"));
        let mut shell = crate::run::isolated("sh");
        shell
            .args(["-c", command])
            .current_dir(&self.0)
            .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()));
        let run = crate::run::Run::from(shell.output().unwrap());
        (run.code, run.stdout + &run.stderr)
    }

    /// A command that says why it is not as asked, or what is wrong, shows that too: it may fail if a complaint is shown.
    fn run(&self, document: &str, Example { command, shown }: &Example) {
        let (code, printed) = self.printed(command);
        let is_complaint = |line: &str| line.starts_with("error: ") || line.starts_with("warning: ");
        let is_expected_to_fail = shown.lines().any(is_complaint);
        assert_eq!(code != Some(0), is_expected_to_fail, "{document}: {command}\n{printed}");
        if let Some(difference) = crate::shown::difference(shown, &printed) {
            panic!("{document}: {command}\n{difference}\nall of it:\n{printed}");
        }
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn try_pages(name: &str, pages: &[PathBuf]) -> usize {
    let tried = pages.iter().map(|page| {
        // Files of one page are not there for the next.
        let title = page.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(page).unwrap();
        if is_update() {
            let renewed = Workshop::new(&format!("{name}-{title}-renewed")).renewed(&text);
            if renewed != text {
                fs::write(page, &renewed).unwrap();
            }
        }
        let workshop = Workshop::new(&format!("{name}-{title}"));
        workshop.try_out(&page.display().to_string(), steps(&fs::read_to_string(page).unwrap()))
    });
    tried.sum()
}

/// Where the text below the options of a command's help stands.
fn help_file(command: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/command/examples/{command}.txt"))
}

/// The examples of a help text, which has no fences: a command and the first lines of its answer, up to a blank line.
fn examples_of_help(text: &str) -> Vec<Example> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_shown = |line: &&&str| !line.is_empty() && !line.starts_with("$ ");
    let example = |(number, line): (usize, &&str)| {
        let shown: Vec<&str> = lines[number + 1..].iter().take_while(is_shown).copied().collect();
        let shown = if shown.is_empty() { String::new() } else { shown.join("\n") + "\n…" };
        Some(Example { command: line.strip_prefix("$ ")?.to_owned(), shown })
    };
    lines.iter().enumerate().filter_map(example).collect()
}

/// The help text with what is printed now below its commands.
fn renewed_help(text: &str, workshop: &Workshop) -> String {
    let mut text = text.to_owned();
    for Example { command, shown } in examples_of_help(&text).into_iter().filter(|one| !one.shown.is_empty())
    {
        let indented = |shown: &str| shown.lines().map(|line| format!("\n  {line}")).collect::<String>();
        let renewed = crate::shown::renewed(&shown, &workshop.printed(&command).1);
        let [old, new] = [&shown, &renewed].map(|shown| indented(shown.trim_end_matches('…').trim_end()));
        text = text.replacen(&format!("$ {command}{old}"), &format!("$ {command}{new}"), 1);
    }
    text
}

#[cfg(unix)]
#[test]
fn the_help_is_true() {
    let workshop = Workshop::new("help");
    let mut count = 0;
    for command in std::iter::once("hockeystick").chain(COMMANDS) {
        let mut text = fs::read_to_string(help_file(command)).unwrap();
        if is_update() {
            text = renewed_help(&text, &workshop);
            fs::write(help_file(command), &text).unwrap();
        } else {
            let arguments = if command == "hockeystick" { vec!["--help"] } else { vec![command, "--help"] };
            let page = run(&arguments).answered();
            assert!(page.trim_end().ends_with(text.trim_end()), "{command} --help ends with its examples");
        }
        for example in examples_of_help(&text) {
            workshop.run(command, &example);
            count += 1;
        }
    }
    assert!(count >= 40, "only {count} examples were found in the help");
}

#[cfg(unix)]
#[test]
fn the_readme_is_true() {
    let count = try_pages("readme", &[root().join("README.md"), root().join("COMPARE.md")]);
    assert!(count >= 5, "only {count} examples were found");
}

#[cfg(unix)]
#[test]
fn the_page_of_the_json_form_is_true() {
    let count = try_pages("json", &pages("docs/json"));
    assert!(count >= 1, "only {count} examples were found");
}

#[cfg(unix)]
#[test]
fn the_guide_is_true() {
    let count = try_pages("guide", &pages("docs/guide"));
    assert!(count >= 30, "only {count} examples were found");
}

#[cfg(unix)]
#[test]
fn the_pages_of_mechanisms_are_true() {
    let count = try_pages("mechanisms", &pages("docs/mechanisms"));
    assert!(count >= catalogue().len(), "only {count} examples were found");
}

#[cfg(unix)]
#[test]
fn the_pages_of_methods_are_true() {
    let count = try_pages("methods", &pages("docs/methods"));
    assert!(count >= 16, "only {count} examples were found");
}

/// No document shows what no test runs.
#[test]
fn every_document_with_examples_is_tried() {
    const TRIED: [&str; 6] =
        ["README.md", "COMPARE.md", "docs/guide/", "docs/mechanisms/", "docs/methods/", "docs/json/"];
    let top = root().canonicalize().unwrap();
    let mut pending: Vec<PathBuf> =
        ["docs", "python", "bench", "crates", "testdata", "examples"].map(|folder| top.join(folder)).to_vec();
    let mut documents = pages("");
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.extension() {
                _ if entry.is_dir() => pending.push(entry),
                Some(extension) if extension == "md" => documents.push(entry),
                Some(_) | None => {}
            }
        }
    }
    assert!(documents.len() > 60, "only {} documents were found", documents.len());
    for document in documents {
        let path = document.canonicalize().unwrap();
        let name = path.strip_prefix(&top).unwrap().display().to_string();
        let has_examples = fs::read_to_string(&path).unwrap().contains("```console");
        assert!(!has_examples || TRIED.iter().any(|tried| name.starts_with(tried)), "{name} is not tried");
    }
}

/// Is what is printed now to be written into the documents?
fn is_update() -> bool {
    std::env::var_os("UPDATE_DOCUMENTATION").is_some()
}

const BEGIN: &str = "<!-- from the catalogue -->";
const END: &str = "<!-- end -->";

/// Checks, or writes anew, the part of a page that the program knows.
fn holds(page: &Path, known: &str) {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{}: no {BEGIN}", page.display()));
    let (stated, after) = rest.split_once(END).unwrap_or_else(|| panic!("{}: no {END}", page.display()));
    if is_update() {
        fs::write(page, format!("{before}{BEGIN}\n{}\n{END}{after}", known.trim())).unwrap();
        return;
    }
    assert_eq!(stated.trim(), known.trim(), "{}: run with UPDATE_DOCUMENTATION=1", page.display());
}

#[test]
fn every_mechanism_has_a_page_that_says_what_the_catalogue_says() {
    for entry in catalogue() {
        let known = run(&["mechanisms", entry.name, "--format", "markdown"]).answered();
        holds(&root().join(format!("docs/mechanisms/{}.md", entry.name)), &known);
    }
    assert_eq!(pages("docs/mechanisms").len(), catalogue().len() + 1, "a page for each, and their list");
}

#[test]
fn every_method_has_a_page_that_says_why_it_is_not_the_truth() {
    for method in Method::all() {
        let page = root().join(format!("docs/methods/{method}.md"));
        holds(&page, &format!("`--method {method}`: {}.", method.explanation()));
    }
}

/// Every page can be reached: the lists name all of them.
#[test]
fn lists_name_all_pages() {
    for folder in ["docs/mechanisms", "docs/methods", "docs/guide"] {
        let list = fs::read_to_string(root().join(folder).join("README.md")).unwrap();
        for page in pages(folder) {
            let name = page.file_name().unwrap().to_string_lossy().into_owned();
            assert!(name == "README.md" || list.contains(&format!("({name})")), "{folder}: {name}");
        }
    }
}
