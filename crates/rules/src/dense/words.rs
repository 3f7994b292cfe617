//! The word counts for which the dense searches and the provers are compiled.

/// Evaluates an expression with the word counts of a [`DenseBoard`](crate::dense::board::DenseBoard) as constants: with
/// `|L, G|`, those of a set of live squares and of a set of cells. `None` if the board is larger than any variant.
///
/// With `|K, L, G|`, `K` is an unsigned integer for keys of positions, and the expression an `Option`: where one word may
/// be too narrow for a key, it is evaluated with two if it is `None` with one. With so few cells as in the first variant a
/// key never needs two words, and with so many as in the last ones it mostly does.
///
/// Programs for browsers, those with debug assertions and the unit tests of a crate have three of the six variants: they
/// are the larger part of the size and of the compile time. The released command and the tests that link the released
/// libraries have all.
#[macro_export]
macro_rules! for_word_counts {
    (@one [$l:ident $g:ident] $live:literal $cells:literal [$($key:ty)+] $body:expr) => {{
        const $l: usize = $live;
        const $g: usize = $cells;
        Some($body)
    }};
    (@one [$k:ident $l:ident $g:ident] $live:literal $cells:literal [$($key:ty)+] $body:expr) => {{
        const $l: usize = $live;
        const $g: usize = $cells;
        None$(.or_else(|| {
            type $k = $key;
            $body
        }))+
    }};
    ($board:expr, |$($name:ident),+| $body:expr) => {
        match ($board.live_words(), $board.cell_words()) {
            #[cfg(not(any(debug_assertions, test, target_family = "wasm")))]
            (1, 1) => $crate::for_word_counts!(@one [$($name)+] 1 1 [u64] $body),
            (1, ..=2) => $crate::for_word_counts!(@one [$($name)+] 1 2 [u64 u128] $body),
            #[cfg(not(any(debug_assertions, test, target_family = "wasm")))]
            (2, ..=2) => $crate::for_word_counts!(@one [$($name)+] 2 2 [u64 u128] $body),
            (2, ..=4) => $crate::for_word_counts!(@one [$($name)+] 2 4 [u64 u128] $body),
            #[cfg(not(any(debug_assertions, test, target_family = "wasm")))]
            (4, ..=8) => $crate::for_word_counts!(@one [$($name)+] 4 8 [u128] $body),
            (4, ..=16) => $crate::for_word_counts!(@one [$($name)+] 4 16 [u128] $body),
            _ => None,
        }
    };
}
