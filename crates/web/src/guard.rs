//! Who may talk to the server, and what browsers are told about its answers.
//!
//! A page of another site can make a browser send requests to 127.0.0.1. Two things give it
//! away: the browser names the page's origin, and a name that was pointed at this machine
//! (DNS rebinding) shows in `Host`. Both must be our own. Programs that are no browsers send
//! no `Origin` and are let in: they could read everything here anyway.

use crate::error::Refused;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Knows the names this server goes by.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    address: SocketAddr,
    names: Arc<Vec<String>>,
}

impl Guard {
    /// `names` are host names besides `localhost` and the address itself.
    pub(crate) fn new(address: SocketAddr, names: Vec<String>) -> Self {
        Self { address, names: Arc::new(names) }
    }

    /// Whether `host[:port]` is this server. Any address in figures will do where it listens on
    /// all: rebinding needs a name.
    fn is_own(&self, authority: &str) -> bool {
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()),
            _ => (authority, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        match bare.parse::<IpAddr>() {
            Ok(ip) => self.address.ip().is_unspecified() || ip == self.address.ip(),
            Err(_) => {
                let local = host.eq_ignore_ascii_case("localhost") && self.is_local();
                local || self.names.iter().any(|name| name.eq_ignore_ascii_case(host))
            }
        }
    }

    fn is_local(&self) -> bool {
        self.address.ip().is_loopback() || self.address.ip().is_unspecified()
    }

    fn check(&self, request: &Request) -> Result<(), Refused> {
        let headers = request.headers();
        let forbidden = |sentence: &str| Err(Refused::new(StatusCode::FORBIDDEN, sentence));
        let hosts: Vec<_> = headers.get_all(header::HOST).iter().collect();
        let own_host = match hosts[..] {
            [host] => host.to_str().is_ok_and(|host| self.is_own(host)),
            _ => false,
        };
        let own_target = request.uri().authority().is_none_or(|authority| self.is_own(authority.as_str()));
        if !own_host || !own_target {
            return forbidden("this server does not go by that name; open the address that `lurd serve` printed");
        }
        let foreign = |origin: &HeaderValue| {
            let own = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            !own.is_some_and(|authority| self.is_own(authority))
        };
        if headers.get_all(header::ORIGIN).iter().any(foreign) {
            return forbidden("requests from pages of other sites are refused");
        }
        if told_foreign(headers) && !follows_link(request) {
            return forbidden("requests from pages of other sites are refused");
        }
        Ok(())
    }
}

/// Whether the browser says that another site's page asks.
fn told_foreign(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none")
}

/// A link to the page on another site, followed by a person, is welcome: it shows the page and
/// gives the other site nothing.
fn follows_link(request: &Request) -> bool {
    request.method() == Method::GET
        && request.uri().path() == "/"
        && request.headers().get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
        && request.headers().get("sec-fetch-dest").is_some_and(|dest| dest == "document")
}

/// Nothing but what this server sends is loaded, run or asked, and nobody may frame it. Pictures
/// the page draws itself are `blob:` and `data:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Stands before every route.
pub(crate) async fn stand(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().unwrap(), vec!["lab".into()])
    }

    #[test]
    fn only_its_own_names_are_known() {
        let local = guard("127.0.0.1:7373");
        for own in ["127.0.0.1:7373", "localhost:7373", "LOCALHOST:7373", "lab:7373"] {
            assert!(local.is_own(own), "{own}");
        }
        for other in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:7373",
            "localhost.evil.example:7373",
            "",
            ":7373",
            "10.0.0.1:7373",
        ] {
            assert!(!local.is_own(other), "{other}");
        }
    }

    #[test]
    fn a_server_for_all_addresses_takes_figures_but_no_names() {
        let open = guard("0.0.0.0:80");
        assert!(open.is_own("192.168.1.7") && open.is_own("[fe80::1]:80") && open.is_own("lab"));
        assert!(!open.is_own("evil.example"));
        assert!(guard("[::1]:7373").is_own("[::1]:7373"));
    }
}
