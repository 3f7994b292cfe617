//! Jobs over HTTP: start, ask, watch, cancel.

use crate::api::App;
use crate::error::{Answer, Asked, Path, Refused};
use crate::jobs::Watching;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{self, Stream};
use lurd::Share;
use lurd_service::{Starting, Summary, View};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Updates of a stream come at most this often.
const PACE: Duration = Duration::from_millis(100);

/// `POST /jobs`
pub(crate) async fn start(
    State(app): State<App>,
    Asked(starting): Asked<Starting>,
) -> Result<(StatusCode, Json<View>), Refused> {
    let jobs = app.jobs.clone();
    let most = app.limits.allowance();
    let job = app.think(move || jobs.submit(starting.work(&most, Share::default())?)).await?;
    Ok((StatusCode::CREATED, Json(job.view(true))))
}

/// `GET /jobs`
pub(crate) async fn list(State(app): State<App>) -> Json<Vec<Summary>> {
    Json(app.jobs.all().iter().map(|job| job.summary()).collect())
}

/// `GET /jobs/{id}`
pub(crate) async fn state(State(app): State<App>, Path(id): Path<String>) -> Answer<View> {
    Ok(Json(app.jobs.find(&id)?.view(true)))
}

/// `DELETE /jobs/{id}`: ends the search at once; what it knows stays to be asked.
pub(crate) async fn cancel(State(app): State<App>, Path(id): Path<String>) -> Answer<View> {
    let job = app.jobs.find(&id)?;
    job.cancel("you cancelled it");
    // Most searches notice within a millisecond or two; wait for the true last state a little.
    let mut changes = job.changes();
    let until = Instant::now() + Duration::from_millis(500);
    loop {
        let view = job.view(true);
        if view.is_final() || tokio::time::timeout_at(until, changes.changed()).await.is_err() {
            return Ok(Json(view));
        }
    }
}

/// `GET /jobs/{id}/events`: the state now, with its history, then every change until the end.
pub(crate) async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let job = app.jobs.find(&id)?;
    let changes = job.changes();
    let watching = app.jobs.watch(&job)?;
    let stream = stream::unfold(Some(Following { watching, changes, told: None }), follow);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// A stream under way.
struct Following {
    watching: Watching,
    changes: watch::Receiver<u64>,
    /// When something was last sent.
    told: Option<Instant>,
}

/// The next event of a stream; `None` after the last.
async fn follow(following: Option<Following>) -> Option<(Result<Event, Infallible>, Option<Following>)> {
    let mut following = following?;
    if let Some(told) = following.told {
        following.changes.changed().await.ok()?;
        tokio::time::sleep_until(told + PACE).await;
    }
    following.changes.mark_unchanged();
    let view = following.watching.job.view(following.told.is_none());
    following.told = Some(Instant::now());
    let last = view.is_final();
    let event = Event::default().event(if last { "done" } else { "state" });
    // A view is made of numbers and text alone: writing it as JSON cannot fail.
    let event = event.json_data(view).unwrap_or_default();
    Some((Ok(event), (!last).then_some(following)))
}
