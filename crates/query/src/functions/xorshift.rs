//! Spark's random numbers (`XORShiftRandom`). The logarithm is that of Java's `StrictMath`, which libm has: others differ in the
//! last digit.

/// Spark's generator: an xorshift whose seed is hashed first, with the doubles and Gaussians of `java.util.Random`.
pub(crate) struct XorShift {
    seed: i64,
    spare: Option<f64>,
}

impl XorShift {
    pub(crate) fn new(seed: u64) -> Self {
        let bytes = seed.to_be_bytes();
        let low = murmur(&bytes, 0x3c07_4a61);
        let high = murmur(&bytes, low);
        Self { seed: (i64::from(high) << 32) | (i64::from(low) & 0xffff_ffff), spare: None }
    }

    fn next(&mut self, bits: u32) -> i64 {
        let mut seed = self.seed ^ (self.seed << 21);
        seed ^= (seed.cast_unsigned() >> 35).cast_signed();
        seed ^= seed << 4;
        self.seed = seed;
        i64::from((seed & ((1_i64 << bits) - 1)) as i32)
    }

    /// From 0 up to `bound`, which is more than 0.
    pub(crate) fn below(&mut self, bound: i32) -> i32 {
        if bound & bound.wrapping_neg() == bound {
            return ((i64::from(bound) * self.next(31)) >> 31) as i32;
        }
        loop {
            let bits = self.next(31) as i32;
            let value = bits % bound;
            // The last, incomplete stretch of numbers would make small ones likelier.
            if (bits - value).checked_add(bound - 1).is_some() {
                return value;
            }
        }
    }

    /// From 0 up to 1.
    pub(super) fn unit(&mut self) -> f64 {
        let (high, low) = (self.next(26), self.next(27));
        ((high << 27) + low) as f64 / (1_u64 << 53) as f64
    }

    /// With mean 0 and deviation 1; they are drawn in pairs.
    pub(super) fn gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = x * x + y * y;
            if square < 1.0 && square != 0.0 {
                let factor = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(y * factor);
                return x * factor;
            }
        }
    }

    pub(super) fn bits(&mut self) -> u64 {
        (self.next(32).cast_unsigned() << 32) | (self.next(32).cast_unsigned() & 0xffff_ffff)
    }
}

/// MurmurHash3 of eight bytes, 32 bits.
fn murmur(bytes: &[u8; 8], seed: i32) -> i32 {
    let mut hash = seed.cast_unsigned();
    for block in bytes.chunks_exact(4) {
        let block = block.iter().rev().fold(0_u32, |block, byte| (block << 8) | u32::from(*byte));
        let mixed = block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
        hash = (hash ^ mixed).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= 8;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    (hash ^ (hash >> 16)).cast_signed()
}
