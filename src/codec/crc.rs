//! CRC-32 (IEEE 802.3), the checksum of a frame.

use std::sync::OnceLock;

/// The effect of a byte on the checksum, with 0 to 7 bytes after it: eight bytes are processed at a time. Computed on
/// first use, to keep it out of the download.
static TABLES: OnceLock<[[u32; 256]; 8]> = OnceLock::new();

fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    for (byte, crc) in (0..).zip(&mut tables[0]) {
        *crc = byte;
        for _ in 0..8 {
            *crc = if *crc & 1 == 1 { 0xEDB8_8320 ^ (*crc >> 1) } else { *crc >> 1 };
        }
    }
    for after in 1..8 {
        for byte in 0..256 {
            let crc = tables[after - 1][byte];
            tables[after][byte] = tables[0][(crc & 0xFF) as usize] ^ (crc >> 8);
        }
    }
    tables
}

/// The checksum of the concatenated `parts`.
pub(super) fn crc32(parts: &[&[u8]]) -> u32 {
    let tables = TABLES.get_or_init(tables);
    let mut crc = u32::MAX;
    for part in parts {
        let (eights, rest) = part.as_chunks::<8>();
        for eight in eights {
            let word = u64::from_le_bytes(*eight) ^ u64::from(crc);
            crc = 0;
            for (place, table) in tables.iter().rev().enumerate() {
                crc ^= table[(word >> (8 * place)) as usize & 0xFF];
            }
        }
        for byte in rest {
            crc = tables[0][usize::from((crc as u8) ^ byte)] ^ (crc >> 8);
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_standard_check_value() {
        assert_eq!(crc32(&[b"123456789"]), 0xCBF4_3926);
        assert_eq!(crc32(&[b"1234", b"56789"]), 0xCBF4_3926);
        let text = b"eight bytes at a time and one at a time are the same".as_slice();
        let singles: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(crc32(&[text]), crc32(&singles));
    }
}
