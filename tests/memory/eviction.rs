//! A full namespace: a batch leaves what its entries would leave one by one (D38, X6).

use crate::shared::{Dice, Scene, open};
use crate::verbs::{call, names};
use keepsake::codec::json::{config, parse};
use keepsake::{Config, MemStore};
use serde_json::{Value, json};

fn settings(most: usize) -> Config {
    config(parse(&json!({"namespaces": {"notes": {"maxEntries": most}}}).to_string()).unwrap()).unwrap()
}

fn shown(memory: &Scene) -> Vec<String> {
    names(&call(memory, "list", json!({"namespace": "notes", "limit": 1000})), "summary")
}

fn evicted(memory: &Scene) -> Vec<String> {
    names(&call(memory, "evicted", json!({})), "id")
}

#[test]
fn d38_a_batch_leaves_what_its_entries_would_leave_one_by_one() {
    for seed in 0..40 {
        let mut dice = Dice(seed * 2 + 1);
        let mut below = |sides: usize| dice.roll(sides as u64) as usize;
        let most = 1 + below(8);
        let (one_store, other_store) = (MemStore::new(), MemStore::new());
        let (batch, single) = (open(&one_store, seed, &settings(most)), open(&other_store, seed, &settings(most)));
        let held = below(most + 1);
        for n in 0..held {
            let importance = [0.0, 0.5, 0.9][below(3)];
            let content = format!("held {n}");
            let draft =
                json!({"content": content, "id": format!("h{n}"), "namespace": "notes", "importance": importance});
            call(&batch, "add", draft.clone());
            call(&single, "add", draft);
        }
        evicted(&batch);
        for round in 0..2 {
            // In the second round some documents replace themselves.
            let documents: Vec<Value> = (0..1 + below(20))
                .map(|n| json!({"id": format!("d{n}"), "content": format!("round {round} of {n}"), "namespace": "notes"}))
                .collect();
            call(&batch, "addDocuments", json!({"documents": documents}));
            for document in &documents {
                call(&single, "addDocuments", json!({"documents": [document]}));
            }
            let left = shown(&batch);
            assert_eq!(left, shown(&single), "seed {seed}, round {round}");
            assert!(left.len() <= most, "seed {seed}, round {round}");
            let mut gone = evicted(&batch);
            let told = gone.len();
            gone.sort();
            gone.dedup();
            assert_eq!(gone.len(), told, "seed {seed}, round {round}: each is told once");
            assert_eq!(shown(&open(&one_store, seed + 1, &settings(most))), left, "seed {seed}: for who opens it anew");
        }
        assert_eq!(call(&batch, "logVerify", json!({}))["ok"], true);
    }
}
