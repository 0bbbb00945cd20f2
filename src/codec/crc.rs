//! CRC-32 (IEEE 802.3), the checksum of a frame.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

/// The checksum of all `parts`, as if they were one piece.
pub(super) fn crc32(parts: &[&[u8]]) -> u32 {
    let crc = parts
        .iter()
        .flat_map(|part| part.iter())
        .fold(u32::MAX, |crc, byte| TABLE[usize::from((crc as u8) ^ byte)] ^ (crc >> 8));
    !crc
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_standard_check_value() {
        assert_eq!(crc32(&[b"123456789"]), 0xCBF4_3926);
        assert_eq!(crc32(&[b"1234", b"56789"]), 0xCBF4_3926);
    }
}
