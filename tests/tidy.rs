//! The plan of the house, checked: arrows between folders point down, and every file says what lives there.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each folder of src/ may use. A folder that is not here may not exist.
const ARROWS: [(&str, &[&str]); 17] = [
    ("model", &[]),
    ("text", &["model"]),
    ("codec", &["model"]),
    ("log", &["model", "codec"]),
    ("index", &["model", "codec", "text"]),
    ("context", &["model", "text", "codec"]),
    ("learn", &["model", "text"]),
    ("files", &["model", "text"]),
    ("judgement", &["model", "text"]),
    ("tools", &["model", "codec"]),
    ("store", &[]),
    ("memory", &["model", "text", "codec", "log", "index", "context", "learn", "files", "judgement", "tools", "store"]),
    ("native", &["model", "memory", "store"]),
    ("browser", &["model", "memory", "store"]),
    ("api", &["model", "codec", "context", "files", "index", "tools", "memory", "store", "native", "browser"]),
    ("web", &["model", "codec", "memory", "store"]),
    ("component", &["model", "codec", "tools", "memory", "store"]),
];

/// The rooms of src/memory/ from the floor up, and what each may use: by a path, or by calling a method of `Memory`. Each may use
/// only rooms above it in this list.
const MEMORY_ROOMS: [(&str, &[&str]); 8] = [
    ("engine", &[]),
    ("entries", &["engine"]),
    ("dialog", &["engine"]),
    ("stores", &["engine", "entries"]),
    ("files", &["engine", "entries", "dialog"]),
    ("prompt", &["engine", "entries", "dialog", "stores"]),
    ("audit", &["engine", "entries", "dialog", "stores"]),
    ("call", &["engine", "entries", "dialog", "stores", "files", "prompt", "audit"]),
];

/// The rooms of pkg/src/ from the floor up, and what each may use. A room that is not here may not exist, and each may use only
/// rooms above it in this list, so that there can be no circle.
const ROOMS: [(&str, &[&str]); 12] = [
    ("base", &[]),
    ("wire", &["base"]),
    ("storage", &["base"]),
    ("engine", &["base", "wire", "storage"]),
    ("memory", &["base", "wire", "engine"]),
    ("open", &["base", "wire", "storage", "engine", "memory"]),
    ("entry", &["base", "wire", "storage", "engine", "memory", "open"]),
    ("portable", &["base", "wire", "memory"]),
    ("serve", &["base", "wire", "storage", "memory", "entry"]),
    ("adapters", &["base", "wire", "storage", "memory", "entry"]),
    ("inspector", &["base", "wire", "memory", "portable"]),
    ("cli", &["base", "wire", "memory", "entry", "portable", "adapters"]),
];

/// The folder of adapters/ that the others may use.
const SHARED_ADAPTER: &str = "talk";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_of(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for item in fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            files_of(&path, extensions, found);
        } else if path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension)) {
            found.push(path);
        }
    }
}

/// The files of a folder with these extensions: their paths from the root, and their texts.
fn texts_of(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    files_of(&root().join(folder), extensions, &mut files);
    let name = |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

fn sources() -> Vec<(String, String)> {
    texts_of("src", &["rs"])
}

/// The name that a text begins with.
fn name_at(rest: &str) -> &str {
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    &rest[..end]
}

/// The folders that a source names after `crate::`, wherever it does.
fn used(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1)).map(name_at)
}

