//! Embeddings through the component: given with a draft or later, compared, refused.

use crate::{NO_CHANGES, draft, opened, query, scripted};
use keepsake_host::wit::{Changes, Draft, Embedded, Error, Invalid, Oversize, Query, Ranking, Unembedded};
use keepsake_host::{Instance, ResourceAny, Storage};

/// One entry for each direction; no two have a word in common.
const THINGS: [(&str, &str); 6] = [
    ("pet", "our terrier"),
    ("drive", "that garage"),
    ("food", "more flour"),
    ("music", "two tickets"),
    ("hike", "steep summit"),
    ("ill", "bitter pills"),
];

fn direction(at: usize) -> Vec<f32> {
    (0..THINGS.len()).map(|axis| if axis == at { 2.0 } else { 0.1 }).collect()
}

fn embedded(id: &str, version: u32, embedding: Vec<f32>) -> Embedded {
    Embedded { id: id.to_owned(), version, embedding }
}

/// What is found by its meaning alone.
fn near(instance: &mut Instance, memory: ResourceAny, at: usize) -> Vec<String> {
    let hits = instance.search(memory, &Query { embedding: Some(direction(at)), explain: true, ..query("void") });
    let hits = hits.unwrap().unwrap();
    for hit in &hits {
        assert_eq!(hit.receipt.iter().fold(0.0, |sum, part| sum + part.value).to_bits(), hit.score.to_bits());
        assert!(hit.score > 0.0 && hit.score <= 1.0);
    }
    hits.into_iter().map(|hit| hit.id).collect()
}

#[test]
fn entries_are_found_by_embeddings_that_came_with_them() {
    for config in [None, Some(r#"{"vectors":"int8"}"#), Some(r#"{"vectors":"f32"}"#)] {
        let storage = Storage::default();
        let mut instance = Instance::new(&storage, &scripted());
        let memory = instance.open_with("u-1", config).unwrap().unwrap();
        for (at, (id, content)) in THINGS.iter().enumerate() {
            let draft = Draft { embedding: Some(direction(at)), ..draft(id, content) };
            instance.add(memory, &draft).unwrap().unwrap();
        }
        assert_eq!(near(&mut instance, memory, 0), ["pet"]);
        assert_eq!(instance.search(memory, &query("void")).unwrap().unwrap(), []);
        let formula = Query { embedding: Some(direction(0)), ranking: Some(Ranking::Formula), ..query("void") };
        assert_eq!(instance.search(memory, &formula).unwrap().unwrap(), []);
        // Another instance reads what this one has stored.
        let (mut other, others) = opened(&storage);
        assert_eq!(near(&mut other, others, 4), ["hike"]);
        let content = Changes { content: Some("it left".to_owned()), ..NO_CHANGES };
        other.update(others, "pet", &content).unwrap().unwrap();
        assert!(!near(&mut instance, memory, 0).contains(&"pet".to_owned()));
        let given = Changes { embedding: Some(direction(0)), ..NO_CHANGES };
        other.update(others, "pet", &given).unwrap().unwrap();
        assert_eq!(near(&mut instance, memory, 0), ["pet"]);
    }
}

#[test]
fn entries_get_embeddings_later_if_they_are_still_the_same() {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    for (id, content) in THINGS {
        instance.add(memory, &Draft { speaker: Some("our".into()), ..draft(id, content) }).unwrap().unwrap();
    }
    let said = Draft { speaker: Some("Ann".into()), ..draft("said", "Ann: hello") };
    instance.add(memory, &said).unwrap().unwrap();
    let (two, all) = instance.unembedded(memory, 2).unwrap().unwrap();
    assert_eq!((two.len(), all), (2, 7));
    let (items, _) = instance.unembedded(memory, u32::MAX).unwrap().unwrap();
    let text = |id: &str| items.iter().find(|item| item.id == id).map(|Unembedded { text, .. }| text.as_str());
    assert_eq!((items.len(), text("pet"), text("said")), (7, Some("our terrier"), Some("hello")));
    let (mut other, others) = opened(&storage);
    other.update(others, "drive", &Changes { content: Some("that hotel".to_owned()), ..NO_CHANGES }).unwrap().unwrap();
    other.delete(others, "food").unwrap().unwrap();
    let given: Vec<_> =
        items.iter().enumerate().map(|(at, item)| embedded(&item.id, item.version, direction(at % 6))).collect();
    assert_eq!(instance.embed(memory, &given).unwrap(), Ok(5));
    let (left, all) = instance.unembedded(memory, 9).unwrap().unwrap();
    assert_eq!((left.len(), all), (1, 1));
    assert_eq!((left[0].id.as_str(), left[0].version, left[0].text.as_str()), ("drive", 2, "that hotel"));
    assert_eq!(near(&mut other, others, 3), ["music"]);
    assert_eq!(instance.embed(memory, &[]).unwrap(), Ok(0));
}

#[test]
fn what_is_no_embedding_is_refused_everywhere_and_nothing_changes() {
    let storage = Storage::default();
    let (mut instance, memory) = opened(&storage);
    instance.add(memory, &Draft { embedding: Some(vec![1.0, 2.0]), ..draft("a", "text") }).unwrap().unwrap();
    let before = storage.copy();
    let invalid = |reason: &str| Error::InvalidInput(Invalid { field: "embedding".into(), reason: reason.into() });
    let nothing = || invalid("must be finite numbers that are not all 0");
    let cases = [
        (vec![], nothing()),
        (vec![0.0, 0.0], nothing()),
        (vec![f32::NAN, 1.0], nothing()),
        (vec![1.0, f32::NEG_INFINITY], nothing()),
        (vec![1.0], invalid("must have 2 dimensions, like the other embeddings; it has 1")),
        (vec![1.0; 4097], Error::TooLarge(Oversize { field: Some("embedding".into()), limit: 4096, actual: 4097 })),
    ];
    for (bad, error) in cases {
        let add = Draft { embedding: Some(bad.clone()), ..draft("b", "text") };
        assert_eq!(instance.add(memory, &add).unwrap(), Err(error.clone()));
        let update = Changes { embedding: Some(bad.clone()), ..NO_CHANGES };
        assert_eq!(instance.update(memory, "a", &update).unwrap(), Err(error.clone()));
        let search = Query { embedding: Some(bad.clone()), ..query("text") };
        assert_eq!(instance.search(memory, &search).unwrap(), Err(error.clone()));
        assert_eq!(instance.explain_miss(memory, "a", &search).unwrap(), Err(error.clone()));
        let given = [embedded("a", 1, vec![1.0, 1.0]), embedded("a", 1, bad)];
        let refused = instance.embed(memory, &given).unwrap().unwrap_err();
        assert!(refused == error, "{refused:?}");
    }
    assert!(storage.holds_the_same_as(&before));
}
