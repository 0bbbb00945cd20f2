//! `cargo xtask build`: all shipped artefacts, in the order of their dependencies.

mod component;
mod factory;
mod npm;
pub(crate) mod optimise;
mod rust_page;
mod web;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow};

use crate::{paths, run, setup};

pub(crate) use component::bare;
pub(crate) use rust_page::{for_tests as rust_page, optimised as optimised_rust_page};
pub(crate) use web::modules as web_modules;

/// Builds the web modules, the components and the npm packages.
pub(crate) fn all() -> Result<()> {
    setup::for_building()?;
    // Link-time optimisation keeps one core busy; the other builds the components meanwhile.
    thread::scope(|scope| {
        let components = scope.spawn(component::build);
        web()?;
        components.join().map_err(|_| anyhow!("the build of the components panicked"))?
    })
}

/// The web modules and the npm packages around them.
pub(crate) fn web() -> Result<()> {
    web::shipped()?;
    npm::build()
}

/// The files of the demo page: both web modules, the two entries of the package that it imports, and the page. Types
/// are neither checked nor emitted.
pub(crate) fn page() -> Result<()> {
    web::shipped()?;
    run::timed("scripts of the package", npm::bundle_for_page)?;
    run::timed("page", npm::page)
}

/// [`web`] as a command of its own.
pub(crate) fn web_alone() -> Result<()> {
    setup::for_building()?;
    web()
}

/// The components of the core and of the service.
pub(crate) fn components() -> Result<()> {
    component::build()
}

/// Builds only the web module with the test hooks and the parts of the package around it, which are never shipped.
pub(crate) fn testing() -> Result<()> {
    setup::for_building()?;
    web::testing()?;
    npm::bundle_inner()
}

/// Builds the web module and the package for the tests in Node, in a fraction of the time: one unoptimised module with
/// every verb and the test hooks replaces all three. Never shipped: `all` overwrites it.
pub(crate) fn quick() -> Result<()> {
    setup::for_building()?;
    web::quick()?;
    npm::package()?;
    npm::bundle_inner()
}

/// One of two concurrent builds. Each has its own target folder, because cargo locks it.
#[derive(Clone, Copy)]
enum For {
    Web,
    Components,
}

impl For {
    fn folder(self) -> PathBuf {
        match self {
            Self::Web => paths::cargo_target(),
            Self::Components => paths::cargo_target().join("components"),
        }
    }

    /// Compiles the library to a wasm module with these features, optimised for size. The module is read at once,
    /// because the next feature set overwrites the file.
    fn compile(self, features: &str) -> Result<Vec<u8>> {
        self.compile_with("release", "keepsake", features)
    }

    /// The same for any package and profile.
    fn compile_with(self, profile: &str, package: &str, features: &str) -> Result<Vec<u8>> {
        compile_in(&paths::root(), &self.folder(), profile, package, features)
    }
}

/// Compiles a package of the sources in `root`, with cargo's cache in `target`.
fn compile_in(root: &Path, target: &Path, profile: &str, package: &str, features: &str) -> Result<Vec<u8>> {
    let mut cargo = run::cargo(&[
        "rustc",
        "--package",
        package,
        "--profile",
        profile,
        "--lib",
        "--crate-type",
        "cdylib",
        "--target",
        "wasm32-unknown-unknown",
        "--no-default-features",
        "--features",
        features,
        "--config",
        &without_paths(root),
    ]);
    cargo.current_dir(root).arg("--target-dir").arg(target);
    run::run(&mut cargo, run::COMPILE)?;
    let file = target.join("wasm32-unknown-unknown").join(profile).join(package.replace('-', "_") + ".wasm");
    fs::read(&file).with_context(|| format!("cargo did not write {}", file.display()))
}

/// Panics name their source file. The paths of the build machine must not be in a module.
fn without_paths(root: &Path) -> String {
    let cargo = paths::cargo_home();
    let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
    let flags = [remap(&cargo.join("registry/src"), "crates"), remap(&root.join(""), "")];
    format!("target.wasm32-unknown-unknown.rustflags={flags:?}")
}

/// Writes a file and its parent folders.
fn write(file: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("could not make the folder {}", folder.display()))?;
    }
    fs::write(file, bytes).with_context(|| format!("could not write {}", file.display()))
}
