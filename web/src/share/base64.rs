//! base64url without padding: letters, digits, `-` and `_`, which every program leaves alone in an address.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Three bytes become four characters; the rest of one or two bytes becomes two or three.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for idx in 0..=chunk.len() {
            let digit = (bits >> (18 - 6 * idx)) & 63;
            text.extend(ALPHABET.get(digit as usize).map(|byte| char::from(*byte)));
        }
    }
    text
}

/// `None` for any other character and for a length that no bytes have.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for byte in text.bytes() {
        let digit = ALPHABET.iter().position(|other| *other == byte)?;
        bits = (bits << 6) | digit as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xff) as u8);
        }
    }
    Some(bytes)
}
