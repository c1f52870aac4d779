//! The same work on every core where there are several, and one item after the other in the browser, where a page
//! without server headers has a single thread. Results come in the order of the items either way.

/// Work on fewer bytes than this is done before a thread has started.
#[cfg(not(target_family = "wasm"))]
const WORTH_A_THREAD: usize = 1 << 20;

/// `work` on each item. `n_bytes` tells how much data all of it is about.
#[cfg(target_family = "wasm")]
pub fn map<T, R>(items: Vec<T>, _n_bytes: usize, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}

/// `work` on each item. `n_bytes` tells how much data all of it is about.
#[cfg(not(target_family = "wasm"))]
pub fn map<T: Send, R: Send>(items: Vec<T>, n_bytes: usize, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let n_cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let n_workers = n_cores.min(items.len()).min(n_bytes / WORTH_A_THREAD + 1);
    if n_workers < 2 {
        return items.into_iter().map(work).collect();
    }
    let queue = std::sync::Mutex::new(items.into_iter().enumerate());
    // A poisoned lock means that another worker panicked, and that panic is on its way to the caller.
    let next = || queue.lock().ok()?.next();
    let work_off = || {
        let mut done = Vec::new();
        while let Some((at, item)) = next() {
            done.push((at, work(item)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_workers).map(|_| scope.spawn(work_off)).collect();
        let mut done = work_off();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{WORTH_A_THREAD, map};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for n_bytes in [0, 64 * WORTH_A_THREAD] {
            let doubled = map((0..1000).collect(), n_bytes, |item: u64| item * 2);
            assert_eq!(doubled, (0..1000).map(|item| item * 2).collect::<Vec<_>>(), "{n_bytes}");
            assert_eq!(map(Vec::<u64>::new(), n_bytes, |item| item), Vec::<u64>::new());
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_reaches_the_caller() {
        map((0..8).collect(), 64 * WORTH_A_THREAD, |item: u64| assert_ne!(item, 3, "the third"));
    }
}
