//! Refusals: a status and a sentence that says why and what to do.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is not answered as asked.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    sentence: String,
}

/// What every handler gives.
pub(crate) type Answer<T> = Result<Json<T>, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into() }
    }

    /// The request is understood, and what it asks cannot be done.
    pub(crate) fn unprocessable(why: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, why.to_string())
    }

    pub(crate) fn not_found(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, sentence)
    }

    /// More than this server is willing to do at once.
    pub(crate) fn too_many(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    }
}

#[derive(Serialize)]
struct Sentence {
    error: String,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Sentence { error: self.sentence })).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert("retry-after", axum::http::HeaderValue::from_static("1"));
        }
        response
    }
}

macro_rules! refusals {
    ($($rejection:ty),*) => {$(
        impl From<$rejection> for Refusal {
            fn from(rejection: $rejection) -> Self {
                Self::new(rejection.status(), rejection.body_text())
            }
        }
    )*};
}

refusals!(BytesRejection, JsonRejection, PathRejection, QueryRejection);

/// A JSON body; what is wrong with it is told like every other refusal.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refusal))]
pub(crate) struct Asked<T>(pub(crate) T);

/// The query of an address.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refusal))]
pub(crate) struct Query<T>(pub(crate) T);

/// A part of a path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Refusal))]
pub(crate) struct Path<T>(pub(crate) T);
