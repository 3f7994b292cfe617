//! `/api/v1`: what the page and scripts ask, over HTTP. The routes of `lurd-service`, those of jobs and of the library are
//! tables; the router and the description of the API are made from them.

use crate::error::Refused;
use crate::job_routes;
use crate::jobs::Jobs;
use crate::library::{self, LibraryAccess, Runs};
use crate::limits::Limits;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::routing::{MethodRouter, delete, get, post};
use axum::{Json, Router};
use lurd::formats::Collection;
use lurd_service::{
    Address, Body, Effort, Method, Question, ROUTES, Reply, Route, Site, Starting, Summary, View, addresses, asked,
    told, told_list,
};
use std::sync::Arc;
use tokio::sync::Semaphore;
use utoipa::openapi::{ObjectBuilder, OpenApi, RefOr};

/// What every handler shares.
#[derive(Clone)]
pub(crate) struct App {
    site: Arc<Site>,
    pub(crate) limits: Limits,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) library: Option<LibraryAccess>,
    pub(crate) runs: Arc<Runs>,
    questions: Arc<Semaphore>,
}

impl App {
    pub(crate) fn new(levels: Collection, limits: Limits, library: Option<LibraryAccess>) -> Self {
        let no_library = library.is_none().then_some(library::NONE);
        let site = Site { allowance: limits.allowance(), levels: Arc::new(levels), no_library };
        let recorder = library.as_ref().map(|library| library.recorder.clone());
        Self {
            site: Arc::new(site),
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

/// An address of the server alone, and how it is served.
pub(crate) type Own = (Address, fn() -> MethodRouter<App>);

/// Jobs, which need threads, and the description of all.
static OWN: &[Own] = &[
    (Address::get("/openapi.json", "This description", Reply::Json(|_| RefOr::T(ObjectBuilder::new().into()))), || {
        get(openapi)
    }),
    (Address::get("/jobs", "All jobs that are remembered", Reply::Json(told_list::<Summary>)), || {
        get(job_routes::list)
    }),
    (
        Address::post(
            "/jobs",
            "Start a search, a rating, or the making of a level",
            Body::Json(asked::<Starting>),
            Reply::Created(told::<View>),
        ),
        || post(job_routes::start),
    ),
    (Address::get("/jobs/{id}", "A job's state; asking keeps it alive", Reply::Json(told::<View>)), || {
        get(job_routes::state)
    }),
    (
        Address::delete(
            "/jobs/{id}",
            "End a search at once; what it knows stays to be asked",
            Reply::Json(told::<View>),
        ),
        || delete(job_routes::cancel),
    ),
    (
        Address::get(
            "/jobs/{id}/events",
            "Follow a job: at most ten events a second, the first with the history",
            Reply::Events,
        ),
        || get(job_routes::events),
    ),
];

/// The description of the API: the addresses of the service, then the server's own.
pub(crate) fn description() -> OpenApi {
    let own = OWN.iter().chain(library::ROUTES).map(|(address, _)| *address);
    lurd_service::description(addresses().into_iter().chain(own))
}

/// `GET /openapi.json`
async fn openapi() -> Json<OpenApi> {
    Json(description())
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// JSON as it is sent.
type Sent = ([(HeaderName, &'static str); 1], String);

/// Serves a route of the service.
fn served(route: &'static Route) -> MethodRouter<App> {
    let handler = async move |State(app): State<App>,
                              uri: Uri,
                              headers: HeaderMap,
                              body: Result<Bytes, BytesRejection>|
                -> Result<Sent, Refused> {
        let body = body?;
        if route.takes_json && !is_json(&headers) {
            let sentence = "send JSON, with the header `Content-Type: application/json`";
            return Err(Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
        }
        let site = app.site.clone();
        let think = move || {
            let (path, query) = (uri.path(), uri.query().unwrap_or_default());
            route.ask(&site, &Question { method: route.method.name(), path, query, body: &body })
        };
        let answer = if route.effort == Effort::Soon { think()? } else { app.think(think).await? };
        Ok(([(header::CONTENT_TYPE, "application/json")], answer))
    };
    let most = if route.effort == Effort::File { Limits::FILE } else { Limits::BODY };
    let served = match route.method {
        Method::Get => get(handler),
        Method::Post => post(handler),
        Method::Delete => delete(handler),
    };
    served.layer(DefaultBodyLimit::max(most))
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

/// Serves the addresses of the API.
pub(crate) fn routes() -> Router<App> {
    let router = ROUTES.iter().fold(Router::new(), |router, route| router.route(route.path, served(route)));
    let own = OWN.iter().chain(library::ROUTES);
    own.fold(router, |router, (address, serve)| {
        let most = if matches!(address.body, Body::File) { Limits::FILE } else { Limits::BODY };
        router.route(address.path, serve().layer(DefaultBodyLimit::max(most)))
    })
    .fallback(nothing)
    .method_not_allowed_fallback(wrong_method)
}
