//! Collections, through the WIT door. Decode, call, encode.

use super::bindings::exports::keepsake::memory::collections as door;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use super::{Keepsake, convert};
use crate::memory::{Edit, FoundValue, Memory};
use crate::model::{Invalid, Json};

type Open = Memory<HostStore, HostEnv>;

fn edit((at, change): (usize, door::Change)) -> Result<Edit, Invalid> {
    Ok(match change {
        door::Change::Set(door::Setting { key, value, text }) => {
            Edit::Set { key, value: convert::value(format!("changes[{at}].value"), &value)?, text }
        }
        door::Change::Delete(key) => Edit::Delete(key),
        door::Change::DeleteAll(prefix) => Edit::DeleteAll(prefix),
    })
}

fn expected((at, expected): (usize, door::Expected)) -> Result<(String, Option<Json>), Invalid> {
    let read = |value: String| convert::value(format!("expect[{at}].value"), &value);
    Ok((expected.key, expected.value.map(read).transpose()?))
}

impl door::Guest for Keepsake {
    fn get(
        memory: door::MemoryBorrow<'_>,
        collection: String,
        keys: Vec<String>,
    ) -> Result<Vec<Option<door::Json>>, door::Error> {
        let values = ready(memory.get::<Open>().values(&collection, &keys))?;
        Ok(values.into_iter().map(|value| value.map(|value| value.to_string())).collect())
    }

    fn list_values(
        memory: door::MemoryBorrow<'_>,
        collection: String,
        prefix: String,
        after: Option<String>,
        limit: u32,
    ) -> Result<Vec<door::Item>, door::Error> {
        let found = memory.get::<Open>();
        let found = ready(found.list_values(&collection, &prefix, after.as_deref(), limit as usize))?;
        Ok(found.into_iter().map(|(key, value)| door::Item { key, value: value.to_string() }).collect())
    }

    fn write(
        memory: door::MemoryBorrow<'_>,
        collection: String,
        changes: Vec<door::Change>,
        expect: Vec<door::Expected>,
    ) -> Result<bool, door::Error> {
        let edits = changes.into_iter().enumerate().map(edit).collect::<Result<Vec<_>, _>>()?;
        let expect = expect.into_iter().enumerate().map(expected).collect::<Result<Vec<_>, _>>()?;
        Ok(ready(memory.get::<Open>().edit_values(&collection, &edits, &expect))?)
    }

    fn search(
        memory: door::MemoryBorrow<'_>,
        collection: String,
        query: String,
        prefix: String,
        limit: u32,
    ) -> Result<Vec<door::Hit>, door::Error> {
        let found = memory.get::<Open>();
        let found = ready(found.search_values(&collection, &query, &prefix, limit as usize))?;
        let hit = |FoundValue { key, value, score }: FoundValue| door::Hit { key, value: value.to_string(), score };
        Ok(found.into_iter().map(hit).collect())
    }
}
