//! Where this user's library is.

use std::path::PathBuf;

/// The environment variable that names the data folder.
pub const DATA_VARIABLE: &str = "LURD_DATA";

/// The data folder: what `LURD_DATA` says, or else the platform's folder for application data.
pub fn data_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let named = std::env::var_os(DATA_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let native = || etcetera::base_strategy::choose_native_strategy().ok().map(|base| base.data_dir().join("lurd"));
    named.or_else(native)
}

/// The library in the data folder.
pub fn default_path() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("library.db"))
}
