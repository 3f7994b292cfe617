//! Enums of named choices.
//!
//! Every such enum lists itself (`ALL`), prints its name, parses it back, and says in one sentence what it is
//! and what it promises: help texts, the page and the manual are made from these.

/// Declares an enum of named choices.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal : $about:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type { $($(#[$doc])* #[doc = $about] $variant,)* }

        impl $type {
            /// Every choice, in the order help lists them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it is and what it promises.
            pub fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|choice| choice.name() == text).ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(|choice| choice.name()).collect();
                    format!("there is no `{text}`; choose one of {}", names.join(", "))
                })
            }
        }
    };
}
