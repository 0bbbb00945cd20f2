//! Several instances, and several memories in one, on one storage.

use crate::verbs::VERBS;
use crate::{ALL, NOW, draft, everything, opened};
use keepsake::memory::scripted::Scripted;
use keepsake_host::wit::{Draft, Error};
use keepsake_host::{Instance, Storage};
use std::collections::BTreeSet;

#[test]
fn two_instances_that_take_turns_lose_nothing() {
    const EACH: usize = 200;
    let storage = Storage::default();
    let mut writers = [1, 2].map(|seed| {
        let mut instance = Instance::new(&storage, &Scripted::new(NOW, seed));
        let memory = instance.open("u-1").unwrap().unwrap();
        (instance, memory)
    });
    // Turns of uneven length, the same in every run.
    let mut left = [EACH; 2];
    let mut chance: u32 = 1;
    let mut ids = BTreeSet::new();
    while left != [0; 2] {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let turn = (chance >> 31) as usize;
        if left[turn] == 0 {
            continue;
        }
        left[turn] -= 1;
        let (instance, memory) = &mut writers[turn];
        let draft = Draft { id: None, ..draft("", &format!("entry {} of writer {turn}", left[turn])) };
        ids.insert(instance.add(*memory, &draft).unwrap().unwrap().id);
    }
    let lists = writers.map(|(mut instance, memory)| instance.list(memory, &ALL).unwrap().unwrap());
    assert_eq!(lists[0].len(), 2 * EACH);
    assert_eq!(lists[0], lists[1]);
    assert_eq!(lists[0].iter().map(|entry| entry.id.clone()).collect::<BTreeSet<_>>(), ids);
    let contents: BTreeSet<_> = everything(&storage).into_iter().map(|found| found.content).collect();
    assert_eq!(contents.len(), 2 * EACH);
}

#[test]
fn closing_one_memory_leaves_the_others_open() {
    let (mut instance, one) = opened(&Storage::default());
    let same_user = instance.open("u-1").unwrap().unwrap();
    let other_user = instance.open("u-2").unwrap().unwrap();
    instance.close(one).unwrap().unwrap();
    instance.close(one).unwrap().unwrap();
    for verb in VERBS.iter().filter(|verb| verb.needs_memory()) {
        assert_eq!((verb.run)(&mut instance, one).unwrap(), Err(Error::Closed), "{}", verb.name);
    }
    for memory in [same_user, other_user] {
        instance.add(memory, &draft("a", "in time")).unwrap().unwrap();
        assert_eq!(instance.list(memory, &ALL).unwrap().unwrap().len(), 1);
    }
}

#[test]
fn a_dropped_memory_lets_go_of_the_storage() {
    let storage = Storage::default();
    let (mut instance, closed) = opened(&storage);
    let not_closed = instance.open("u-1").unwrap().unwrap();
    instance.add(not_closed, &draft("a", "kept")).unwrap().unwrap();
    assert_eq!(instance.world().handles(), 2);
    instance.close(closed).unwrap().unwrap();
    instance.drop_memory(closed).unwrap();
    assert_eq!(instance.world().handles(), 1);
    instance.drop_memory(not_closed).unwrap();
    assert_eq!(instance.world().handles(), 0);
    let refused = instance.open("").unwrap();
    assert!(refused.is_err());
    assert_eq!(instance.world().handles(), 0);
    assert_eq!(everything(&storage).len(), 1);
}
