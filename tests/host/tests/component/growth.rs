//! An instance that is refused more memory ends or says so, and the storage is as it was before or as it should be.

use crate::{draft, everything, opened, prepared};
use keepsake_host::wit::Draft;

#[test]
fn f38_memory_that_may_not_grow_leaves_the_old_or_the_new_state() {
    let before = prepared();
    let large = Draft { namespace: Some("long-term".into()), ..draft("large", &"large ".repeat(80_000)) };
    let after = before.copy();
    let (mut instance, memory) = opened(&after);
    instance.add(memory, &large).unwrap().unwrap();
    let mut refused = 0;
    for growths in 0.. {
        let storage = before.copy();
        let (mut instance, memory) = opened(&storage);
        instance.world().growth.left = Some(growths);
        let result = instance.add(memory, &large);
        let was_refused = instance.world().growth.refused > 0;
        let written = storage.holds_the_same_as(&after);
        assert!(written || storage.holds_the_same_as(&before), "half a state after {growths} growths");
        let seen = everything(&storage);
        assert_eq!(seen.len(), if written { 3 } else { 2 });
        let (mut next, memory) = opened(&storage);
        next.add(memory, &draft("next", "goes on")).unwrap().unwrap();
        if !was_refused {
            result.unwrap().unwrap();
            assert!(written && growths > 0);
            assert_eq!(seen[0].content, large.content);
            break;
        }
        refused += 1;
    }
    assert!(refused > 0, "nothing was ever refused");
}