#[test]
fn arrows_point_down() {
    let mut wrong = Vec::new();
    for (name, source) in sources() {
        let Some(folder) = name.strip_prefix("src/").and_then(|rest| rest.split_once('/')).map(|(folder, _)| folder)
        else {
            continue;
        };
        let Some((_, may)) = ARROWS.iter().find(|(known, _)| *known == folder) else {
            wrong.push(format!("{name}: src/{folder}/ is not in the plan"));
            continue;
        };
        for target in used(&source) {
            if target != folder && !may.contains(&target) {
                wrong.push(format!("{name} uses crate::{target}, and {folder}/ may use only {may:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_waits_below_memory() {
    let waiting = sources().into_iter().filter(|(name, source)| {
        let pure = ["model", "text", "codec", "log", "index", "context", "learn", "files", "judgement", "tools"]
            .iter()
            .any(|folder| name.starts_with(&format!("src/{folder}/")));
        pure && (source.contains("async ") || source.contains(".await"))
    });
    assert_eq!(waiting.map(|(name, _)| name).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_file_says_what_lives_there() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "xtask"] {
        files_of(&root().join(folder), &["rs"], &mut files);
    }
    files.retain(|path| !path.components().any(|part| part.as_os_str() == "target"));
    let silent: Vec<_> = files.iter().filter(|path| !fs::read_to_string(path).unwrap().starts_with("//! ")).collect();
    assert!(silent.is_empty(), "no `//!` first line: {silent:?}");
}

#[test]
fn the_arrow_check_sees_every_form() {
    let source =
        "use crate::model::Entry;\n    crate::store::Key\n// crate::web is only spoken of\npub(crate) fn f() {}";
    assert_eq!(used(source).collect::<Vec<_>>(), ["model", "store"]);
}

/// A source without its comments, and on one line: a chain of calls may go over several.
fn joined(source: &str) -> String {
    let code = source.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    code.collect::<Vec<_>>().join(" ").replace(" .", ".")
}

/// The parts of a source in which `self` is a memory.
fn memory_impls(source: &str) -> impl Iterator<Item = &str> {
    let impls = source.split("\nimpl<S: Store, E: Env> Memory<S, E> {\n").skip(1);
    impls.map(|rest| rest.split("\n}").next().unwrap_or(rest))
}

/// The methods of `Memory` that a source defines.
fn methods(source: &str) -> Vec<String> {
    let lines = memory_impls(source).flat_map(str::lines);
    let own = lines.filter(|line| line.starts_with("    ") && !line[4..].starts_with([' ', '/', '#', '}']));
    own.filter_map(|line| Some(name_at(line.split_once("fn ")?.1).to_owned())).collect()
}

/// The methods that a source calls on a memory: on `self` where that is one, and on `memory`.
fn called(source: &str) -> Vec<String> {
    let on_self = memory_impls(source).map(joined).collect::<Vec<_>>().join(" ");
    let all = joined(source);
    let calls = [(on_self.as_str(), "self."), (all.as_str(), "memory.")].into_iter();
    let names = calls.flat_map(|(code, receiver)| code.split(receiver).skip(1).map(name_at).collect::<Vec<_>>());
    names.map(str::to_owned).collect()
}

/// What is wrong with the rooms of these files, which are named from src/memory/ on.
fn wrong_in_memory(files: &[(&str, &str)]) -> Vec<String> {
    let room_of = |name: &'_ str| name.split_once('/').map(|(room, _)| room.to_owned());
    let defined = files.iter().flat_map(|(name, source)| {
        let room = room_of(name);
        methods(source).into_iter().filter_map(move |method| Some((method, room.clone()?)))
    });
    let defined: BTreeMap<String, String> = defined.collect();
    let mut wrong = Vec::new();
    for (name, source) in files {
        let Some(room) = room_of(name) else {
            if *name != "mod.rs" {
                wrong.push(format!("{name} lies in no room"));
            }
            continue;
        };
        let Some((_, may)) = MEMORY_ROOMS.iter().find(|(known, _)| *known == room) else {
            wrong.push(format!("{name}: src/memory/{room}/ is not in the plan"));
            continue;
        };
        if source.contains("super::super::") {
            wrong.push(format!("{name}: another room is named as crate::memory::…, not by super::super"));
        }
        let code = joined(source).replace("pub(in crate::memory)", "");
        let paths = code.split("crate::memory").skip(1).map(|rest| name_at(rest.strip_prefix("::").unwrap_or("")));
        let calls = called(source);
        let calls = calls.iter().filter_map(|method| Some((format!("{method}()"), defined.get(method)?.as_str())));
        let uses = paths.map(|target| (format!("crate::memory::{target}"), target)).chain(calls);
        for (used, target) in uses {
            if target != room && !may.contains(&target) {
                wrong.push(format!("{name} uses {used} of {target}/, and {room}/ may use only {may:?}"));
            }
        }
    }
    wrong
}

#[test]
fn rooms_of_the_memory_use_only_those_above_them() {
    let files = texts_of("src/memory", &["rs"]);
    let named = files.iter().map(|(name, source)| (name.strip_prefix("src/memory/").unwrap(), source.as_str()));
    let wrong = wrong_in_memory(&named.collect::<Vec<_>>());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (at, (room, may)) in MEMORY_ROOMS.iter().enumerate() {
        let above: Vec<_> = MEMORY_ROOMS[..at].iter().map(|(name, _)| *name).collect();
        assert!(may.iter().all(|used| above.contains(used)), "{room}/ may use a room that is not above it");
        assert!(files.iter().any(|(name, _)| name.starts_with(&format!("src/memory/{room}/"))), "{room}/ is empty");
    }
}

#[test]
fn the_memory_check_finds_what_is_wrong() {
    let wrong = |name, source| wrong_in_memory(&[(name, source)]).join("\n");
    assert_eq!(wrong("mod.rs", "pub use call::facade::MemoryQuery;"), "");
    assert_eq!(wrong("loose.rs", ""), "loose.rs lies in no room");
    assert_eq!(wrong("attic/box.rs", ""), "attic/box.rs: src/memory/attic/ is not in the plan");
    assert_eq!(wrong("files/tree.rs", "use super::homes::Home;\nuse crate::memory::engine::plan::Plan;"), "");
    assert_eq!(
        wrong("engine/plan.rs", "// crate::memory::call is only spoken of\npub(in crate::memory) fn f() {}"),
        ""
    );
    assert_eq!(
        wrong("engine/plan.rs", "use crate::memory::call::verbs::id;"),
        "engine/plan.rs uses crate::memory::call of call/, and engine/ may use only []"
    );
    // The facade hands out everything: a path through it would hide the room.
    for around in ["use crate::memory::Hit;", "use crate::memory::{call, engine};", "use crate::memory as all;"] {
        assert!(!wrong("entries/search.rs", around).is_empty(), "{around}");
    }
    assert!(wrong("entries/search.rs", "use super::super::call::verbs::id;").contains("super::super"));
}

#[test]
fn the_memory_check_sees_calls_of_methods() {
    let memory = |body: &str| format!("\nimpl<S: Store, E: Env> Memory<S, E> {{\n{body}\n}}\n");
    let call = memory("    /// A fn of verbs.\n    pub async fn call(&self) {\n        fn inner() {}\n    }");
    assert_eq!(methods(&call), ["call"]);
    let up = memory("    fn plan(&self) {\n        self\n            .call()\n            .await\n    }");
    let files = |engine| wrong_in_memory(&[("call/verbs.rs", call.as_str()), ("engine/plan.rs", engine)]).join("\n");
    let said = "engine/plan.rs uses call() of call/, and engine/ may use only []";
    assert_eq!(files(&up), said);
    assert_eq!(files("fn check(memory: &Memory) { memory.call() }"), said);
    // Here `self` is no memory.
    assert_eq!(files("\nimpl Work {\n    fn stop(&self) {\n        self.call();\n    }\n}\n"), "");
}

/// The relative paths that a script imports or exports from, types and dynamic imports included.
fn imported(source: &str) -> impl Iterator<Item = &str> {
    let code =
        source.lines().filter(|line| !line.trim_start().starts_with("//") && !line.trim_start().starts_with('*'));
    code.flat_map(|line| {
        let forms = [" from \"", "import \"", "import(\""];
        forms.into_iter().flat_map(move |form| line.split(form).skip(1))
    })
    .filter_map(|rest| rest.split('"').next().filter(|path| path.starts_with('.')))
}

/// The path below pkg/src/ that `path` means in the file `from`; `None` for what lies outside.
fn resolved(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// What is wrong with the rooms of these files, which are named from pkg/src/ on.
fn wrong_in_rooms<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, source) in files {
        let Some((room, inside)) = name.split_once('/') else {
            wrong.push(format!("{name} lies in no room"));
            continue;
        };
        let Some((_, may)) = ROOMS.iter().find(|(known, _)| *known == room) else {
            wrong.push(format!("{name}: pkg/src/{room}/ is not in the plan"));
            continue;
        };
        for target in imported(source).filter_map(|path| resolved(name, path)) {
            let (target_room, target_inside) = target.split_once('/').unwrap_or((&target, ""));
            if target_room != room && !may.contains(&target_room) {
                wrong.push(format!("{name} imports {target}, and {room}/ may use only {may:?}"));
            }
            let folder = |inside: &str| inside.split_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
            let other = folder(target_inside);
            if room == "adapters" && target_room == room && other != folder(inside) && other != SHARED_ADAPTER {
                wrong.push(format!("{name} imports {target}: an adapter may use no other adapter"));
            }
        }
    }
    wrong
}

#[test]
fn rooms_of_the_package_use_only_those_above_them() {
    let files = texts_of("pkg/src", &["ts", "tsx"]);
    let named = files.iter().map(|(name, source)| (name.strip_prefix("pkg/src/").unwrap(), source.as_str()));
    let wrong = wrong_in_rooms(named);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (at, (room, may)) in ROOMS.iter().enumerate() {
        let above: Vec<_> = ROOMS[..at].iter().map(|(name, _)| *name).collect();
        assert!(may.iter().all(|used| above.contains(used)), "{room}/ may use a room that is not above it");
        assert!(files.iter().any(|(name, _)| name.starts_with(&format!("pkg/src/{room}/"))), "{room}/ is empty");
    }
}

/// The code of a line, without its strings and its comment.
fn code_of(line: &str) -> String {
    let mut code = String::new();
    let mut quote = None;
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match quote {
            Some(_) if sign == '\\' => drop(signs.next()),
            Some(open) if sign == open => quote = None,
            Some(_) => {}
            None if matches!(sign, '"' | '`') => quote = Some(sign),
            None => code.push(sign),
        }
    }
    code.split("//").next().unwrap_or_default().to_owned()
}

/// The lines of a script that cast a value. `as const` and renames in imports and exports are no casts.
fn casts(source: &str) -> Vec<&str> {
    let mut renames = false;
    let mut found = Vec::new();
    for line in source.lines().map(str::trim) {
        if ["/*", "*"].iter().any(|sign| line.starts_with(sign)) {
            continue;
        }
        let code = code_of(line);
        renames |= ["import ", "export {", "export type {", "export *"].iter().any(|word| code.starts_with(word));
        let words = code.split(|c: char| c.is_whitespace() || "()[]{}<>,;".contains(c)).filter(|word| !word.is_empty());
        let words: Vec<_> = words.collect();
        let cast = words.iter().enumerate().any(|(at, word)| *word == "as" && words.get(at + 1) != Some(&"const"));
        if cast && !renames {
            found.push(line);
        }
        renames &= !code.ends_with(';');
    }
    found
}

#[test]
fn the_memory_of_the_package_casts_nothing() {
    let files = texts_of("pkg/src/memory", &["ts", "tsx"]);
    let found =
        files.iter().flat_map(|(name, source)| casts(source).into_iter().map(move |line| format!("{name}: {line}")));
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "use a type, a guard or a check in place of `as`:\n{}", found.join("\n"));
}

#[test]
fn the_cast_check_sees_every_form() {
    let fine = concat!(
        "import * as all from \"./all.js\";\nimport {\n  one as other,\n} from \"./one.js\";\nexport { a as b };\n",
        "// as string is only spoken of\n/**\n * as string too\n */\nconst names = [\"such as names\"] as const;\n",
        "const text = `as ${names} are`; // as string\nconst asked = { as: \"string\" };\n",
    );
    assert_eq!(casts(fine), Vec::<&str>::new());
    let wrong =
        ["const a = b as string;", "return (b as { c: number }).c;", "f(a) as unknown as B", "const d = { ...e } as {"];
    for line in wrong {
        assert_eq!(casts(&format!("import {{ b }} from \"./b.js\";\n  {line}\n")), [line]);
    }
    assert_eq!(casts("const a = b\n  as string;"), ["as string;"]);
}

#[test]
fn every_script_says_what_lives_there() {
    let files = texts_of("pkg/src", &["ts", "tsx"]);
    // A shebang and a reference to a library have to come first.
    let first = |source: &str| {
        source.lines().find(|line| !line.starts_with("#!") && !line.starts_with("/// ")).unwrap_or_default().to_owned()
    };
    let says = |source: &str| ["// ", "/**"].iter().any(|sign| first(source).starts_with(sign));
    let silent = files.iter().filter(|(_, source)| !says(source)).map(|(name, _)| name);
    assert_eq!(silent.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn helpers_of_tests_are_in_support() {
    let files = ["tests/js", "tests/e2e", "tests/service"].into_iter().flat_map(|folder| {
        let items = fs::read_dir(root().join(folder)).unwrap();
        items.map(|item| item.unwrap().path()).filter(|path| path.is_file())
    });
    let helpers = files.filter(|path| !path.to_string_lossy().ends_with(".test.mjs"));
    assert_eq!(helpers.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

#[test]
fn the_room_check_sees_every_form() {
    let source = concat!(
        "import type { A } from \"./a.js\";\nimport {\n  b,\n} from \"../b/b.js\";\nexport * from \"./c.js\";\n",
        "import \"./d.js\";\nconst e = await import(\"../e.js\");\n// from \"./only-spoken-of.js\"\n",
        "/**\n * import { f } from \"./an-example.js\";\n */\nimport { g } from \"preact\";\n",
    );
    let found: Vec<_> = imported(source).collect();
    assert_eq!(found, ["./a.js", "../b/b.js", "./c.js", "./d.js", "../e.js"]);
    assert_eq!(resolved("memory/files/zip/read.ts", "../../../base/bytes.js").unwrap(), "base/bytes.js");
    assert_eq!(resolved("engine/engine.ts", "../../wasm/keepsake.js"), None);
}

#[test]
fn the_room_check_finds_what_is_wrong() {
    let wrong = |name, source| wrong_in_rooms([(name, source)].into_iter()).join("\n");
    assert_eq!(wrong("memory/memory.ts", "import { known } from \"../base/options.js\";"), "");
    assert_eq!(wrong("loose.ts", ""), "loose.ts lies in no room");
    assert_eq!(wrong("attic/box.ts", ""), "attic/box.ts: pkg/src/attic/ is not in the plan");
    let up = wrong("base/errors.ts", "import type { Memory } from \"../memory/memory.js\";");
    assert_eq!(up, "base/errors.ts imports memory/memory.js, and base/ may use only []");
    let across = wrong("adapters/mcp/server.ts", "export { tools } from \"../ai-sdk/tools.js\";");
    assert_eq!(across, "adapters/mcp/server.ts imports adapters/ai-sdk/tools.js: an adapter may use no other adapter");
    assert_eq!(wrong("adapters/ai-sdk/chats.ts", "import { hash } from \"../talk/hash.js\";"), "");
}
