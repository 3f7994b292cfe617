//! `/api/v1`: what the page and scripts ask. `docs/api/openapi.json` describes it.

mod about;
mod config;
mod cse;
mod inspect;
mod jobs;
mod levels;
mod look;
mod tiles;

use crate::error::Refusal;
use crate::jobs::Jobs;
use crate::limits::Limits;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::header;
use axum::routing::{get, post};
use lurd::formats::Collection;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What every handler shares.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) levels: Arc<Collection>,
    pub(crate) limits: Limits,
    pub(crate) jobs: Arc<Jobs>,
    questions: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(levels: Collection, limits: Limits) -> Self {
        Self {
            levels: Arc::new(levels),
            limits,
            jobs: Jobs::start(limits),
            questions: Arc::new(Semaphore::new(Limits::QUESTIONS)),
        }
    }

    /// Thinks about a question on a thread that may block, a few at a time.
    async fn think<T: Send + 'static>(
        &self,
        question: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let failed = |_| Refusal::too_many("the server is ending");
        let turn = self.questions.clone().acquire_owned().await.map_err(failed)?;
        let thought = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            question()
        });
        thought.await.unwrap_or_else(|_| {
            Err(Refusal::new(
                axum::http::StatusCode::INTERNAL_SERVER_ERROR,
                "this question broke the server's thought; please report it",
            ))
        })
    }
}

const OPENAPI: &str = include_str!("../../../../docs/api/openapi.json");

async fn openapi() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn nothing() -> Refusal {
    Refusal::not_found("the API has no such address; GET /api/v1/openapi.json lists what it has")
}

async fn wrong_method() -> Refusal {
    Refusal::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take that method; GET /api/v1/openapi.json says which it takes",
    )
}

/// The addresses of the API.
pub(crate) fn routes() -> Router<App> {
    let files = Router::new()
        .route("/levels/read", post(levels::read))
        .route("/levels/write", post(levels::write))
        .layer(DefaultBodyLimit::max(Limits::FILE));
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/about", get(about::about))
        .route("/levels", get(levels::offered))
        .route("/levels/check", post(levels::check))
        .route("/look", post(look::look))
        .route("/plan", post(config::plan))
        .route("/inspect", post(inspect::inspect))
        .route("/jobs", get(jobs::list).post(jobs::start))
        .route("/jobs/{id}", get(jobs::state).delete(jobs::cancel))
        .route("/jobs/{id}/events", get(jobs::events))
        .route("/tiles/shuffle", post(tiles::shuffle))
        .route("/tiles/check", post(tiles::check))
        .route("/cse/position", post(cse::position))
        .layer(DefaultBodyLimit::max(Limits::BODY))
        .merge(files)
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
}
