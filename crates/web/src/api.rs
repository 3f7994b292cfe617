//! `/api/v1`: what the page and scripts ask, over HTTP. `docs/api/openapi.json` describes it; `lurd-service` answers.

use crate::error::{Answer, Asked, Path, Query, Refused};
use crate::job_routes;
use crate::jobs::Jobs;
use crate::library::{self, LibraryAccess, Runs};
use crate::limits::Limits;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use lurd::formats::Collection;
use lurd_service::{About, CollectionView, LessonView, Reading, Refusal, Tour};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What every handler shares.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) levels: Arc<Collection>,
    pub(crate) limits: Limits,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) library: Option<LibraryAccess>,
    pub(crate) runs: Arc<Runs>,
    questions: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(levels: Collection, limits: Limits, library: Option<LibraryAccess>) -> Self {
        let recorder = library.as_ref().map(|library| library.recorder.clone());
        Self {
            levels: Arc::new(levels),
            limits,
            jobs: Jobs::start(limits, recorder),
            library,
            runs: Arc::default(),
            questions: Arc::new(Semaphore::new(Limits::QUESTIONS)),
        }
    }

    /// Thinks about a question on a thread that may block, a few at a time.
    pub(crate) async fn think<T: Send + 'static, E: Into<Refused> + Send + 'static>(
        &self,
        question: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, Refused> {
        let failed = |_| Refused::too_many("the server is ending");
        let turn = self.questions.clone().acquire_owned().await.map_err(failed)?;
        let thought = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            question()
        });
        match thought.await {
            Ok(answer) => answer.map_err(Into::into),
            Err(_) => Err(Refused::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "this question broke the server's thought; please report it",
            )),
        }
    }
}

/// A question of the service with a JSON body.
type Question<Q, A> = fn(Q) -> Result<A, Refusal>;

/// A question that is answered at once.
fn at_once<Q, A>(question: Question<Q, A>) -> MethodRouter<App>
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    post(async move |Asked(asked): Asked<Q>| -> Answer<A> { Ok(Json(question(asked)?)) })
}

/// A question that takes some thought.
fn thought<Q, A>(question: Question<Q, A>) -> MethodRouter<App>
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    post(async move |State(app): State<App>, Asked(asked): Asked<Q>| -> Answer<A> {
        app.think(move || question(asked)).await.map(Json)
    })
}

/// `GET /about`
async fn about(State(app): State<App>) -> Json<About> {
    let no_library = app.library.is_none().then_some(library::NONE);
    Json(lurd_service::about(&app.limits.allowance(), no_library))
}

/// `GET /levels`
async fn offered(State(app): State<App>) -> Json<CollectionView> {
    Json(lurd_service::offered(&app.levels))
}

/// `GET /lessons`
async fn lessons() -> Json<Tour> {
    Json(lurd_service::tour())
}

/// `GET /lessons/{name}`
async fn lesson(Path(name): Path<String>) -> Answer<LessonView> {
    Ok(Json(lurd_service::lesson(&name)?))
}

/// `POST /levels/read`
async fn read(
    State(app): State<App>,
    Query(reading): Query<Reading>,
    bytes: Result<Bytes, BytesRejection>,
) -> Answer<CollectionView> {
    let bytes = bytes?;
    app.think(move || lurd_service::read(&reading, &bytes)).await.map(Json)
}

const OPENAPI: &str = include_str!("../../../docs/api/openapi.json");

async fn openapi() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn nothing() -> Refused {
    Refused::not_found("the API has no such address; GET /api/v1/openapi.json lists what it has")
}

async fn wrong_method() -> Refused {
    Refused::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address does not take that method; GET /api/v1/openapi.json says which it takes",
    )
}

/// The addresses of the API.
pub(crate) fn routes() -> Router<App> {
    let files = Router::new()
        .route("/levels/read", post(read))
        .route("/levels/write", thought(lurd_service::write))
        .layer(DefaultBodyLimit::max(Limits::FILE));
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/about", get(about))
        .route("/levels", get(offered))
        .route("/levels/check", at_once(lurd_service::check))
        .route("/look", thought(lurd_service::look))
        .route("/lost", thought(lurd_service::lost))
        .route("/hint", at_once(lurd_service::hint))
        .route("/lessons", get(lessons))
        .route("/lessons/{name}", get(lesson))
        .route("/lessons/check", thought(lurd_service::check_lesson))
        .route("/lessons/picture", thought(lurd_service::lesson_picture))
        .route("/plan", at_once(lurd_service::plan))
        .route("/inspect", thought(lurd_service::inspect))
        .route("/admissibility", thought(lurd_service::admissibility))
        .route("/solutions/check", thought(lurd_service::judge))
        .route("/jobs", get(job_routes::list).post(job_routes::start))
        .route("/jobs/{id}", get(job_routes::state).delete(job_routes::cancel))
        .route("/jobs/{id}/events", get(job_routes::events))
        .route("/tiles/shuffle", at_once(lurd_service::shuffle))
        .route("/tiles/check", at_once(lurd_service::check_tiles))
        .route("/tiles/inspect", thought(lurd_service::inspect_tiles))
        .route("/cse/position", thought(lurd_service::position))
        .layer(DefaultBodyLimit::max(Limits::BODY))
        .merge(files)
        .merge(library::routes())
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
}
