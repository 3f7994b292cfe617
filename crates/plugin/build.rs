//! Exports the functions of a 32-bit plug-in under their plain names: hosts look up `SolveEx`, not `SolveEx@28` as the
//! calling convention decorates it.

fn main() {
    let target = std::env::var("TARGET").unwrap_or_default();
    if target == "i686-pc-windows-gnu" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--kill-at");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
