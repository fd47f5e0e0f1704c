//! JSON as nodes. The usual readers forget where a value was written.

use super::node::{Entry, Misplaced, Node, Value};

/// Deeper files are refused: no workload is.
const MOST_LEVELS: usize = 32;

pub(super) fn read(text: &str) -> Result<Node, Misplaced> {
    let mut reader = Reader { text, at: 0, level: 0 };
    let node = reader.value()?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.misplaced("there is something after the end of the table"));
    }
    Ok(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    level: usize,
}

impl Reader<'_> {
    fn value(&mut self) -> Result<Node, Misplaced> {
        self.skip_space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.nested(Self::table)?,
            Some(b'[') => self.nested(Self::list)?,
            Some(b'"') => Value::Text(self.text_value()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => self.word()?,
            None => return Err(self.misplaced("the file ends here; a value is missing")),
        };
        Ok(Node { span: start..self.at, value })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, Misplaced>) -> Result<Value, Misplaced> {
        self.level += 1;
        if self.level > MOST_LEVELS {
            return Err(self.misplaced("this is nested too deep"));
        }
        let value = read(self)?;
        self.level -= 1;
        Ok(value)
    }

    fn table(&mut self) -> Result<Value, Misplaced> {
        self.at += 1;
        let mut entries: Vec<Entry> = vec![];
        self.skip_space();
        while !self.takes(b'}') {
            if !entries.is_empty() {
                self.expects(b',', "expected , or } here")?;
            }
            self.skip_space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.misplaced("expected a key in double quotes here"));
            }
            let key = self.text_value()?;
            let key_span = start..self.at;
            if entries.iter().any(|entry| entry.key == key) {
                return Err(Misplaced::new(key_span, format!("the key {key} is here for the second time")));
            }
            self.skip_space();
            self.expects(b':', "expected : here")?;
            let node = self.value()?;
            entries.push(Entry { key, key_span, node });
            self.skip_space();
        }
        Ok(Value::Table(entries))
    }

    fn list(&mut self) -> Result<Value, Misplaced> {
        self.at += 1;
        let mut nodes = vec![];
        self.skip_space();
        while !self.takes(b']') {
            if !nodes.is_empty() {
                self.expects(b',', "expected , or ] here")?;
            }
            nodes.push(self.value()?);
            self.skip_space();
        }
        Ok(Value::List(nodes))
    }

    /// Finds the closing quote; what is between is read by the usual reader, which knows all escapes.
    fn text_value(&mut self) -> Result<String, Misplaced> {
        let start = self.at;
        let mut is_escaped = false;
        for (offset, byte) in self.text.as_bytes()[start + 1..].iter().enumerate() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    self.at = start + offset + 2;
                    let text = &self.text[start..self.at];
                    return serde_json::from_str(text).map_err(|_| {
                        Misplaced::new(start..self.at, "this text has an escape that does not exist")
                    });
                }
                _ => {}
            }
        }
        Err(Misplaced::new(start..start + 1, "this text has no closing \""))
    }

    fn number(&mut self) -> Result<Value, Misplaced> {
        let start = self.at;
        while matches!(self.peek(), Some(b'+' | b'-' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        serde_json::from_str(&self.text[start..self.at])
            .map(Value::Number)
            .map_err(|_| Misplaced::new(start..self.at, "this is not a number"))
    }

    fn word(&mut self) -> Result<Value, Misplaced> {
        let words = [("true", "true or false"), ("false", "true or false"), ("null", "null")];
        let found = words.iter().find(|(word, _)| self.text[self.at..].starts_with(word));
        let Some((word, meaning)) = found else { return Err(self.misplaced("expected a value here")) };
        self.at += word.len();
        Ok(Value::Other(meaning))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expects(&mut self, byte: u8, complaint: &str) -> Result<(), Misplaced> {
        if self.takes(byte) { Ok(()) } else { Err(self.misplaced(complaint)) }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A complaint about the character that comes next.
    fn misplaced(&self, message: &str) -> Misplaced {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Misplaced::new(self.at..self.at + length, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_place() {
        let node = read(r#"{"a": [1, "ε\n"], "b": null}"#).unwrap();
        let Value::Table(entries) = node.value else { panic!() };
        assert_eq!((entries[0].key.as_str(), entries[0].key_span.clone()), ("a", 1..4));
        let Value::List(list) = &entries[0].node.value else { panic!() };
        assert_eq!((list[1].span.clone(), list[1].value.clone()), (10..16, Value::Text("ε\n".into())));
        assert_eq!(entries[1].node.value, Value::Other("null"));
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        let cases = [
            (r#"{"a" 1}"#, 5, "expected :"),
            (r#"{"a": 1 "b": 2}"#, 8, "expected , or }"),
            (r#"{"a": 1, "a": 2}"#, 9, "second time"),
            (r#"{"a": 1e}"#, 6, "not a number"),
            (r#"{"a": "x"#, 6, "no closing"),
            (r#"{"a": "\q"}"#, 6, "escape"),
            (r#"{"a": yes}"#, 6, "expected a value"),
            (r#"{"a": 1} 2"#, 9, "after the end"),
            (r#"{"a": "#, 6, "the file ends here"),
            (r#"[1, 2"#, 5, "expected , or ]"),
            ("", 0, "the file ends here"),
        ];
        for (text, start, message) in cases {
            let error = read(text).unwrap_err();
            assert!(error.span.start == start && error.message.contains(message), "{text}: {error:?}");
        }
        assert!(read(&"[".repeat(100)).unwrap_err().message.contains("too deep"));
    }

    proptest::proptest! {
        #[test]
        fn the_usual_reader_agrees(text in r#"[\[\]{}:,"a0-9.e \\-]{0,12}"#) {
            // Repeated keys are an error here and the usual reader takes the last; sizes overflow to infinity in neither.
            let usual: Result<serde_json::Value, _> = serde_json::from_str(&text);
            if usual.is_err() {
                proptest::prop_assert!(read(&text).is_err(), "{}", text);
            }
        }
    }
}
