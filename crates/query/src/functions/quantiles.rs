//! Summaries of which quantiles can be asked: Greenwald and Khanna's, with the buffers and thresholds of Spark, so that the
//! answers are Spark's also where they are not exact.

/// So many values are kept before they are put into the summary.
const BUFFERED: usize = 50_000;
/// A summary of so many samples is compressed.
const MOST_SAMPLES: usize = 10_000;

/// A value of those seen, and how sure its rank is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub(super) value: f64,
    /// How many values it stands for.
    pub(super) weight: i64,
    /// How far its rank may be off.
    pub(super) slack: i64,
}

/// A summary of values.
#[derive(Debug, Clone)]
pub(super) struct Summary {
    relative_error: f64,
    samples: Vec<Sample>,
    count: i64,
    buffer: Vec<f64>,
}

impl Summary {
    pub(super) fn new(relative_error: f64) -> Self {
        Self { relative_error, samples: Vec::new(), count: 0, buffer: Vec::new() }
    }

    /// One that was compressed and taken apart.
    pub(super) fn of(relative_error: f64, samples: Vec<Sample>, count: i64) -> Self {
        Self { relative_error, samples, count, buffer: Vec::new() }
    }

    /// Its samples and how many values they stand for, compressed.
    pub(super) fn parts(&mut self) -> (&[Sample], i64) {
        self.compress();
        (&self.samples, self.count)
    }

    pub(super) fn error(&self) -> f64 {
        self.relative_error
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.samples.capacity() * size_of::<Sample>() + self.buffer.capacity() * size_of::<f64>()
    }

    pub(super) fn add(&mut self, value: f64) {
        self.buffer.push(value);
        if self.buffer.len() >= BUFFERED {
            self.take_buffer();
            if self.samples.len() >= MOST_SAMPLES {
                self.compress();
            }
        }
    }

    fn take_buffer(&mut self) {
        let mut new = std::mem::take(&mut self.buffer);
        new.sort_by(f64::total_cmp);
        let mut merged: Vec<Sample> = Vec::with_capacity(self.samples.len() + new.len());
        let mut old = self.samples.iter().copied().peekable();
        let n_new = new.len();
        for (idx, value) in new.into_iter().enumerate() {
            while let Some(before) = old.next_if(|sample| sample.value <= value) {
                merged.push(before);
            }
            self.count += 1;
            let is_edge = merged.is_empty() || (old.peek().is_none() && idx + 1 == n_new);
            let slack = if is_edge { 0 } else { (2.0 * self.relative_error * self.count as f64).floor() as i64 };
            merged.push(Sample { value, weight: 1, slack });
        }
        merged.extend(old);
        self.samples = merged;
    }

    fn compress(&mut self) {
        if !self.buffer.is_empty() {
            self.take_buffer();
        }
        let threshold = 2.0 * self.relative_error * self.count as f64;
        self.samples = compressed(&self.samples, threshold);
    }

    /// Takes in what another has seen.
    pub(super) fn merge(&mut self, mut other: Self) {
        self.compress();
        other.compress();
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = other;
            return;
        }
        let slack = |summary: &Self| (2.0 * summary.relative_error * summary.count as f64).floor() as i64;
        let (of_mine, of_others) = (slack(&other), slack(self));
        let mut merged = Vec::with_capacity(self.samples.len() + other.samples.len());
        let mut mine = self.samples.iter().copied().peekable();
        let mut others = other.samples.iter().copied().peekable();
        let (mut n_mine, mut n_others) = (0, 0);
        while let (Some(left), Some(right)) = (mine.peek().copied(), others.peek().copied()) {
            let (sample, more) = if left.value < right.value {
                mine.next();
                n_mine += 1;
                (left, if n_others > 0 { of_mine } else { 0 })
            } else {
                others.next();
                n_others += 1;
                (right, if n_mine > 0 { of_others } else { 0 })
            };
            merged.push(Sample { slack: sample.slack + more, ..sample });
        }
        merged.extend(mine);
        merged.extend(others);
        let relative_error = self.relative_error.max(other.relative_error);
        let count = self.count + other.count;
        *self = Self::of(relative_error, compressed(&merged, 2.0 * relative_error * count as f64), count);
    }

    /// The values at these parts of the whole, from 0 to 1; `None` where nothing was seen.
    pub(super) fn at(&mut self, parts: &[f64]) -> Option<Vec<f64>> {
        self.compress();
        let (first, last) = (*self.samples.first()?, *self.samples.last()?);
        let target = self.samples.iter().map(|sample| sample.weight + sample.slack).max()? as f64 / 2.0;
        let value = |part: &f64| {
            if *part <= self.relative_error || self.samples.len() == 1 {
                return first.value;
            }
            if *part >= 1.0 - self.relative_error {
                return last.value;
            }
            let rank = (part * self.count as f64).ceil();
            let mut lowest = 0;
            let fits = |sample: &&Sample| {
                lowest += sample.weight;
                let highest = lowest + sample.slack;
                highest as f64 - target <= rank && rank <= lowest as f64 + target
            };
            self.samples.iter().find(fits).unwrap_or(&last).value
        };
        Some(parts.iter().map(value).collect())
    }
}

/// Neighbours become one while their ranks stay sure enough; the least and the greatest value stay.
fn compressed(samples: &[Sample], threshold: f64) -> Vec<Sample> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    let mut head = *last;
    let mut kept = Vec::new();
    for sample in samples.iter().take(samples.len() - 1).skip(1).rev() {
        if ((sample.weight + head.weight + head.slack) as f64) < threshold {
            head.weight += sample.weight;
        } else {
            kept.push(head);
            head = *sample;
        }
    }
    kept.push(head);
    if first.value <= head.value && samples.len() > 1 {
        kept.push(*first);
    }
    kept.reverse();
    kept
}
