//! The runner that cargo calls for tests built for wasm: wasm-bindgen's own, as a library.

use anyhow::Result;

/// `args` are what cargo passes: the test executable and the filter.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let args = std::iter::once("wasm-bindgen-test-runner").chain(args.iter().copied());
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(args)
}
