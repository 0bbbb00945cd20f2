//! Bytes as lowercase hexadecimal strings.

/// Two digits per byte.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes exactly `N` bytes.
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// Decodes any number of bytes.
pub fn decode_all(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| decode::<1>(std::str::from_utf8(pair).ok()?).map(|[byte]| byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        assert_eq!(encode(&[0, 15, 255]), "000fff");
        assert_eq!(decode("000fff"), Some([0, 15, 255]));
        assert_eq!(decode::<3>("000ff"), None);
        assert_eq!(decode::<1>("gg"), None);
        assert_eq!(decode::<1>("é"), None);
        assert_eq!(decode_all("000fff"), Some(vec![0, 15, 255]));
        assert_eq!(decode_all("00f"), None);
    }
}
