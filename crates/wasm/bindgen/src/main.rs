//! `lurd-bindgen IN.wasm DIR`: the module for browsers, as `DIR/lurd.js` and `DIR/lurd_bg.wasm`.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder] = &arguments[..] else { bail!("usage: lurd-bindgen IN.wasm DIR") };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name("lurd").typescript(false).remove_name_section(true).remove_producers_section(true);
    bindgen.web(true)?.generate(folder).with_context(|| format!("{input} cannot be written for browsers"))
}
