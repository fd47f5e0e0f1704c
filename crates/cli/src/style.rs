//! Colour, where somebody can see it.

use std::io::IsTerminal;

/// How text is set off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    /// Without colour.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self { colour: false };

    /// With colour on a terminal, unless `NO_COLOR` is set to anything or the terminal is dumb.
    pub(crate) fn of_output() -> Self {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        Self { colour: is_terminal() && !is_unwanted && !is_dumb }
    }

    /// The line that answers.
    pub(crate) fn headline(self, text: &str) -> String {
        self.wrapped("1", text)
    }

    /// The name of a fact.
    pub(crate) fn name(self, text: &str) -> String {
        self.wrapped("2", text)
    }

    /// What should not be overlooked.
    pub(crate) fn warning(self, text: &str) -> String {
        self.wrapped("33", text)
    }

    fn wrapped(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Is standard output read by a person?
pub(crate) fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_an_escape_around_the_text() {
        assert_eq!(Style { colour: true }.headline("ε"), "\u{1b}[1mε\u{1b}[0m");
        assert_eq!(Style::PLAIN.warning("ε"), "ε");
    }
}
