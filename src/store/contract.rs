//! The contract of every store, as test cases for any store: `contract::check(&medium).await`.

use super::{Durability, Key, KeyRange, Op, Page, Revision, Space, Store, StoreError, WriteBatch};

/// A factory of the stores under test.
#[allow(async_fn_in_trait, reason = "see Store")]
pub trait Medium {
    /// The store under test.
    type Store: Store;

    /// A new handle to the storage called `name`, which is empty the first time.
    async fn connect(&self, name: &str) -> Result<Self::Store, StoreError>;
}

/// A failed case: its name and the observation.
pub type Broken = String;

type Outcome = Result<(), Broken>;

/// Runs every case on `medium`. Returns the number of cases, or the failed ones.
pub async fn check<M: Medium>(medium: &M) -> Result<usize, Broken> {
    let mut broken = Vec::new();
    let mut count = 0;
    macro_rules! cases {
        ($($case:ident),* $(,)?) => {$(
            count += 1;
            if let Err(what) = $case(medium, stringify!($case)).await {
                broken.push(format!("{}: {what}", stringify!($case)));
            }
        )*};
    }
    cases![
        an_empty_store_has_nothing,
        what_is_committed_can_be_read,
        get_answers_in_the_order_of_the_keys,
        ops_happen_in_order,
        scans_go_in_byte_order,
        scans_respect_both_ends,
        scans_page_until_exhausted,
        a_scan_of_nothing_is_fine,
        ranges_can_be_deleted,
        what_is_added_is_found_among_the_others,
        what_was_added_can_be_taken_away,
        what_was_added_lies_beside_its_page,
        spaces_are_apart,
        a_stale_base_changes_nothing,
        guards_are_apart,
        two_handles_see_each_other,
        two_handles_that_write_at_once_lose_nothing,
        many_overlapping_commits_lose_nothing,
        binary_keys_and_values_come_back,
        large_values_come_back,
        an_empty_batch_moves_the_revision,
        strict_commits_work,
        values_outlive_their_handle,
        a_closed_store_says_so,
    ];
    if broken.is_empty() { Ok(count) } else { Err(broken.join("\n")) }
}

fn key(text: &str) -> Key {
    Key::default().part(text.as_bytes())
}

fn put(name: &str, value: &[u8]) -> Op {
    Op::Put(Space::Records, key(name), value.to_vec())
}

fn batch(base: u64, ops: Vec<Op>) -> WriteBatch {
    WriteBatch { guard: key("tenant"), base: Revision(base), ops, durability: Durability::Relaxed }
}

fn everything() -> KeyRange {
    KeyRange::prefix(Key::default())
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, seen: T, wanted: T) -> Outcome {
    if seen == wanted { Ok(()) } else { Err(format!("{what}: saw {seen:?}, wanted {wanted:?}")) }
}

fn fine<T>(what: &str, result: Result<T, StoreError>) -> Result<T, Broken> {
    result.map_err(|error| format!("{what}: {error}"))
}

async fn commit(store: &impl Store, base: u64, ops: Vec<Op>) -> Outcome {
    let revision = fine("commit", store.commit(batch(base, ops)).await)?;
    expect("the revision", revision, Revision(base + 1))
}

async fn one(store: &impl Store, space: Space, key: Key) -> Result<Option<Vec<u8>>, Broken> {
    let values = fine("get", store.get(space, &[key]).await)?;
    expect("the number of values", values.len(), 1)?;
    Ok(values.into_iter().flatten().next())
}

async fn names(store: &impl Store, space: Space) -> Result<Vec<Key>, Broken> {
    let mut names = Vec::new();
    let mut range = everything();
    loop {
        let Page { items, next } = fine("scan", store.scan(space, &range, 1000).await)?;
        names.extend(items.into_iter().map(|(key, _)| key));
        match next {
            Some(next) => range = range.from(next),
            None => return Ok(names),
        }
    }
}

async fn an_empty_store_has_nothing<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    for space in Space::ALL {
        expect("a value", one(&store, space, key("a")).await?, None)?;
        expect("keys", names(&store, space).await?, vec![])?;
    }
    expect("no keys", fine("get", store.get(Space::Meta, &[]).await)?, vec![])
}

async fn what_is_committed_can_be_read<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1")]).await?;
    expect("the value", one(&store, Space::Records, key("a")).await?, Some(b"1".to_vec()))?;
    let guard = one(&store, Space::Meta, key("tenant")).await?;
    expect("the guard", guard, Some(Revision(1).to_bytes().to_vec()))?;
    commit(&store, 1, vec![put("a", b"2"), put("b", b"")]).await?;
    expect("the new value", one(&store, Space::Records, key("a")).await?, Some(b"2".to_vec()))?;
    expect("an empty value", one(&store, Space::Records, key("b")).await?, Some(vec![]))
}

