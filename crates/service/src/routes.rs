//! The table of routes: every question that needs no job and no library, once. A server makes its routes from it, a page
//! without a server answers by it, and the description of the API is made from it.

use crate::description::{Address, Body, Method, Reply, Shapes, asked, told};
use crate::{Allowance, Reading, Refusal, RefusalKind};
use lurd::formats::Collection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};

/// What a host offers and is willing to do.
#[derive(Clone, Debug)]
pub struct Site {
    /// How much it does for searches.
    pub allowance: Allowance,
    /// The levels on offer.
    pub levels: Arc<Collection>,
    /// Why it has no library, if it has none.
    pub no_library: Option<&'static str>,
}

/// What would be a request.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// `GET`, `POST`.
    pub method: &'a str,
    /// Without the `/api/v1` before it.
    pub path: &'a str,
    /// Without its question mark.
    pub query: &'a str,
    /// JSON, or a file of levels.
    pub body: &'a [u8],
}

impl Question<'_> {
    /// What the last part of the path names.
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// How a file is to be read.
    fn reading(&self) -> Result<Reading, Refusal> {
        serde_urlencoded::from_str(self.query)
            .map_err(|error| Refusal::new(RefusalKind::Malformed, crate::misfit(&error.to_string())))
    }
}

/// An address and how it is answered.
pub struct Route {
    /// How it is asked.
    pub method: Method,
    /// Behind `/api/v1`, parts that vary in braces.
    pub path: &'static str,
    /// How much there is to do for it.
    pub effort: Effort,
    /// Whether it takes JSON.
    pub takes_json: bool,
    ask: fn(&Site, &Question<'_>) -> Result<String, Refusal>,
}

/// How much there is to do for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Next to nothing.
    Soon,
    /// Some thought: a search within narrow limits.
    Thought,
    /// The same, about a file.
    File,
}

impl Route {
    /// The JSON of its answer.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn ask(&self, site: &Site, question: &Question<'_>) -> Result<String, Refusal> {
        (self.ask)(site, question)
    }
}

/// JSON that was sent.
///
/// # Errors
/// When it is no JSON, or not what is asked for.
pub fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        let kind = if error.is_data() { RefusalKind::Unprocessable } else { RefusalKind::Malformed };
        Refusal::new(kind, crate::misfit(&error.to_string()))
    })
}

/// JSON to be told.
///
/// # Errors
/// When something in it cannot be written.
pub fn written(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(|error| {
        Refusal::new(RefusalKind::Fault, format!("the answer cannot be written: {error}; please report it"))
    })
}

/// A function that answers, as its kind of route calls it. The schemas of a route are those of its function's types.
trait Answers<Marker> {
    fn asked(&self, shapes: &mut Shapes) -> RefOr<Schema>;
    fn told(&self, shapes: &mut Shapes) -> RefOr<Schema>;
    fn ask(&self, question: &Question<'_>) -> Result<String, Refusal>;
}

impl<Q: DeserializeOwned + ToSchema, A: Serialize + ToSchema, F: Fn(Q) -> Result<A, Refusal>> Answers<(Q, A)> for F {
    fn asked(&self, shapes: &mut Shapes) -> RefOr<Schema> {
        asked::<Q>(shapes)
    }

    fn told(&self, shapes: &mut Shapes) -> RefOr<Schema> {
        told::<A>(shapes)
    }

