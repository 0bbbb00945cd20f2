//! Writes an index back into segments, and compacts it.

use super::doc::NONE;
use super::postings::Posting;
use super::segment::{Card, Segment};
use super::store::Index;
use super::strings::Strings;
use super::writer::SegmentWriter;

impl Index {
    /// Removes everything that deleted entries left behind, including their words.
    pub fn compact(&mut self) {
        let old = std::mem::take(self);
        self.weights = old.weights.clone();
        // Each piece is a pass over all lists: few pieces, and none of them as large as the index.
        for piece in old.order.chunks(4096.max(old.order.len() / 8)) {
            let mut writer = SegmentWriter::default();
            old.write(piece, &mut writer);
            if let Some(segment) = Segment::read(&writer.finish()) {
                self.take(&segment);
            }
        }
    }

    /// The entries in a range of the order of writing, as a segment. Passes over all lists.
    pub fn segment(&self, places: std::ops::Range<u64>) -> Vec<u8> {
        let start = self.order.partition_point(|number| self.seq(*number) < places.start);
        let end = self.order.partition_point(|number| self.seq(*number) < places.end);
        let mut writer = SegmentWriter::default();
        self.write(self.order.get(start..end).unwrap_or(&[]), &mut writer);
        writer.finish()
    }

    /// Writes entries in the form in which they were added.
    fn write(&self, numbers: &[u32], writer: &mut SegmentWriter) {
        // In the order of the lists: a segment has the entries of each word in rising order.
        let mut place = vec![NONE; self.rows.len()];
        for number in numbers {
            place[*number as usize] = 0;
        }
        for (at, place) in (0_u32..).zip(place.iter_mut().filter(|place| **place == 0)) {
            *place = at;
        }
        let mut words = self.words.borrow_mut();
        words.take_waiting();
        for term in 0..words.vocabulary.len() as u32 {
            for posting in words.postings.read(term) {
                if let Some(at) = place.get(posting.doc as usize).filter(|at| **at != NONE) {
                    writer.hold(words.vocabulary.get(term), Posting { doc: *at, ..posting });
                }
            }
        }
        let some = |names: &Strings, name: u32, writer: &mut SegmentWriter| {
            if name == NONE { 0 } else { writer.texts.intern(names.get(name)) + 1 }
        };
        for (at, row) in self.rows.iter().enumerate().filter(|(at, _)| place[*at] != NONE) {
            let listed = row.names as usize..row.names as usize + 2 * usize::from(row.tags) + usize::from(row.fields);
            let listed = self.lists.get(listed).unwrap_or(&[]);
            let words = self.speakers.get(row.speaker as usize).map_or(&[][..], Vec::as_slice);
            let mut lists: Vec<u32> = listed.iter().map(|name| writer.texts.intern(self.names.get(*name))).collect();
            lists.extend(words.iter().map(|word| writer.texts.intern(word)));
            let card = Card {
                seq: row.seq,
                times: [row.created_at, row.expires_at, row.at],
                valid: self.span(row),
                importance: row.importance,
                trust: row.trust,
                traits: self.traits.get(at).map_or(0, |traits| traits.bits()),
                length: self.lengths.get(at).copied().unwrap_or(1),
                id: writer.texts.intern(self.ids.get(row.id)),
                namespace: writer.texts.intern(self.names.get(row.namespace)),
                names: [
                    some(&self.session_names, row.session, writer),
                    some(&self.names, row.agent, writer),
                    some(&self.speaker_names, row.speaker, writer),
                    some(&self.names, row.source, writer),
                    some(&self.keys, row.key, writer),
                ],
                summary: self.summary(row),
                counts: [row.tags.into(), row.fields.into(), words.len() as u32],
                lists,
                vector: self.vectors.get(row.vector.0, row.vector.1),
            };
            writer.push(&card);
        }
    }
}
