//! Several users on one storage: each sees and changes only what is their own (S4).

use crate::{ALL, NO_CHANGES, NOW, draft, query};
use keepsake::memory::scripted::Scripted;
use keepsake_host::wit::{Changes, Draft, Embedded, EntryWithContent, Error, Hit, Miss, Query, Ranking, Shared};
use keepsake_host::{Instance, ResourceAny, Storage};

/// Names that begin like one another, or look like keys that do.
const USERS: [&str; 4] = ["a", "a:b", "ab", "b"];

/// Three entries fill a namespace, so that a fourth has to take the place of one.
const CONFIG: &str = r#"{"namespaces": {"short-term": {"maxEntries": 3}}}"#;

struct Scene {
    world: Scripted,
    instance: Instance,
    memories: [ResourceAny; 4],
}

/// Every user with the same ids and keys: an entry that was changed, one with a body, and one that soon expires.
fn shared() -> Scene {
    let world = Scripted::new(NOW, 7);
    let mut instance = Instance::new(&Storage::default(), &world);
    let memories = USERS.map(|user| instance.open_with(user, Some(CONFIG)).unwrap().unwrap());
    for (user, memory) in USERS.iter().zip(memories) {
        let fact = Draft { key: Some("k".into()), ..draft("same", &format!("{user} at first")) };
        instance.add(memory, &fact).unwrap().unwrap();
        instance.update(memory, "same", &content(&format!("{user} later on"))).unwrap().unwrap();
        instance.add(memory, &draft("long", &format!("{user} says more. ").repeat(200))).unwrap().unwrap();
        let soon = Draft { ttl: Some(1000), importance: Some(1.0), ..draft("soon", user) };
        instance.add(memory, &soon).unwrap().unwrap();
    }
    Scene { world, instance, memories }
}

fn content(text: &str) -> Changes {
    Changes { content: Some(text.to_owned()), ..NO_CHANGES }
}

/// All that a user can see: entries with their contents, and their histories.
fn seen(instance: &mut Instance, memory: ResourceAny) -> Vec<(EntryWithContent, Vec<EntryWithContent>)> {
    let entries = instance.list(memory, &ALL).unwrap().unwrap();
    assert_eq!(instance.count(memory, None).unwrap(), Ok(entries.len() as u64));
    let stats = instance.stats(memory).unwrap().unwrap();
    assert_eq!(stats.total, entries.len() as u64);
    assert_eq!(stats.namespaces.iter().map(|of| of.count).sum::<u64>(), stats.total);
    let mut whole = |id: &str| {
        let found = instance.get(memory, id).unwrap().unwrap().unwrap();
        (found, instance.history(memory, id).unwrap().unwrap())
    };
    entries.iter().map(|entry| whole(&entry.id)).collect()
}

/// Words that every user has written, and names that only some of them have.
const WORDS: &str = "says more later on at first b ab soon";

/// What searches of a user find, and why not what they do not.
fn found(instance: &mut Instance, memory: ResourceAny) -> (Vec<Hit>, Vec<Miss>) {
    let rankings = [Ranking::Best, Ranking::Formula].map(Some);
    let queries = rankings.map(|ranking| {
        let all = query(WORDS);
        Query { ranking, min_score: Some(0.0), limit: Some(100), include_content: Some(true), explain: true, ..all }
    });
    let hits = queries.iter().flat_map(|query| instance.search(memory, query).unwrap().unwrap()).collect();
    let both = queries.iter().flat_map(|query| ["same", "long", "soon", "fourth"].map(|id| (query, id)));
    let misses = both.map(|(query, id)| instance.explain_miss(memory, id, query).unwrap().unwrap()).collect();
    (hits, misses)
}

#[test]
fn s4_a_search_finds_only_ones_own() {
    let Scene { mut instance, memories, .. } = shared();
    for (user, memory) in USERS.iter().zip(memories) {
        let (hits, misses) = found(&mut instance, memory);
        assert!(hits.len() >= 4, "{user}: two by each ranking");
        for hit in hits {
            let own = [format!("{user} says"), format!("{user} later on"), (*user).to_owned()];
            let preview = hit.content_preview.unwrap();
            let is_own = |text: &str| own[..2].iter().any(|own| text.starts_with(own)) || text == own[2];
            assert!(is_own(&preview) && is_own(&hit.summary), "{user}: {preview}");
        }
        assert_eq!(misses.iter().filter(|miss| **miss == Miss::Unknown).count(), 2, "{user}: nobody has a fourth");
    }
}

