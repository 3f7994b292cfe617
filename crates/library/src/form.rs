//! A level's identity: its normal form, and a short key for it.

use lurd::{Map, Symmetry};
use rusqlite::Row;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Type, ValueRef};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The bytes of a key.
const LENGTH: usize = 16;

/// The name of a level: the first 128 bits of SHA-256 of its normal form in XSB. It is the same on every machine.
///
/// ```
/// use lurd_library::LevelKey;
/// let key: LevelKey = "00112233445566778899aabbccddeeff".parse()?;
/// assert_eq!(key.to_string(), "00112233445566778899aabbccddeeff");
/// # Ok::<(), lurd_library::KeyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LevelKey([u8; LENGTH]);

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no key of a level; a key has 32 digits from 0 to 9 and a to f")]
pub struct KeyError(String);

impl LevelKey {
    /// The key of a normal form.
    fn of(form: &str) -> Self {
        let digest = Sha256::digest(form.as_bytes());
        let mut key = [0; LENGTH];
        key.copy_from_slice(&digest[..LENGTH]);
        Self(key)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FromSql for LevelKey {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        <[u8; LENGTH]>::column_result(value).map(Self)
    }
}

impl fmt::Display for LevelKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for LevelKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let wrong = || KeyError(text.chars().take(80).collect());
        if text.len() != 2 * LENGTH || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut key = [0; LENGTH];
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Self(key))
    }
}

/// The normal form of a map and the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The normal form.
    pub map: Map,
    /// Its XSB text, as stored.
    pub text: String,
    /// The name of the level.
    pub key: LevelKey,
    /// Carries moves on the given map to moves on the normal form.
    pub symmetry: Symmetry,
}

impl Form {
    /// The normal form of a map.
    pub fn of(map: &Map) -> Self {
        let (map, symmetry) = map.canonical();
        let text = map.to_string();
        let key = LevelKey::of(&text);
        Self { map, text, key, symmetry }
    }
}

/// The number under which a symmetry is stored: its place in [`Symmetry::ALL`].
pub(crate) fn symmetry_number(symmetry: Symmetry) -> i64 {
    Symmetry::ALL.iter().position(|&other| other == symmetry).unwrap_or(0) as i64
}

/// The symmetry of a stored number.
fn symmetry_of(number: i64) -> Option<Symmetry> {
    Symmetry::ALL.get(usize::try_from(number).ok()?).copied()
}

/// The symmetry in a column.
pub(crate) fn symmetry_in(row: &Row<'_>, column: usize) -> rusqlite::Result<Symmetry> {
    let number: i64 = row.get(column)?;
    symmetry_of(number).ok_or(rusqlite::Error::IntegralValueOutOfRange(column, number))
}

/// The board in a column.
pub(crate) fn map_in(row: &Row<'_>, column: usize) -> rusqlite::Result<Map> {
    let text: String = row.get(column)?;
    let wrong = || rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(FromSqlError::InvalidType));
    Map::from_xsb(&text).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_images_of_a_level_have_one_key() {
        let map = Map::from_xsb("######\n#@ $.#\n#  ###\n####").unwrap();
        let form = Form::of(&map);
        for symmetry in Symmetry::ALL {
            let image = Form::of(&symmetry.apply(&map));
            assert_eq!((image.key, &image.text), (form.key, &form.text));
            assert_eq!(symmetry_of(symmetry_number(symmetry)), Some(symmetry));
        }
        assert_ne!(form.key, Form::of(&Map::from_xsb("######\n# @$.#\n#  ###\n####").unwrap()).key);
        assert_eq!(form.key.to_string().parse(), Ok(form.key));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for wrong in ["", "12", "0011223344556677889900aabbccddeeff", "zz112233445566778899aabbccddeeff", "é"] {
            assert!(wrong.parse::<LevelKey>().is_err(), "{wrong}");
        }
        assert_eq!(symmetry_of(8), None);
        assert_eq!(symmetry_of(-1), None);
    }
}
