//! What the component asks of a host, and what it offers: nothing but what `wit/` names.

use keepsake_host::{component, hooked_component};
use std::collections::BTreeSet;

#[test]
fn the_imports_are_storage_clock_and_entropy_and_nothing_else() {
    let engine = component().engine();
    let ty = component().component_type();
    let imports: BTreeSet<&str> = ty.imports(engine).map(|(name, _)| name).collect();
    // `types` has no functions: it is how the other interfaces share their types.
    let wanted = ["clock", "entropy", "storage", "types"].map(|name| format!("keepsake:memory/{name}@0.1.0"));
    assert_eq!(imports, wanted.iter().map(String::as_str).collect());
}

#[test]
fn the_exports_are_the_six_interfaces() {
    let engine = component().engine();
    let ty = component().component_type();
    let exports: BTreeSet<&str> = ty.exports(engine).map(|(name, _)| name).collect();
    let wanted = ["collections", "dialog", "files", "memory", "stores", "tools"]
        .map(|name| format!("keepsake:memory/{name}@0.1.0"));
    assert_eq!(exports, wanted.iter().map(String::as_str).collect());
}

#[test]
fn with_hooks_there_are_three_imports_and_one_interface_more() {
    let engine = hooked_component().engine();
    let (plain, ty) = (component().component_type(), hooked_component().component_type());
    let more = |names: BTreeSet<&str>, than: BTreeSet<&str>| -> Vec<String> {
        assert!(than.is_subset(&names));
        names.difference(&than).map(|name| (*name).to_owned()).collect()
    };
    let imports =
        more(ty.imports(engine).map(|(name, _)| name).collect(), plain.imports(engine).map(|(name, _)| name).collect());
    let wanted = ["embedder", "summarizer", "teacher"].map(|name| format!("keepsake:memory/{name}@0.1.0"));
    assert_eq!(imports, wanted);
    let exports =
        more(ty.exports(engine).map(|(name, _)| name).collect(), plain.exports(engine).map(|(name, _)| name).collect());
    assert_eq!(exports, ["keepsake:memory/hooked@0.1.0"]);
}
