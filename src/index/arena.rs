//! Bytes in chunks that never move. A growing vector would leave a hole in the memory each time it is reallocated, and
//! WebAssembly never gives memory back.

const CHUNK: usize = 1 << 16;

/// An arena of byte pieces, each with an address.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<Vec<u8>>,
}

impl Arena {
    /// Allocates `size` zero bytes.
    pub(super) fn room(&mut self, size: usize) -> u32 {
        let fits = self.chunks.last().is_some_and(|chunk| chunk.len() + size <= CHUNK);
        if !fits {
            self.chunks.push(Vec::with_capacity(size.max(CHUNK)));
        }
        let chunk = self.chunks.len() - 1;
        let offset = self.chunks[chunk].len();
        self.chunks[chunk].resize(offset + size, 0);
        // A piece larger than a chunk begins a new one, so the offset is always below the chunk size.
        ((chunk as u32) << 16) | offset as u32
    }

    /// Adds a piece and returns its address.
    pub(super) fn push(&mut self, bytes: &[u8]) -> u32 {
        let place = self.room(bytes.len());
        if let Some(room) = self.get_mut(place, bytes.len() as u32) {
            room.copy_from_slice(bytes);
        }
        place
    }

    /// The `size` bytes at `place`; empty if out of bounds.
    pub(super) fn get(&self, place: u32, size: u32) -> &[u8] {
        let start = (place & 0xFFFF) as usize;
        let chunk = self.chunks.get((place >> 16) as usize).map_or(&[][..], Vec::as_slice);
        chunk.get(start..start + size as usize).unwrap_or(&[])
    }

    /// The same, mutable.
    pub(super) fn get_mut(&mut self, place: u32, size: u32) -> Option<&mut [u8]> {
        let start = (place & 0xFFFF) as usize;
        self.chunks.get_mut((place >> 16) as usize)?.get_mut(start..start + size as usize)
    }

    /// Overwrites a piece with zeros.
    pub(super) fn erase(&mut self, place: u32, size: u32) {
        if let Some(piece) = self.get_mut(place, size) {
            piece.fill(0);
        }
    }

    /// The approximate size in bytes.
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
