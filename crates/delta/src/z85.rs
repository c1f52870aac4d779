//! Z85, the text form of binary data in deletion vector descriptors (ZeroMQ RFC 32): five characters for four
//! bytes. Text that is not Z85 is `None`, never a panic.

const CHARACTERS: &[u8; 85] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
const BASE: u32 = 85;

/// The text of the bytes; a last group that is not full is filled up with zeros.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(4) * 5);
    for group in bytes.chunks(4) {
        let padded = group.iter().copied().chain(std::iter::repeat(0)).take(4);
        let mut value = padded.fold(0, |value, byte| value << 8 | u32::from(byte));
        let mut characters = ['0'; 5];
        for character in characters.iter_mut().rev() {
            let digit = (value % BASE) as usize;
            *character = CHARACTERS.get(digit).map_or('0', |byte| char::from(*byte));
            value /= BASE;
        }
        text.extend(characters);
    }
    text
}

/// The bytes of the text, a whole number of groups of four.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(5) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 5 * 4);
    for group in text.as_bytes().chunks(5) {
        let mut value: u32 = 0;
        for character in group {
            let digit = CHARACTERS.iter().position(|known| known == character)?;
            value = value.checked_mul(BASE)?.checked_add(u32::try_from(digit).ok()?)?;
        }
        bytes.extend(value.to_be_bytes());
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn the_example_of_the_rfc_goes_both_ways() {
        let bytes = [0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b];
        assert_eq!(encode(&bytes), "HelloWorld");
        assert_eq!(decode("HelloWorld").as_deref(), Some(bytes.as_slice()));
    }

    #[test]
    fn what_is_not_z85_is_refused() {
        for text in ["Hello~orld", "Hell", "#####", "Hellö"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode(""), Some(Vec::new()));
    }
}
