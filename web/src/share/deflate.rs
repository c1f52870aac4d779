//! Packing as raw deflate (RFC 1951) in one block of fixed codes: a link need not be the shortest, only short.

use super::inflate::{distance_of, fixed_length, length_of};

const MIN_MATCH: usize = 3;
const MAX_MATCH: usize = 258;
const WINDOW: usize = 32_768;
/// Earlier places with the same three bytes that are tried.
const TRIES: usize = 64;
const N_HEADS: usize = 4_096;

struct Bits {
    out: Vec<u8>,
    bits: u32,
    n_bits: u32,
}

impl Bits {
    fn put(&mut self, value: usize, n: u32) {
        self.bits |= (value as u32) << self.n_bits;
        self.n_bits += n;
        while self.n_bits >= 8 {
            self.out.push(self.bits as u8);
            self.bits >>= 8;
            self.n_bits -= 8;
        }
    }

    /// Huffman codes go highest bit first.
    fn put_code(&mut self, code: usize, n: u32) {
        (0..n).rev().for_each(|bit| self.put(code >> bit & 1, 1));
    }

    fn put_symbol(&mut self, symbol: usize) {
        let code = match symbol {
            0..144 => 0x30 + symbol,
            144..256 => 0x190 + symbol - 144,
            256..280 => symbol - 256,
            _ => 0xc0 + symbol - 280,
        };
        self.put_code(code, fixed_length(symbol) as u32);
    }

    fn put_match(&mut self, length: usize, distance: usize) {
        let (symbol, base, extra) = last_not_above(length, length_of, 29);
        self.put_symbol(257 + symbol);
        self.put(length - base, extra);
        let (symbol, base, extra) = last_not_above(distance, distance_of, 30);
        self.put_code(symbol, 5);
        self.put(distance - base, extra);
    }
}

/// The symbol whose base is the greatest that is not above a value, with base and extra bits.
fn last_not_above(value: usize, of: fn(usize) -> Option<(usize, u32)>, n: usize) -> (usize, usize, u32) {
    let fits = |symbol: &usize| of(*symbol).is_some_and(|(base, _)| base <= value);
    let symbol = (0..n).rev().find(fits).unwrap_or(0);
    let (base, extra) = of(symbol).unwrap_or((value, 0));
    (symbol, base, extra)
}

/// Packs bytes so that every reader of deflate gets them back.
pub(super) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Bits { out: Vec::new(), bits: 0, n_bits: 0 };
    // The last block, of fixed codes.
    bits.put(0b011, 3);
    let mut heads = vec![usize::MAX; N_HEADS];
    let mut earlier = vec![usize::MAX; bytes.len()];
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let found = longest(bytes, at, &heads, &earlier);
        let step = match found {
            Some((length, distance)) => {
                bits.put_match(length, distance);
                length
            }
            None => {
                bits.put_symbol(usize::from(*byte));
                1
            }
        };
        for place in at..at + step {
            if let (Some(head), Some(slot)) =
                (hash(bytes, place).and_then(|h| heads.get_mut(h)), earlier.get_mut(place))
            {
                *slot = std::mem::replace(head, place);
            }
        }
        at += step;
    }
    bits.put_symbol(256);
    bits.put(0, 7);
    bits.out
}

fn hash(bytes: &[u8], at: usize) -> Option<usize> {
    let three = bytes.get(at..at + MIN_MATCH)?;
    Some(three.iter().fold(0, |hash: usize, byte| hash.wrapping_mul(331).wrapping_add(usize::from(*byte))) % N_HEADS)
}

/// Length and distance of the longest match before a place.
fn longest(bytes: &[u8], at: usize, heads: &[usize], earlier: &[usize]) -> Option<(usize, usize)> {
    let rest = bytes.get(at..)?;
    let mut place = *heads.get(hash(bytes, at)?)?;
    let mut best = (MIN_MATCH - 1, 0);
    for _ in 0..TRIES {
        if place == usize::MAX || at - place > WINDOW {
            break;
        }
        let same = bytes.get(place..)?.iter().zip(rest).take(MAX_MATCH).take_while(|(left, right)| left == right);
        let length = same.count();
        if length > best.0 {
            best = (length, at - place);
        }
        place = *earlier.get(place)?;
    }
    (best.1 > 0).then_some(best)
}
