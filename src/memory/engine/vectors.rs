//! Stored embeddings of entries, messages and histories.

use super::{Env, Error, Memory};
use crate::codec::{Frame, Kind, Record, Vector};
use crate::index::pack;
use crate::model::{Embedding, Invalid};
use crate::store::{Key, Space, Store};

impl<S: Store, E: Env> Memory<S, E> {
    /// The stored form of an embedding. All embeddings of a memory have the same number of dimensions: vectors of
    /// different embedders cannot be compared.
    pub(in crate::memory) fn vector(&self, embedding: Option<&Embedding>) -> Result<Option<Vec<u8>>, Error> {
        self.check_dimensions(embedding)?;
        Ok(embedding.map(|embedding| pack(embedding, self.inner.config.exact_vectors)))
    }

    pub(in crate::memory) fn check_dimensions(&self, embedding: Option<&Embedding>) -> Result<(), Error> {
        let known = self.with_shelf(|shelf| shelf.index.dimensions());
        Ok(embedding.map_or(Ok(()), |embedding| same_dimensions(known, embedding))?)
    }

    /// The stored vector of an entry, if it has one.
    pub(in crate::memory) async fn read_vector(&self, record: &Record) -> Result<Option<Vec<u8>>, Error> {
        if record.vector.is_none() {
            return Ok(None);
        }
        Ok(self.read_vectors(&[record]).await?.pop().filter(|vector| !vector.is_empty()))
    }

    /// The stored vectors of entries, in their order; empty for one that has none.
    pub(super) async fn read_vectors(&self, records: &[&Record]) -> Result<Vec<Vec<u8>>, Error> {
        let with = records.iter().filter(|record| record.vector.is_some());
        let keys: Vec<Key> = with.map(|record| self.inner.keys.vector(&record.entry.id)).collect();
        let mut values = self.fetch(Space::Bodies, &keys).await?.into_iter();
        let mut vectors = Vec::with_capacity(records.len());
        for record in records {
            let value = record.vector.and_then(|_| values.next().flatten());
            vectors.push(match value {
                Some(value) => Frame::open(Kind::Vector, &value)?.payload.to_vec(),
                None => Vec::new(),
            });
        }
        Ok(vectors)
    }

    /// The stored vectors of messages and histories, in their order; empty for one that has none.
    pub(super) async fn read_talk_vectors(&self, talk: &[(Key, Vec<u8>)]) -> Result<Vec<Vec<u8>>, Error> {
        let beside = |(key, _): &(Key, Vec<u8>)| self.inner.keys.named_of(key)?.vector();
        let keys: Vec<Key> = talk.iter().filter_map(beside).map(|named| self.inner.keys.named(&named)).collect();
        let mut values = self.fetch(Space::Records, &keys).await?.into_iter();
        let mut vectors = Vec::with_capacity(talk.len());
        for item in talk {
            vectors.push(match beside(item).and_then(|_| values.next().flatten()) {
                Some(bytes) => Vector::decode(&bytes)?,
                None => Vec::new(),
            });
        }
        Ok(vectors)
    }
}

pub(in crate::memory) fn same_dimensions(known: Option<usize>, embedding: &Embedding) -> Result<(), Invalid> {
    match (known, embedding.as_slice().len()) {
        (Some(known), given) if known != given => {
            let problem = format!("must have {known} dimensions, like the other embeddings; it has {given}");
            Err(Invalid::value("embedding", problem))
        }
        _ => Ok(()),
    }
}
