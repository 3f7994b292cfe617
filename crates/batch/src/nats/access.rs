//! How to reach a server: its address, credentials from a file or the environment, certificates.

use super::NatsError;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the first connection may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Told when the connection is lost and when it is back.
pub(super) type Notice = Arc<dyn Fn(&str) + Send + Sync>;

/// How to reach a server. Printing it shows no secret.
#[derive(Clone, Default)]
pub struct Access {
    /// The address; it may hold credentials, which are used and never shown.
    pub url: String,
    /// A file of credentials (JWT and seed) as NATS tools write it.
    pub credentials: Option<PathBuf>,
    /// A user with a password.
    pub user: Option<(String, String)>,
    /// A token.
    pub token: Option<String>,
    /// The seed of an nkey.
    pub seed: Option<String>,
    /// Certificates of the authority that signed the server's, in PEM.
    pub authority: Option<PathBuf>,
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("address", &self.address()).finish_non_exhaustive()
    }
}

impl Access {
    /// An address with what the environment adds: `LURD_NATS_CREDENTIALS` and `LURD_NATS_CA` name files,
    /// `LURD_NATS_USER` with `LURD_NATS_PASSWORD`, `LURD_NATS_TOKEN` and `LURD_NATS_SEED` hold secrets.
    pub fn from_environment(url: &str) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            url: url.to_owned(),
            credentials: variable("LURD_NATS_CREDENTIALS").map(PathBuf::from),
            user: variable("LURD_NATS_USER").map(|user| (user, variable("LURD_NATS_PASSWORD").unwrap_or_default())),
            token: variable("LURD_NATS_TOKEN"),
            seed: variable("LURD_NATS_SEED"),
            authority: variable("LURD_NATS_CA").map(PathBuf::from),
        }
    }

    /// The address without credentials, for messages.
    pub fn address(&self) -> String {
        self.split().0
    }

    /// The address without credentials, and the credentials in it. Everything up to the last @ is a secret, whatever it
    /// looks like.
    fn split(&self) -> (String, Option<&str>) {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("nats", &self.url));
        let (secret, host) = rest.rsplit_once('@').map_or((None, rest), |(secret, host)| (Some(secret), host));
        (format!("{scheme}://{host}"), secret)
    }

    /// The user with a password, or the token, that stands in the address.
    fn secrets_of_address(&self) -> (Option<(String, String)>, Option<String>) {
        match self.split().1.map(|secret| secret.split_once(':').ok_or(secret)) {
            None => (None, None),
            Some(Ok((user, password))) => (Some((decoded(user), decoded(password))), None),
            Some(Err(token)) => (None, Some(decoded(token))),
        }
    }

    pub(super) async fn connect(&self, name: &str, notice: Notice) -> Result<Client, NatsError> {
        let address = self.address();
        let (user, token) = self.secrets_of_address();
        let file = |path: &PathBuf, reason: String| NatsError::File { path: path.display().to_string(), reason };
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(5))
            .require_tls(self.url.starts_with("tls://"))
            .reconnect_delay_callback(|attempts| Duration::from_millis((attempts as u64 * 100).min(1000)));
        if let Some(path) = &self.credentials {
            options = options.credentials_file(path).await.map_err(|error| file(path, error.to_string()))?;
        }
        if let Some((user, password)) = self.user.clone().or(user) {
            options = options.user_and_password(user, password);
        }
        if let Some(token) = self.token.clone().or(token) {
            options = options.token(token);
        }
        if let Some(seed) = &self.seed {
            options = options.nkey(seed.clone());
        }
        if let Some(path) = &self.authority {
            // Looked at here, because an error of the connection would not name the file.
            std::fs::metadata(path).map_err(|error| file(path, error.to_string()))?;
            options = options.add_root_certificates(path.clone());
        }
        let lost = Arc::new(AtomicBool::new(false));
        let options = options.event_callback(move |event| {
            let (notice, lost) = (notice.clone(), lost.clone());
            async move {
                match event {
                    Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                        notice("the connection is lost; trying again until it is back");
                    }
                    Event::Connected if lost.swap(false, Ordering::Relaxed) => notice("the connection is back"),
                    _ => {}
                }
            }
        });
        if address.parse::<async_nats::ServerAddr>().is_err() {
            return Err(NatsError::Address(address));
        }
        options.connect(address.clone()).await.map_err(|error| match error.kind() {
            ConnectErrorKind::ServerParse => NatsError::Address(address),
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => NatsError::Refused(address),
            ConnectErrorKind::Tls => NatsError::Tls { address, reason: reasons(&error) },
            // A certificate that is refused comes as an error of the connection.
            _ if reasons(&error).contains("certificate") => NatsError::Tls { address, reason: reasons(&error) },
            _ => NatsError::Unreachable { address, reason: reasons(&error) },
        })
    }
}

/// A part of an address with its %-signs resolved.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &tail[2..]),
            None => (bytes.push(*first), rest = tail),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An error with what is behind it.
pub(super) fn reasons(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_the_address_are_used() {
        let of = |url: &str| Access { url: url.into(), ..Access::default() }.secrets_of_address();
        assert_eq!(of("nats://me:se%40same@host:4222"), (Some(("me".into(), "se@same".into())), None));
        assert_eq!(of("tls://50%25%zz@host"), (None, Some("50%%zz".into())));
        assert_eq!(of("host:4222"), (None, None));
    }

    #[test]
    fn secrets_are_never_shown() {
        for (url, shown) in [
            ("nats://me:secret@host:4222", "nats://host:4222"),
            ("tls://secret@host", "tls://host"),
            ("me:se@cret@host", "nats://host"),
            ("host:4222", "nats://host:4222"),
        ] {
            let access = Access {
                url: url.into(),
                token: Some("secret".into()),
                user: Some(("me".into(), "secret".into())),
                ..Access::default()
            };
            assert_eq!(access.address(), shown);
            assert!(!format!("{access:?}").contains("secret"), "{access:?}");
        }
    }
}