async fn get_answers_in_the_order_of_the_keys<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1"), put("b", b"2")]).await?;
    let keys = [key("b"), key("missing"), key("a"), key("b")];
    let seen = fine("get", store.get(Space::Records, &keys).await)?;
    expect("values", seen, vec![Some(b"2".to_vec()), None, Some(b"1".to_vec()), Some(b"2".to_vec())])
}

async fn ops_happen_in_order<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let all = Op::DeleteRange(Space::Records, everything());
    let gone = Op::Delete(Space::Records, key("c"));
    commit(&store, 0, vec![put("a", b"1"), all, put("b", b"1"), put("b", b"2"), put("c", b"1"), gone]).await?;
    expect("keys", names(&store, Space::Records).await?, vec![key("b")])?;
    expect("the last write", one(&store, Space::Records, key("b")).await?, Some(b"2".to_vec()))
}

async fn scans_go_in_byte_order<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let mut keys: Vec<Key> = (0u8..=255)
        .step_by(15)
        .flat_map(|byte| [vec![byte], vec![byte, 0], vec![byte, 255], vec![0, byte]])
        .map(Key::from_bytes)
        .collect();
    let ops = keys.iter().map(|key| Op::Put(Space::Records, key.clone(), vec![1])).collect();
    commit(&store, 0, ops).await?;
    keys.sort();
    keys.dedup();
    expect("keys", names(&store, Space::Records).await?, keys)
}

async fn scans_respect_both_ends<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, ["a", "b", "c", "d"].map(|name| put(name, b"")).to_vec()).await?;
    let range = KeyRange { start: key("b"), end: Some(key("d")) };
    let page = fine("scan", store.scan(Space::Records, &range, 10).await)?;
    expect("keys", page.items.into_iter().map(|(key, _)| key).collect(), vec![key("b"), key("c")])?;
    expect("the next page", page.next, None)
}

async fn scans_page_until_exhausted<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let keys: Vec<Key> = (0..25).map(|n| Key::default().number(n)).collect();
    commit(&store, 0, keys.iter().map(|key| Op::Put(Space::Log, key.clone(), vec![7])).collect()).await?;
    let mut seen = Vec::new();
    let mut range = everything();
    for _ in 0..100 {
        let page = fine("scan", store.scan(Space::Log, &range, 10).await)?;
        expect("a page within its limit", page.items.len() <= 10, true)?;
        seen.extend(page.items.into_iter().map(|(key, _)| key));
        match page.next {
            Some(next) => range = range.from(next),
            None => return expect("keys", seen, keys),
        }
    }
    Err("the scan does not end".into())
}

async fn a_scan_of_nothing_is_fine<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1")]).await?;
    let empty = KeyRange { start: key("b"), end: Some(key("a")) };
    expect("an empty range", fine("scan", store.scan(Space::Records, &empty, 10).await)?.items, vec![])?;
    let empty = KeyRange { start: key("a"), end: Some(key("a")) };
    expect("a range of nothing", fine("scan", store.scan(Space::Records, &empty, 10).await)?.items, vec![])
}

async fn ranges_can_be_deleted<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, ["a", "b", "c"].map(|name| put(name, b"1")).to_vec()).await?;
    let range = KeyRange { start: key("a"), end: Some(key("c")) };
    let empty = KeyRange { start: key("d"), end: Some(key("a")) };
    let ops = vec![Op::DeleteRange(Space::Records, range), Op::DeleteRange(Space::Records, empty)];
    commit(&store, 1, ops).await?;
    expect("keys", names(&store, Space::Records).await?, vec![key("c")])
}

/// Adds a record, with a log page as the library writes it.
fn added(base: u64, name: &str, value: &[u8]) -> Vec<Op> {
    vec![Op::Add(Space::Records, key(name), value.to_vec()), Op::Put(Space::Log, log_page(base), name.into())]
}

/// The log page of the commit on `base`.
fn log_page(base: u64) -> Key {
    key("tenant").number(base + 1)
}

