//! Which values a parameter takes: the constructor is asked, so that no list can fall behind it.

use super::{ArgumentError, BuildError, Entry, Kind, Mechanism, Parameter, Value, build};

impl Entry {
    /// What the constructor says of a number that `parameter` does not take, such as "a finite number above 0"; nothing for
    /// texts, lists and mechanisms, nor for a range that depends on other parameters.
    pub fn allowed(&self, parameter: &Parameter) -> Option<String> {
        let [small, large] = [1, 7].map(|size| self.allowed_beside(parameter, size));
        small.filter(|allowed| Some(allowed) == large.as_ref())
    }

    /// The same where other parameters are of this size, if the example does not say what they are.
    fn allowed_beside(&self, parameter: &Parameter, size: u64) -> Option<String> {
        let wrong = match parameter.kind {
            Kind::Number => Value::Number(f64::NAN),
            Kind::Whole => Value::Whole(u64::MAX),
            Kind::Numbers | Kind::Text | Kind::Mechanism => return None,
        };
        // As in the example, else by itself, else with others that go together with it.
        let others = || {
            let other = self.parameters.iter().filter(|other| other.name != parameter.name);
            other.filter_map(|other| Some((other.name, some_value(other.kind, size)?)))
        };
        let in_place =
            self.example_values().into_iter().filter(|(name, _)| *name != parameter.name).collect();
        let without = |left_out: &str| others().filter(|(name, _)| *name != left_out).collect();
        let candidates = [in_place, vec![], others().collect()];
        let fewer = self.parameters.iter().map(|left_out| without(left_out.name));
        candidates.into_iter().chain(fewer).find_map(|mut values: Vec<(&str, Value<'static>)>| {
            values.push((parameter.name, wrong.clone()));
            match build(self.name, values) {
                Err(BuildError::Argument(ArgumentError::Invalid(invalid))) => {
                    (invalid.parameter == parameter.name).then_some(invalid.allowed)
                }
                Ok(_) | Err(_) => None,
            }
        })
    }

    /// The values of the example.
    fn example_values(&self) -> Vec<(&'static str, Value<'static>)> {
        let Ok(example) = self.example.parse::<Mechanism>() else { return vec![] };
        let owned = |value: Value<'_>| match value {
            Value::Number(number) => Value::Number(number),
            Value::Whole(whole) => Value::Whole(whole),
            Value::Numbers(numbers) => Value::Numbers(numbers.into_owned().into()),
            Value::Text(text) => Value::Text(text.into_owned().into()),
            Value::Mechanism(inner) => Value::Mechanism(std::borrow::Cow::Owned(inner.into_owned())),
        };
        example.arguments().into_iter().map(|(name, value)| (name, owned(value))).collect()
    }
}

fn some_value(kind: Kind, size: u64) -> Option<Value<'static>> {
    match kind {
        Kind::Number => Some(Value::Number(size as f64)),
        Kind::Whole => Some(Value::Whole(size)),
        Kind::Numbers | Kind::Text | Kind::Mechanism => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::mechanism::{Kind, catalogue, entry_of};

    /// Of all numbers only the records that a query counts, at most all there are, depend on another one.
    #[test]
    fn every_number_has_a_range() {
        for entry in catalogue() {
            for parameter in entry.parameters {
                let is_dependent = (entry.name, parameter.name) == ("exponential", "m");
                let is_number = matches!(parameter.kind, Kind::Number | Kind::Whole) && !is_dependent;
                assert_eq!(
                    entry.allowed(parameter).is_some(),
                    is_number,
                    "{}: {}",
                    entry.name,
                    parameter.name
                );
            }
        }
    }

    #[test]
    fn ranges_are_those_of_the_constructors() {
        let allowed = |name: &str, parameter: &str| {
            let entry = entry_of(name).unwrap();
            entry.allowed(entry.parameters.iter().find(|p| p.name == parameter).unwrap()).unwrap()
        };
        assert_eq!(allowed("gaussian", "sigma"), "a finite number above 0");
        assert_eq!(allowed("binomial", "n"), "a whole number from 1 to 10^15");
    }
}
