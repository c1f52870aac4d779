//! From a failing case to a small one.

/// Takes the first smaller case that still fails, over and over, until none does or `budget` cases were tried.
pub fn shrink<C>(case: C, smaller: impl Fn(&C) -> Vec<C>, mut fails: impl FnMut(&C) -> bool, budget: usize) -> C {
    let mut case = case;
    let mut left = budget;
    // Where the search goes on: what could not be left out before can hardly be left out now.
    let mut start = 0;
    loop {
        let candidates = smaller(&case);
        let n_candidates = candidates.len();
        let order = (0..n_candidates).map(|idx| (idx + start) % n_candidates.max(1));
        let mut candidates: Vec<Option<C>> = candidates.into_iter().map(Some).collect();
        let mut found = None;
        for idx in order {
            let Some(candidate) = candidates.get_mut(idx).and_then(Option::take) else { continue };
            if left == 0 {
                return case;
            }
            left -= 1;
            if fails(&candidate) {
                found = Some((idx, candidate));
                break;
            }
        }
        let Some((idx, candidate)) = found else { return case };
        (case, start) = (candidate, idx);
    }
}

/// The list without each of its items, one after the other.
pub fn without_one<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let without = |idx: usize| [items.get(..idx), items.get(idx + 1..)].into_iter().flatten().flatten().cloned();
    (0..items.len()).map(|idx| without(idx).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_goes() {
        let case = vec![1, 2, 3, 4, 5, 6];
        let small = shrink(case, |case| without_one(case), |case| case.contains(&3) && case.contains(&5), 100);
        assert_eq!(small, [3, 5]);
    }

    #[test]
    fn the_budget_ends_the_search() {
        let mut n_tried = 0;
        let case: Vec<u32> = (0..50).collect();
        let fails = |_: &Vec<u32>| {
            n_tried += 1;
            false
        };
        shrink(case, |case| without_one(case), fails, 7);
        assert_eq!(n_tried, 7);
    }
}