async fn what_is_added_is_found_among_the_others<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, ["a", "c", "e"].map(|name| put(name, b"put")).to_vec()).await?;
    for (base, name) in [(1, "d"), (2, "b"), (3, "f")] {
        commit(&store, base, added(base, name, b"added")).await?;
    }
    commit(&store, 4, vec![put("g", b"put")]).await?;
    let [a, d, missing] = ["a", "d", "missing"].map(key);
    let found = fine("get", store.get(Space::Records, &[d, missing, a]).await)?;
    expect("values", found, vec![Some(b"added".to_vec()), None, Some(b"put".to_vec())])?;
    expect("all keys", names(&store, Space::Records).await?, ["a", "b", "c", "d", "e", "f", "g"].map(key).to_vec())?;
    // Page limits of every size, so that pages end and begin with either kind.
    for limit in 1..9 {
        let (mut seen, mut rest) = (Vec::new(), Some(KeyRange { start: key("b"), end: Some(key("g")) }));
        while let Some(range) = rest {
            let page = fine("scan", store.scan(Space::Records, &range, limit).await)?;
            expect("a page within its limit", page.items.len() <= limit, true)?;
            seen.extend(page.items);
            expect("an end", seen.len() < 100, true)?;
            rest = page.next.map(|next| range.from(next));
        }
        let kinds = [("b", "added"), ("c", "put"), ("d", "added"), ("e", "put"), ("f", "added")];
        let wanted = kinds.map(|(name, value)| (key(name), value.into())).to_vec();
        expect("a part, page by page", seen, wanted)?;
    }
    Ok(())
}

async fn what_was_added_can_be_taken_away<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    for (base, name) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        commit(&store, base as u64, added(base as u64, name, b"1")).await?;
    }
    let range = KeyRange { start: key("a"), end: Some(key("c")) };
    let gone = vec![Op::DeleteRange(Space::Records, range), Op::Delete(Space::Records, key("e"))];
    // One exists again, added by the commit that deleted it.
    commit(&store, 5, [gone, added(5, "b", b"2")].concat()).await?;
    expect("keys", names(&store, Space::Records).await?, ["b", "c", "d"].map(key).to_vec())?;
    expect("the new value", one(&store, Space::Records, key("b")).await?, Some(b"2".to_vec()))?;
    expect("what is gone", one(&store, Space::Records, key("a")).await?, None)?;
    commit(&store, 6, added(6, "a", b"3")).await?;
    expect("one that is new again", one(&store, Space::Records, key("a")).await?, Some(b"3".to_vec()))?;
    commit(&store, 7, vec![Op::DeleteRange(Space::Records, everything())]).await?;
    expect("all", names(&store, Space::Records).await?, vec![])
}

async fn what_was_added_lies_beside_its_page<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    for (base, name) in ["a", "b", "c"].into_iter().enumerate() {
        commit(&store, base as u64, added(base as u64, name, b"1")).await?;
    }
    expect("a page", one(&store, Space::Log, log_page(1)).await?, Some(b"b".to_vec()))?;
    commit(&store, 3, vec![Op::Delete(Space::Records, key("b"))]).await?;
    let pages = fine("scan", store.scan(Space::Log, &everything(), 10).await)?.items;
    let wanted = [(0, "a"), (1, "b"), (2, "c")].map(|(base, name)| (log_page(base), name.into())).to_vec();
    expect("pages, whatever became of the records", pages, wanted)
}

async fn spaces_are_apart<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let ops = Space::ALL.map(|space| Op::Put(space, key("same"), space.name().into())).to_vec();
    commit(&store, 0, ops).await?;
    commit(&store, 1, vec![Op::Delete(Space::Bodies, key("same"))]).await?;
    for space in Space::ALL {
        let wanted = (space != Space::Bodies).then(|| space.name().into());
        expect(space.name(), one(&store, space, key("same")).await?, wanted)?;
    }
    Ok(())
}

async fn a_stale_base_changes_nothing<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1")]).await?;
    for stale in [0, 2, u64::MAX - 1] {
        let all = Op::DeleteRange(Space::Records, everything());
        let refused = store.commit(batch(stale, vec![put("b", b"2"), all])).await;
        expect("the answer", refused, Err(StoreError::Conflict { current: Revision(1) }))?;
    }
    expect("keys", names(&store, Space::Records).await?, vec![key("a")])?;
    let guard = one(&store, Space::Meta, key("tenant")).await?;
    expect("the guard", guard, Some(Revision(1).to_bytes().to_vec()))
}

async fn guards_are_apart<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1")]).await?;
    let other = WriteBatch { guard: key("other"), ..batch(0, vec![put("b", b"1")]) };
    let revision = fine("commit", store.commit(other).await)?;
    expect("the other's revision", revision, Revision(1))?;
    commit(&store, 1, vec![]).await
}

async fn two_handles_see_each_other<M: Medium>(medium: &M, name: &str) -> Outcome {
    let one_handle = fine("connect", medium.connect(name).await)?;
    let another = fine("connect", medium.connect(name).await)?;
    commit(&one_handle, 0, vec![put("a", b"1")]).await?;
    expect("the value", one(&another, Space::Records, key("a")).await?, Some(b"1".to_vec()))?;
    commit(&another, 1, vec![put("a", b"2")]).await?;
    expect("the value", one(&one_handle, Space::Records, key("a")).await?, Some(b"2".to_vec()))
}