    fn ask(&self, question: &Question<'_>) -> Result<String, Refusal> {
        written(&self(parsed(question.body)?)?)
    }
}

/// The table: `json` for a function that takes JSON, `get` for what takes nothing, `file` for what takes a file. The page without
/// a server has the routes alone: the schemas of a description would make its download larger.
macro_rules! routes {
    ($($kind:ident $effort:ident $path:literal ($($answer:tt)*) $about:literal;)*) => {
        /// Every question that needs no job and no library.
        pub static ROUTES: &[Route] = &[$(Route {
            method: if_json!($kind Method::Post, Method::Post, Method::Get),
            path: $path,
            effort: Effort::$effort,
            takes_json: if_json!($kind true, false, false),
            ask: ask!($kind $($answer)*),
        }),*];

        /// The same for a description.
        pub fn addresses() -> Vec<Address> {
            vec![$(address!($kind $path, $about, $($answer)*)),*]
        }
    };
}

macro_rules! if_json {
    (json $json:expr, $file:expr, $get:expr) => {
        $json
    };
    (file $json:expr, $file:expr, $get:expr) => {
        $file
    };
    (get $json:expr, $file:expr, $get:expr) => {
        $get
    };
}

macro_rules! ask {
    (json $function:path) => {
        |_, question| Answers::ask(&$function, question)
    };
    ($kind:ident $told:ty, $ask:expr) => {
        $ask
    };
}

macro_rules! address {
    (json $path:literal, $about:literal, $function:path) => {{
        let body = Body::Json(|shapes| Answers::asked(&$function, shapes));
        Address::post($path, $about, body, Reply::Json(|shapes| Answers::told(&$function, shapes)))
    }};
    (get $path:literal, $about:literal, $told:ty, $ask:expr) => {
        Address::get($path, $about, Reply::Json(told::<$told>))
    };
    (file $path:literal, $about:literal, $told:ty, $ask:expr) => {
        Address::post($path, $about, Body::File, Reply::Json(told::<$told>))
            .with_query(|| Reading::into_params(|| None))
    };
}

routes! {
    get Soon "/about" (crate::About, |site, _| written(&crate::about(&site.allowance, site.no_library)))
        "What the host is, what may be asked of a search, and what each choice promises";
    get Soon "/levels" (crate::CollectionView, |site, _| written(&crate::offered(&site.levels)))
        "The levels on offer";
    file File "/levels/read" (crate::CollectionView, |_, question| written(&crate::read(&question.reading()?, question.body)?))
        "Read a file of levels in any format";
    json File "/levels/write" (crate::write) "Write levels in a format";
    json Soon "/levels/check" (crate::check) "Whether a drawing is a level";
    json Thought "/look" (crate::look)
        "What can be seen in a position: dead squares, tunnels, rooms, zone, corrals, frozen boxes, distances, deadlock";
    json Thought "/lost" (crate::lost) "Why a position is lost: a smallest set of boxes that can never all get home";
    json Soon "/hint" (crate::hint)
        "The next push of a solution, by degrees: where to look, which box, which push, the whole way";
    get Soon "/lessons" (crate::Tour, |_, _| written(&crate::tour())) "The lessons in their order";
    get Soon "/lessons/{name}" (crate::LessonView, |_, question| written(&crate::lesson(question.name())?))
        "One lesson by its name";
    json Thought "/lessons/check" (crate::check_lesson)
        "Check what a student did; what is claimed about searches is measured";
    json Thought "/lessons/picture" (crate::lesson_picture) "What the searches of a lesson expanded";
    json Soon "/plan" (crate::plan) "What a request comes to and promises, before anything runs";
    json Thought "/inspect" (crate::inspect) "A small search node by node";
    json Thought "/admissibility" (crate::admissibility)
        "Every estimate against the true distance, over all states of a small level";
    json Thought "/solutions/check" (crate::judge) "Moves replayed by the referee";
    json Soon "/tiles/shuffle" (crate::shuffle) "A random board that can be solved";
    json Soon "/tiles/check" (crate::check_tiles) "Whether a board of tiles can reach a goal";
    json Thought "/tiles/inspect" (crate::inspect_tiles) "A small search on tiles node by node";
    json Thought "/cse/position" (crate::position)
        "A position of the letter game: values of all moves, the search tree, what each method costs";
}

/// Whether a path is one of an address.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || (wanted.starts_with('{') && !given.is_empty()) => {}
            _ => return false,
        }
    }
}

/// The route of a question, if it has one.
pub fn route(question: &Question<'_>) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.method.name() == question.method && fits(route.path, question.path))
}
