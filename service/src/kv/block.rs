//! Blocks: immutable values under unique random names.

use super::bytes::{Reader, Writer, torn};
use keepsake::codec::hex;
use keepsake::store::StoreError;

/// The name of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(pub(super) [u8; 16]);

impl Id {
    pub(super) fn text(self) -> String {
        hex::encode(&self.0)
    }
}

/// A key with its space as a prefix.
pub(super) type Place = Vec<u8>;

/// A value, or its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// In the block itself.
    Here(Vec<u8>),
    /// In consecutive blocks of its own: buckets limit the size of a value.
    There(Vec<Id>),
}

impl Value {
    /// Its size in a block.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Here(bytes) => bytes.len(),
            Self::There(ids) => 16 * ids.len(),
        }
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Self::Here(bytes) => {
                out.number(0);
                out.bytes(bytes);
            }
            Self::There(ids) => {
                out.number(ids.len() as u64);
                ids.iter().for_each(|id| out.fixed(&id.0));
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        match from.number()? {
            0 => Ok(Self::Here(from.bytes()?)),
            count => Ok(Self::There((0..count).map(|_| from.fixed().map(Id)).collect::<Result<_, _>>()?)),
        }
    }
}

/// A child block, with the first place that it may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Child {
    pub(super) first: Place,
    pub(super) id: Id,
}

/// A block of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Values, in the order of their places.
    Leaf(Vec<(Place, Value)>),
    /// Child blocks, in the same order.
    Branch(Vec<Child>),
}

impl Block {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new();
        match self {
            Self::Leaf(items) => {
                out.number(0);
                out.number(items.len() as u64);
                for (place, value) in items {
                    out.bytes(place);
                    value.write(&mut out);
                }
            }
            Self::Branch(children) => {
                out.number(1);
                write_children(children, &mut out);
            }
        }
        out.finish()
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let mut from = Reader::new(bytes)?;
        match from.number()? {
            0 => Ok(Self::Leaf(from.list(|from| Ok((from.bytes()?, Value::read(from)?)))?)),
            1 => Ok(Self::Branch(read_children(&mut from)?)),
            _ => Err(torn()),
        }
    }
}

pub(super) fn write_children(children: &[Child], out: &mut Writer) {
    out.number(children.len() as u64);
    for child in children {
        out.bytes(&child.first);
        out.fixed(&child.id.0);
    }
}

pub(super) fn read_children(from: &mut Reader<'_>) -> Result<Vec<Child>, StoreError> {
    from.list(|from| Ok(Child { first: from.bytes()?, id: Id(from.fixed()?) }))
}

/// A change that is not in the tree yet: a value, or `None` for a deletion.
pub(super) fn write_change(value: Option<&Value>, out: &mut Writer) {
    out.number(value.is_some().into());
    if let Some(value) = value {
        value.write(out);
    }
}

pub(super) fn read_change(from: &mut Reader<'_>) -> Result<Option<Value>, StoreError> {
    Ok(if from.number()? == 0 { None } else { Some(Value::read(from)?) })
}
