//! Taking connections: so many at once, and none that trickles.
//!
//! A connection that is one too many is told so, politely, at the door; when the door too is crowded it is closed.
//! Whoever does not send the head of a request in time is closed, so that silent connections cannot fill the server up.
//! Bodies are timed where they are read.

use crate::error::Refused;
use crate::limits::Limits;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

/// How many that are one too many are answered at the same time.
const TURNED_AWAY: usize = 32;
/// How long one that is turned away may take to say what it wants.
const TURNED_AWAY_TIME: Duration = Duration::from_secs(2);
/// How long to wait when the system has no connection to give, as when files run out.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until `ending` says so, and then until the last answer is given. `full` answers those who come when
/// all places are taken.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    full: Router,
    limits: Limits,
    mut ending: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let door = Arc::new(Semaphore::new(TURNED_AWAY));
    let mut open = JoinSet::new();
    loop {
        // Those who have gone are forgotten as we go.
        while open.try_join_next().is_some() {}
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = until(&mut ending) => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        if let Ok(place) = places.clone().try_acquire_owned() {
            let patience = Patience { head: limits.request, again: true };
            open.spawn(talk(stream, router.clone(), patience, place, ending.clone()));
        } else if let Ok(place) = door.clone().try_acquire_owned() {
            let patience = Patience { head: TURNED_AWAY_TIME.min(limits.request), again: false };
            open.spawn(talk(stream, full.clone(), patience, place, ending.clone()));
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// What those hear who come when all places are taken.
pub(crate) async fn full() -> Refused {
    Refused::too_many("too many connections are open; close other pages of this server, or try again in a moment")
}

/// How long a connection may take, and whether it may ask again.
struct Patience {
    /// For the head of each request.
    head: Duration,
    again: bool,
}

/// One connection. Its place is free again when it ends.
async fn talk(
    stream: TcpStream,
    router: Router,
    patience: Patience,
    place: OwnedSemaphorePermit,
    mut ending: watch::Receiver<bool>,
) {
    // Events are small and should not wait for company.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head).keep_alive(patience.again);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    // How a connection breaks off is no news to anybody.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = until(&mut ending) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    drop(place);
}

/// Ready when the server is to end.
async fn until(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await;
}
