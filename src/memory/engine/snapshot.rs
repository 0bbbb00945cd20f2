//! A hash over everything in a store: equal hashes mean equal bytes.

use crate::codec::hex;
use crate::log::hash;
use crate::store::{Key, KeyRange, Space, Store, StoreError};

/// The number of keys per read: so few that a scenario has several pages.
const PAGE: usize = 16;

/// The SHA-256, in hex, of the store's dump: one line `space key value` per key, as the README of the scenarios says.
pub async fn of(store: &impl Store) -> Result<String, StoreError> {
    let mut dump = String::new();
    for space in Space::ALL {
        let mut rest = Some(KeyRange::prefix(Key::default()));
        while let Some(range) = rest {
            let page = store.scan(space, &range, PAGE).await?;
            for (key, value) in &page.items {
                dump += &format!("{} {} {}\n", space.name(), hex::encode(key.as_bytes()), hex::encode(value));
            }
            rest = page.next.map(|next| range.from(next));
        }
    }
    Ok(hex::encode(&hash(dump.as_bytes())))
}
