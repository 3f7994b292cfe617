//! Batch runs over HTTP: list, start, watch, stop, resume.

use super::runs::{RunView, RunWatching};
use super::start::{Resuming, Starting};
use super::{LibraryAccess, conflict};
use crate::api::App;
use crate::error::{Answer, Asked, Path, Refused};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream;
use lurd_library::{Library, RunRow};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Updates of a stream come at most this often.
const PACE: Duration = Duration::from_millis(200);

/// How long a run may take to stop before its state is told as it is.
const STOPPING: Duration = Duration::from_secs(3);

/// The run of a name in addresses.
pub(super) fn found(library: &Library, id: &str) -> Result<RunRow, Refused> {
    library.run_of_token(id)?.ok_or_else(|| Refused::not_found("there is no such run in the library"))
}

/// `GET /library/runs`: all of them, the newest first.
pub(super) async fn list(State(app): State<App>) -> Answer<Vec<RunView>> {
    let (access, runs) = (app.library()?, app.runs.clone());
    let all = move |library: &Library| {
        let rows = library.runs()?;
        rows.into_iter().rev().map(|row| runs.stored(&access, library, row)).collect()
    };
    app.ask_library(all).await.map(Json)
}

/// `GET /library/runs/{id}`
pub(super) async fn state(State(app): State<App>, Path(id): Path<String>) -> Answer<RunView> {
    run(&app, id).await.map(Json)
}

async fn run(app: &App, id: String) -> Result<RunView, Refused> {
    let (access, runs) = (app.library()?, app.runs.clone());
    app.ask_library(move |library| runs.stored(&access, library, found(library, &id)?)).await
}

/// `POST /library/runs`
pub(super) async fn start(
    State(app): State<App>,
    Asked(starting): Asked<Starting>,
) -> Result<(StatusCode, Json<RunView>), Refused> {
    let (access, limits, runs) = (app.library()?, app.limits, app.runs.clone());
    let led = app.think(move || starting.start(&access, &limits, &runs)).await?;
    Ok((StatusCode::CREATED, Json(led.view())))
}

/// `POST /library/runs/{id}/resume`
pub(super) async fn resume(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(resuming): Asked<Resuming>,
) -> Answer<RunView> {
    let (access, limits, runs) = (app.library()?, app.limits, app.runs.clone());
    let led = app.think(move || {
        let row = access.read(|library| found(library, &id))?;
        if row.ended.is_some() {
            return Err(conflict(format!("the run `{}` has ended: there is nothing left to do", row.run.name)));
        }
        resuming.resume(&access, &limits, &runs, row)
    });
    Ok(Json(led.await?.view()))
}

/// `POST /library/runs/{id}/stop`
pub(super) async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer<RunView> {
    let Some(led) = app.runs.stop(&id) else {
        let view = run(&app, id).await?;
        return Err(conflict(format!("this server does not lead the run `{}` now", view.name())));
    };
    let mut changes = led.changes();
    let until = Instant::now() + STOPPING;
    loop {
        let view = led.view();
        if view.is_final() || tokio::time::timeout_at(until, changes.changed()).await.is_err() {
            return Ok(Json(view));
        }
    }
}

/// `GET /library/runs/{id}/events`: the state now, then every change until the run ends or stops.
pub(super) async fn events(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refused> {
    let access: LibraryAccess = app.library()?;
    let first = match app.runs.led(&id) {
        Some(led) => {
            let changes = led.changes();
            Next::Follow(Following { watching: app.runs.watch(led)?, changes, told: None })
        }
        None => {
            let runs = app.runs.clone();
            let view = app.ask_library(move |library| runs.stored(&access, library, found(library, &id)?)).await?;
            Next::Tell(Box::new(view))
        }
    };
    let stream = stream::unfold(first, follow);
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response())
}

/// A stream under way.
struct Following {
    watching: RunWatching,
    changes: watch::Receiver<u64>,
    /// When something was last sent.
    told: Option<Instant>,
}

/// What a stream does next.
enum Next {
    Follow(Following),
    Tell(Box<RunView>),
    End,
}

/// The next event of a stream; `None` after the last.
async fn follow(next: Next) -> Option<(Result<Event, Infallible>, Next)> {
    let (view, next) = match next {
        Next::End => return None,
        Next::Tell(view) => (*view, Next::End),
        Next::Follow(mut following) => {
            if let Some(told) = following.told {
                following.changes.changed().await.ok()?;
                tokio::time::sleep_until(told + PACE).await;
            }
            following.changes.mark_unchanged();
            let view = following.watching.led.view();
            following.told = Some(Instant::now());
            let last = view.is_final();
            (view, if last { Next::End } else { Next::Follow(following) })
        }
    };
    let event = Event::default().event(if matches!(next, Next::End) { "done" } else { "state" });
    // A view is made of numbers and text alone: writing it as JSON cannot fail.
    Some((Ok(event.json_data(view).unwrap_or_default()), next))
}
