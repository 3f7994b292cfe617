//! Taking a port, answering, and ending.

use crate::api::{self, App};
use crate::error::Refused;
use crate::guard::{self, Guard};
use crate::library::LibraryAccess;
use crate::limits::Limits;
use crate::{connections, page};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use lurd::formats::Collection;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

/// How many ports after the wished one are tried before any free one is taken.
const NEARBY: u16 = 16;
/// How long open connections may take to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// What to serve and to whom.
#[derive(Debug)]
pub struct Options {
    /// Where to listen; loopback unless somebody knows what they do.
    pub address: IpAddr,
    /// The port to try first; 0 for any.
    pub port: u16,
    /// Host names the server may be called by besides `localhost` and its address.
    pub names: Vec<String>,
    /// The levels offered on the page.
    pub levels: Collection,
    /// How much to do.
    pub limits: Limits,
    /// The library of levels and batch runs, if there is one; what is found goes there.
    pub library: Option<LibraryAccess>,
}

impl Options {
    /// Loopback, the usual port and limits.
    pub fn new(levels: Collection) -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 7373,
            names: Vec::new(),
            levels,
            limits: Limits::default(),
            library: None,
        }
    }
}

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
}

impl Server {
    /// Takes the port, or another one if it is taken.
    ///
    /// # Errors
    /// When the address is not one of this machine's.
    pub fn bind(options: Options) -> io::Result<Self> {
        let wished = options.port;
        let nearby = (0..NEARBY).filter_map(|more| wished.checked_add(more)).chain([0]);
        let mut last = None;
        for port in nearby {
            match TcpListener::bind((options.address, port)) {
                Ok(listener) => {
                    let address = listener.local_addr()?;
                    return Ok(Self { listener, address, options });
                }
                Err(error) if matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied) => {
                    last = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        let mut shown = self.address;
        if shown.ip().is_unspecified() {
            shown.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        format!("http://{shown}/")
    }

    /// Serves until Ctrl-C or the system's request to end; running jobs are cancelled.
    ///
    /// # Errors
    /// When the runtime or the socket fails.
    pub fn run(self) -> io::Result<()> {
        self.run_until(asked_to_end())
    }

    /// Serves until `stop` is ready.
    ///
    /// # Errors
    /// When the runtime or the socket fails.
    pub fn run_until(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let served = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(FAREWELL);
        served
    }

    async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let app = App::new(self.options.levels, self.options.limits, self.options.library);
        let guard = Guard::new(self.address, self.options.names);
        let full = full_house(guard.clone());
        let router = router(app.clone(), guard);
        let (told, ending) = tokio::sync::watch::channel(false);
        let janitor = tokio::spawn(app.jobs.clone().keep_house());
        let (ended, runs) = (app.jobs.clone(), app.runs.clone());
        let stopping = async move {
            stop.await;
            // Streams end with their jobs, so that no connection holds the server open.
            ended.close();
            runs.close();
            told.send_replace(true);
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            () = connections::serve(listener, router, full, self.options.limits, ending) => {}
            () = stopping => {}
        }
        janitor.abort();
        // A batch run stores what it has and ends its searches before the process does.
        let runs = app.runs.clone();
        let _ = tokio::task::spawn_blocking(move || runs.join()).await;
        Ok(())
    }
}

/// Everything the server answers.
fn router(app: App, guard: Guard) -> Router {
    Router::new()
        .nest("/api/v1", api::routes())
        .fallback(page::file)
        .layer(middleware::from_fn_with_state(app.limits.request, in_time))
        .layer(middleware::from_fn_with_state(guard, guard::stand))
        .with_state(app)
}

/// What is answered to everything when all places are taken.
fn full_house(guard: Guard) -> Router {
    Router::new().fallback(connections::full).layer(middleware::from_fn_with_state(guard, guard::stand))
}

/// A request that trickles in, or an answer that takes too long, is given up. A stream's answer
/// is its headers: it lasts as long as it likes.
async fn in_time(State(most): State<Duration>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(most, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refused::new(StatusCode::REQUEST_TIMEOUT, "the request took too long; send it again").into_response(),
    }
}

/// Ready when the process is asked to end.
async fn asked_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
