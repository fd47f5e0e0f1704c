//! Parts with different counts, split into layers of equal counts.

/// Parts with a common count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    /// That count.
    pub(crate) uses: u64,
    pub(crate) parts: Vec<usize>,
}

/// Layers whose counts add up to those of the parts: one for each difference between successive counts, or one for each binary digit, whichever
/// has fewer parts in all.
pub(crate) fn layers(counts: &[(usize, u64)]) -> Vec<Layer> {
    let mut steps: Vec<u64> = counts.iter().map(|(_, count)| *count).collect();
    steps.sort_unstable();
    steps.dedup();
    let parts_with = |holds: &dyn Fn(u64) -> bool| -> Vec<usize> {
        counts.iter().filter(|(_, count)| holds(*count)).map(|(part, _)| *part).collect()
    };
    let digits: Vec<Layer> = (0..u64::BITS)
        .map(|digit| Layer { uses: 1 << digit, parts: parts_with(&|count| count >> digit & 1 == 1) })
        .filter(|layer| !layer.parts.is_empty())
        .collect();
    if steps.len() > digits.len() {
        return digits;
    }
    let below = std::iter::once(0).chain(steps.iter().copied());
    let by_steps: Vec<Layer> = (below.zip(&steps))
        .map(|(below, &step)| Layer { uses: step - below, parts: parts_with(&|count| count >= step) })
        .collect();
    let size = |layers: &[Layer]| layers.iter().map(|layer| layer.parts.len()).sum::<usize>();
    if size(&by_steps) <= size(&digits) { by_steps } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_add_up_to_the_counts() {
        for counts in [vec![7; 5], vec![1, 1, 100, 100], (1..=40).collect::<Vec<u64>>(), vec![1 << 40, 3]] {
            let parts: Vec<(usize, u64)> = counts.iter().copied().enumerate().collect();
            let layers = layers(&parts);
            for (part, count) in parts {
                let sum: u64 =
                    layers.iter().filter(|layer| layer.parts.contains(&part)).map(|layer| layer.uses).sum();
                assert_eq!(sum, count);
            }
        }
        assert_eq!(layers(&[(3, 7), (5, 7)]), [Layer { uses: 7, parts: vec![3, 5] }]);
        assert!(layers(&(1..=40).map(|i| (i as usize, i)).collect::<Vec<_>>()).len() <= 6);
    }
}
