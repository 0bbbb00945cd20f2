//! Bytes in chunks that never move. One list that grows would leave a hole behind in the memory each time it is moved,
//! and WebAssembly never gives memory back.

const CHUNK: usize = 1 << 16;

/// Bytes, each piece at a place of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<Vec<u8>>,
}

impl Arena {
    /// Room for `size` bytes, all zero.
    pub(super) fn room(&mut self, size: usize) -> u32 {
        let fits = self.chunks.last().is_some_and(|chunk| chunk.len() + size <= CHUNK);
        if !fits {
            self.chunks.push(Vec::with_capacity(size.max(CHUNK)));
        }
        let chunk = self.chunks.len() - 1;
        let offset = self.chunks[chunk].len();
        self.chunks[chunk].resize(offset + size, 0);
        // A piece that is larger than a chunk begins one, so the offset is always below its size.
        ((chunk as u32) << 16) | offset as u32
    }

    /// Puts a piece in, and says where.
    pub(super) fn push(&mut self, bytes: &[u8]) -> u32 {
        let place = self.room(bytes.len());
        if let Some(room) = self.get_mut(place, bytes.len() as u32) {
            room.copy_from_slice(bytes);
        }
        place
    }

    /// The `size` bytes at `place`; nothing if there are not so many.
    pub(super) fn get(&self, place: u32, size: u32) -> &[u8] {
        let start = (place & 0xFFFF) as usize;
        let chunk = self.chunks.get((place >> 16) as usize).map_or(&[][..], Vec::as_slice);
        chunk.get(start..start + size as usize).unwrap_or(&[])
    }

    /// The same, to write to.
    pub(super) fn get_mut(&mut self, place: u32, size: u32) -> Option<&mut [u8]> {
        let start = (place & 0xFFFF) as usize;
        self.chunks.get_mut((place >> 16) as usize)?.get_mut(start..start + size as usize)
    }

    /// Writes zeros over a piece.
    pub(super) fn erase(&mut self, place: u32, size: u32) {
        if let Some(piece) = self.get_mut(place, size) {
            piece.fill(0);
        }
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_any_size_are_where_they_were_put() {
        let mut arena = Arena::default();
        let pieces: Vec<Vec<u8>> =
            (0..300).map(|n| vec![n as u8; n * n % 1000 + if n == 200 { 300_000 } else { 0 }]).collect();
        let places: Vec<u32> = pieces.iter().map(|piece| arena.push(piece)).collect();
        for (place, piece) in places.iter().zip(&pieces) {
            assert_eq!(arena.get(*place, piece.len() as u32), piece);
        }
        arena.erase(places[7], 49);
        assert_eq!(arena.get(places[7], 49), [0; 49]);
        assert_eq!(arena.get(u32::MAX, 1), [0; 0]);
    }
}
