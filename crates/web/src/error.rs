//! Refusals over HTTP: a status and a sentence that says why and what to do.

use crate::limits::Limits;
use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lurd_service::Refusal;
use serde_json::json;

/// Why a request is not answered as asked: by the service, or by the server before it.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    status: StatusCode,
    sentence: String,
}

/// What every handler gives.
pub(crate) type Answer<T> = Result<Json<T>, Refused>;

impl Refused {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into() }
    }

    pub(crate) fn not_found(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, sentence)
    }

    /// More than this server is willing to do at once.
    pub(crate) fn too_many(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        let status = StatusCode::from_u16(refusal.kind().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self::new(status, refusal.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.sentence }))).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert("retry-after", axum::http::HeaderValue::from_static("1"));
        }
        response
    }
}

macro_rules! refusals {
    ($($rejection:ty),*) => {$(
        impl From<$rejection> for Refused {
            fn from(rejection: $rejection) -> Self {
                Self::new(rejection.status(), sentence(rejection.status(), &rejection.body_text()))
            }
        }
    )*};
}

refusals!(BytesRejection, JsonRejection, PathRejection, QueryRejection);

/// What a framework says of a request, for people.
fn sentence(status: StatusCode, told: &str) -> String {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        let (file, body) = (Limits::FILE >> 20, Limits::BODY >> 20);
        return format!(
            "that is too much at once: a file of levels may have {file} MiB, another request {body} MiB; split it"
        );
    }
    // "Failed to deserialize the JSON body into the target type: limits.nodes: invalid type: …, expected u64 at line 1 column 60"
    match told.split_once("target type: ") {
        Some((_, what)) => lurd_service::misfit(what),
        None => told.to_owned(),
    }
}

/// A JSON body; what is wrong with it is told like every other refusal.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refused))]
pub(crate) struct Asked<T>(pub(crate) T);

/// The query of an address.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refused))]
pub(crate) struct Query<T>(pub(crate) T);

/// A part of a path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Refused))]
pub(crate) struct Path<T>(pub(crate) T);
