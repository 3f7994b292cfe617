//! Enums of named choices.
//!
//! Every such enum lists itself (`ALL`), prints its name, parses it back, and says in one sentence what it is
//! and what it promises: help texts, the page and the manual are made from these.

/// An enum that lists itself, names its choices and says what each promises.
pub trait Choice: Copy + Send + Sync + std::str::FromStr<Err = String> + 'static {
    /// Every choice, in the order help lists them.
    const ALL: &'static [Self];

    /// The name that is written.
    fn name(self) -> &'static str;

    /// What it is and what it promises.
    fn about(self) -> &'static str;
}

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

        impl $crate::Choice for $type {
            const ALL: &'static [Self] = Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }

            fn about(self) -> &'static str {
                self.about()
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
