//! Paths: the repository's root, cargo's output, the tools that npm installed.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root. Cargo sets this crate's folder when it runs it; the folder at compile time is the fallback
/// when the executable is started by hand.
pub(crate) fn root() -> PathBuf {
    let this_crate = env::var_os("CARGO_MANIFEST_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.ends_with("xtask"))
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    this_crate.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A path below the root.
pub(crate) fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// The output folder of cargo. Our own artefacts always go to `target/` below the root, so that tests find them.
pub(crate) fn cargo_target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), |folder| root().join(folder))
}

/// The folder where cargo keeps the sources of crates.
pub(crate) fn cargo_home() -> PathBuf {
    let below_home = || env::home_dir().unwrap_or_default().join(".cargo");
    env::var_os("CARGO_HOME").map_or_else(below_home, PathBuf::from)
}

/// An executable of an npm package.
pub(crate) fn npm_bin(name: &str) -> PathBuf {
    at("node_modules/.bin").join(name)
}

/// A program on the PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
