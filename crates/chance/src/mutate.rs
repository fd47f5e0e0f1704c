//! Bytes that are almost those of an example.

use crate::Random;

/// The longest input that mutations make of short ones.
const LONGEST: usize = 1 << 14;

/// `corpus[i]` for some `i`, with a few random changes: bytes flipped, deleted, inserted, repeated, pieces exchanged with other
/// examples or with words of `dictionary`.
///
/// # Panics
/// If the corpus is empty.
pub fn mutated(random: &mut Random, corpus: &[Vec<u8>], dictionary: &[&str]) -> Vec<u8> {
    let mut bytes = random.one_of(corpus).clone();
    let most = if random.chance(0.2) { 30 } else { 4 };
    let changes = 1 + random.below(most);
    for _ in 0..changes {
        change(random, &mut bytes, corpus, dictionary);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, corpus: &[Vec<u8>], dictionary: &[&str]) {
    let at = random.below(bytes.len() as u64 + 1) as usize;
    match random.below(9) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.bits() as u8;
            }
        }
        2 => bytes.insert(at, *random.one_of(b"(),=*+?\"'[]{}:#.-e0123456789_ \n\t\\\x00\xff")),
        3 => drop(bytes.drain(at..end(random, at, bytes.len()))),
        4 => {
            let piece = bytes[at..end(random, at, bytes.len())].to_vec();
            let most = if random.chance(0.1) { 200 } else { 3 };
            let times = 1 + random.below(most);
            for _ in 0..times {
                if bytes.len() > LONGEST {
                    break;
                }
                bytes.splice(at..at, piece.iter().copied());
            }
        }
        5 => {
            let other = random.one_of(corpus);
            let from = random.below(other.len() as u64 + 1) as usize;
            let piece = other[from..end(random, from, other.len())].to_vec();
            bytes.splice(at..end(random, at, bytes.len()), piece);
        }
        6 | 7 if !dictionary.is_empty() => {
            let word = random.one_of(dictionary).bytes();
            let to = if random.chance(0.5) { at } else { end(random, at, bytes.len()) };
            bytes.splice(at..to, word);
        }
        _ => {
            const NUMBERS: [&str; 18] = [
                "0",
                "-1",
                "1e999",
                "-1e999",
                "1e-999",
                "nan",
                "inf",
                "4.9e-324",
                "1.7976931348623157e308",
                "1e15",
                "1000000000000001",
                "18446744073709551616",
                "0.5",
                "1_0",
                "-0",
                "1e-300",
                "١",
                "9007199254740993",
            ];
            let number = random.one_of(&NUMBERS).bytes();
            bytes.splice(at..end(random, at, bytes.len()).min(at + 4), number);
        }
    }
}

/// Where a piece ends that begins at `from`: mostly near.
fn end(random: &mut Random, from: usize, length: usize) -> usize {
    let most = (length - from) as u64;
    let most = if random.chance(0.8) { most.min(12) } else { most };
    from + random.below(most + 1) as usize
}

#[test]
fn mutations_are_bounded_and_repeatable() {
    let corpus = [b"gaussian(sigma=1)".to_vec(), Vec::new()];
    let all = |seed| {
        let mut random = Random::new(seed);
        (0..2000).map(|_| mutated(&mut random, &corpus, &["poisson("])).collect::<Vec<_>>()
    };
    assert_eq!(all(3), all(3));
    assert!(all(3).iter().all(|bytes| bytes.len() <= LONGEST));
    assert!(all(3).iter().any(|bytes| bytes.starts_with(b"gauss")));
}
