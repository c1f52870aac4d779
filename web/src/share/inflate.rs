//! Unpacking of raw deflate (RFC 1951), small rather than fast: a link is a few kilobytes.

/// Longest code of the format.
const MAX_BITS: usize = 15;
/// The order in which the lengths of the code length codes are stored.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Base and extra bits of a length symbol from 257 on.
pub(super) fn length_of(symbol: usize) -> Option<(usize, u32)> {
    match symbol {
        0..8 => Some((symbol + 3, 0)),
        8..28 => {
            let bits = (symbol as u32 - 4) / 4;
            Some(((((4 + symbol % 4) << bits) + 3), bits))
        }
        28 => Some((258, 0)),
        _ => None,
    }
}

/// Base and extra bits of a distance symbol.
pub(super) fn distance_of(symbol: usize) -> Option<(usize, u32)> {
    match symbol {
        0..4 => Some((symbol + 1, 0)),
        4..30 => {
            let bits = (symbol as u32 - 2) / 2;
            Some(((((2 + symbol % 2) << bits) + 1), bits))
        }
        _ => None,
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    bits: u32,
    n_bits: u32,
}

impl Bits<'_> {
    /// The next `n` bits, the first one lowest; at most 16.
    fn take(&mut self, n: u32) -> Option<usize> {
        while self.n_bits < n {
            self.bits |= u32::from(*self.bytes.get(self.at)?) << self.n_bits;
            self.at += 1;
            self.n_bits += 8;
        }
        let value = self.bits & ((1 << n) - 1);
        self.bits >>= n;
        self.n_bits -= n;
        Some(value as usize)
    }

    /// A stored block: whole bytes after two lengths that mirror each other.
    fn stored(&mut self) -> Option<&[u8]> {
        (self.bits, self.n_bits) = (0, 0);
        let (length, mirrored) = (self.take(16)?, self.take(16)?);
        if length ^ mirrored != 0xffff {
            return None;
        }
        let start = self.at;
        self.at += length;
        self.bytes.get(start..self.at)
    }
}

/// A canonical Huffman code: how many codes there are of each length, and the symbols in their order.
struct Code {
    counts: [usize; MAX_BITS + 1],
    symbols: Vec<usize>,
}

impl Code {
    /// `None` where the lengths ask for more codes than there are.
    fn new(lengths: &[usize]) -> Option<Code> {
        let mut counts = [0; MAX_BITS + 1];
        for length in lengths {
            *counts.get_mut(*length)? += 1;
        }
        let mut left = 1_usize;
        for count in counts.iter().skip(1) {
            left = (left << 1).checked_sub(*count)?;
        }
        let of_length =
            |length: usize| lengths.iter().enumerate().filter(move |(_, l)| **l == length).map(|(at, _)| at);
        let symbols = (1..=MAX_BITS).flat_map(of_length).collect();
        counts[0] = 0;
        Some(Code { counts, symbols })
    }

    fn next(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut idx) = (0_usize, 0_usize, 0_usize);
        for count in self.counts.iter().skip(1) {
            code |= bits.take(1)?;
            if code < first + count {
                return self.symbols.get(idx + code - first).copied();
            }
            idx += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// The content, or `None` where it is damaged or larger than `limit`.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes, at: 0, bits: 0, n_bits: 0 };
    let mut out = Vec::new();
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => {
                let stored = bits.stored()?;
                if out.len() + stored.len() > limit {
                    return None;
                }
                out.extend_from_slice(stored);
            }
            1 => {
                let lengths: Vec<usize> = (0..288).map(fixed_length).collect();
                block(&mut bits, &Code::new(&lengths)?, &Code::new(&[5; 30])?, &mut out, limit)?;
            }
            2 => {
                let (literals, distances) = codes(&mut bits)?;
                block(&mut bits, &literals, &distances, &mut out, limit)?;
            }
            _ => return None,
        }
        if is_last {
            return Some(out);
        }
    }
}

/// The length of a literal's or length's code where the codes are fixed.
pub(super) fn fixed_length(symbol: usize) -> usize {
    match symbol {
        0..144 => 8,
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    }
}

fn codes(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    let (n_literals, n_distances, n_lengths) = (bits.take(5)? + 257, bits.take(5)? + 1, bits.take(4)? + 4);
    let mut lengths = [0; 19];
    for place in ORDER.iter().take(n_lengths) {
        *lengths.get_mut(*place)? = bits.take(3)?;
    }
    let code = Code::new(&lengths)?;
    let mut lengths: Vec<usize> = Vec::new();
    while lengths.len() < n_literals + n_distances {
        let (length, times) = match code.next(bits)? {
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            18 => (0, bits.take(7)? + 11),
            length => (length, 1),
        };
        lengths.extend(std::iter::repeat_n(length, times));
    }
    Some((Code::new(lengths.get(..n_literals)?)?, Code::new(lengths.get(n_literals..n_literals + n_distances)?)?))
}

fn block(bits: &mut Bits<'_>, literals: &Code, distances: &Code, out: &mut Vec<u8>, limit: usize) -> Option<()> {
    loop {
        let symbol = literals.next(bits)?;
        if symbol == 256 {
            return Some(());
        }
        let (length, back) = match symbol.checked_sub(257) {
            None => {
                out.push(symbol as u8);
                (0, 1)
            }
            Some(symbol) => {
                let (base, extra) = length_of(symbol)?;
                let length = base + bits.take(extra)?;
                let (base, extra) = distance_of(distances.next(bits)?)?;
                (length, base + bits.take(extra)?)
            }
        };
        if out.len() + length > limit {
            return None;
        }
        for _ in 0..length {
            let byte = *out.get(out.len().checked_sub(back)?)?;
            out.push(byte);
        }
    }
}