/// Increments the counter at `count`, with retries: finds lost updates.
async fn increment(store: &impl Store, times: usize) -> Outcome {
    for _ in 0..times {
        loop {
            let guard = one(store, Space::Meta, key("tenant")).await?;
            let base = fine("the revision", Revision::from_bytes(guard.as_deref()))?;
            let count = one(store, Space::Records, key("count")).await?.map_or(0, |bytes| bytes[0]);
            match store.commit(batch(base.0, vec![put("count", &[count + 1])])).await {
                Ok(_) => break,
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(format!("commit: {error}")),
            }
        }
    }
    Ok(())
}

async fn two_handles_that_write_at_once_lose_nothing<M: Medium>(medium: &M, name: &str) -> Outcome {
    let one_handle = fine("connect", medium.connect(name).await)?;
    let another = fine("connect", medium.connect(name).await)?;
    let (first, second) = both(increment(&one_handle, 30), increment(&another, 30)).await;
    first.and(second)?;
    expect("the count", one(&another, Space::Records, key("count")).await?, Some(vec![60]))
}

async fn many_overlapping_commits_lose_nothing<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let four =
        both(both(increment(&store, 10), increment(&store, 10)), both(increment(&store, 10), increment(&store, 10)));
    let ((a, b), (c, d)) = four.await;
    a.and(b).and(c).and(d)?;
    expect("the count", one(&store, Space::Records, key("count")).await?, Some(vec![40]))
}

async fn binary_keys_and_values_come_back<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let bytes: Vec<u8> = (0..=255).collect();
    let binary = Key::from_bytes(bytes.clone());
    commit(&store, 0, vec![Op::Put(Space::Index, binary.clone(), bytes.clone())]).await?;
    expect("the value", one(&store, Space::Index, binary.clone()).await?, Some(bytes.clone()))?;
    let page = fine("scan", store.scan(Space::Index, &everything(), 10).await)?;
    expect("the item", page.items, vec![(binary, bytes)])
}

async fn large_values_come_back<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let large: Vec<u8> = (0..1_000_000u32).map(|n| (n % 251) as u8).collect();
    commit(&store, 0, vec![Op::Put(Space::Index, key("large"), large.clone())]).await?;
    let seen = one(&store, Space::Index, key("large")).await?;
    expect("a value of a megabyte", seen == Some(large), true)
}

async fn an_empty_batch_moves_the_revision<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![]).await?;
    commit(&store, 1, vec![]).await
}

async fn strict_commits_work<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    let strict = WriteBatch { durability: Durability::Strict, ..batch(0, vec![put("a", b"1")]) };
    fine("commit", store.commit(strict).await)?;
    expect("the value", one(&store, Space::Records, key("a")).await?, Some(b"1".to_vec()))
}

async fn values_outlive_their_handle<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    commit(&store, 0, vec![put("a", b"1")]).await?;
    fine("close", store.close().await)?;
    drop(store);
    let again = fine("connect", medium.connect(name).await)?;
    expect("the value", one(&again, Space::Records, key("a")).await?, Some(b"1".to_vec()))?;
    commit(&again, 1, vec![]).await
}

async fn a_closed_store_says_so<M: Medium>(medium: &M, name: &str) -> Outcome {
    let store = fine("connect", medium.connect(name).await)?;
    fine("close", store.close().await)?;
    fine("close again", store.close().await)?;
    expect("get", store.get(Space::Meta, &[key("a")]).await, Err(StoreError::Closed))?;
    expect("scan", store.scan(Space::Meta, &everything(), 1).await, Err(StoreError::Closed))?;
    expect("commit", store.commit(batch(0, vec![])).await, Err(StoreError::Closed))
}

/// Awaits two futures concurrently.
async fn both<A: Future, B: Future>(a: A, b: B) -> (A::Output, B::Output) {
    let mut a = std::pin::pin!(a);
    let mut b = std::pin::pin!(b);
    let (mut from_a, mut from_b) = (None, None);
    std::future::poll_fn(move |context| {
        use std::task::Poll;
        if from_a.is_none()
            && let Poll::Ready(done) = a.as_mut().poll(context)
        {
            from_a = Some(done);
        }
        if from_b.is_none()
            && let Poll::Ready(done) = b.as_mut().poll(context)
        {
            from_b = Some(done);
        }
        match (from_a.take(), from_b.take()) {
            (Some(a), Some(b)) => Poll::Ready((a, b)),
            (a, b) => {
                (from_a, from_b) = (a, b);
                Poll::Pending
            }
        }
    })
    .await
}