#[test]
fn s4_users_of_one_instance_see_only_their_own() {
    let Scene { mut instance, memories, .. } = shared();
    for (user, memory) in USERS.iter().zip(memories) {
        let seen = seen(&mut instance, memory);
        let contents: Vec<_> = seen.iter().map(|(found, _)| found.content.as_str()).collect();
        let more = format!("{user} says more. ").repeat(200);
        assert_eq!(contents, [*user, more.as_str(), &format!("{user} later on")]);
        let past: Vec<_> = seen.iter().flat_map(|(_, history)| history).map(|found| found.content.as_str()).collect();
        assert_eq!(past, [format!("{user} at first")]);
    }
}

/// What one user can do to their own, with whether it answered as it should. Each does something.
type Deed = (&'static str, fn(&mut Instance, ResourceAny) -> bool);

const DEEDS: &[Deed] = &[
    ("add to a full namespace", |instance, memory| {
        instance.add(memory, &draft("fourth", "another")).unwrap().is_ok()
            && instance.count(memory, None).unwrap() == Ok(3)
    }),
    ("add about a known key", |instance, memory| {
        let fact = Draft { id: None, key: Some("k".into()), ..draft("", "a newer one") };
        instance.add(memory, &fact).unwrap().is_ok_and(|entry| entry.id == "same" && entry.version == 3)
    }),
    ("add what is there", |instance, memory| {
        let by_id = instance.add(memory, &draft("long", "another")).unwrap();
        let by_key = instance.add(memory, &Draft { key: Some("k".into()), ..draft("new", "another") }).unwrap();
        by_id == Err(Error::AlreadyExists(Shared::Id)) && by_key == Err(Error::AlreadyExists(Shared::Key))
    }),
    ("update", |instance, memory| {
        let changed = instance.update(memory, "same", &content("different")).unwrap();
        changed.is_ok_and(|entry| entry.version == 3)
    }),
    ("update with a body", |instance, memory| {
        let changed = instance.update(memory, "long", &content(&"different ".repeat(300))).unwrap();
        changed.is_ok_and(|entry| entry.version == 2)
    }),
    ("delete what has a history", |instance, memory| instance.delete(memory, "same").unwrap() == Ok(true)),
    ("delete what has a body", |instance, memory| instance.delete(memory, "long").unwrap() == Ok(true)),
    ("clear a namespace", |instance, memory| instance.clear(memory, Some("short-term")).unwrap() == Ok(3)),
    ("clear everything", |instance, memory| instance.clear(memory, None).unwrap() == Ok(3)),
    ("embed", |instance, memory| {
        let (items, _) = instance.unembedded(memory, 10).unwrap().unwrap();
        let given = items.into_iter().map(|item| Embedded { id: item.id, version: item.version, embedding: vec![1.0] });
        instance.embed(memory, &given.collect::<Vec<_>>()).unwrap() == Ok(3)
    }),
    ("search", |instance, memory| instance.search(memory, &query("says")).unwrap().is_ok_and(|hits| hits.len() == 1)),
    ("explain a miss", |instance, memory| {
        instance.explain_miss(memory, "long", &query("says")).unwrap() == Ok(Miss::Hit)
    }),
    ("hint", |instance, memory| instance.hint(memory).is_ok()),
    ("flush", |instance, memory| instance.flush(memory).unwrap() == Ok(())),
    ("close", |instance, memory| instance.close(memory).unwrap() == Ok(())),
];

#[test]
fn s4_what_one_user_does_the_others_do_not_notice() {
    for (name, deed) in DEEDS {
        for doer in 0..USERS.len() {
            let Scene { mut instance, memories, .. } = shared();
            let before = memories.map(|memory| (seen(&mut instance, memory), found(&mut instance, memory)));
            assert!(deed(&mut instance, memories[doer]), "{name}, by {}", USERS[doer]);
            for other in (0..USERS.len()).filter(|other| *other != doer) {
                let after = (seen(&mut instance, memories[other]), found(&mut instance, memories[other]));
                assert_eq!(after, before[other], "{name}, by {}, as {} sees it", USERS[doer], USERS[other]);
            }
        }
    }
}

#[test]
fn s4_cleaning_up_takes_only_ones_own() {
    for doer in 0..USERS.len() {
        let Scene { world, mut instance, memories } = shared();
        let before = memories.map(|memory| seen(&mut instance, memory));
        world.set_now(NOW + 1000);
        assert_eq!(instance.cleanup(memories[doer]).unwrap(), Ok(1));
        // Back when nothing had expired yet, what was not cleaned up is still there.
        world.set_now(NOW);
        for user in 0..USERS.len() {
            let gone = usize::from(user == doer);
            assert_eq!(seen(&mut instance, memories[user]), before[user][gone..], "{}", USERS[user]);
        }
    }
}
