//! Questions and answers in the form of HTTP, without a server: the same addresses, statuses and JSON.

use crate::host::Host;
use crate::{Job, JobHost, Reading, Refusal, RefusalKind, Starting};
use lurd::Share;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The levels of the page: those inside the program.
const LEVELS: &str = include_str!("../../../levels/lurd.xsb");

/// Why the page alone has no library.
const NO_LIBRARY: &str = "The library and batch runs need the program on your own machine: a page alone has no room for thousands \
     of levels and cannot go on searching when it is closed. Install lurd and start `lurd serve`: this page opens with its \
     library.";

/// What would be a request.
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

/// What would be its answer.
pub struct Answer {
    status: u16,
    body: Value,
}

impl Answer {
    /// The answer to a question that could be answered.
    pub fn ok(body: &impl Serialize) -> Self {
        Self::new(200, body)
    }

    fn new(status: u16, body: &impl Serialize) -> Self {
        match serde_json::to_value(body) {
            Ok(body) => Self { status, body },
            Err(error) => Self::refused(500, &format!("the answer cannot be written: {error}; please report it")),
        }
    }

    fn refused(status: u16, sentence: &str) -> Self {
        Self { status, body: json!({ "error": sentence }) }
    }

    /// `{"status": 200, "body": …}`.
    pub fn json(&self) -> String {
        json!({ "status": self.status, "body": self.body }).to_string()
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.kind() {
            RefusalKind::Unprocessable => 422,
            RefusalKind::TooLarge => 413,
            RefusalKind::NotFound => 404,
        };
        Self::refused(status, &refusal.to_string())
    }
}

/// A body of JSON.
pub fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Answer> {
    serde_json::from_slice(body).map_err(|error| {
        let status = if error.is_data() { 422 } else { 400 };
        Answer::refused(status, &crate::misfit(&error.to_string()))
    })
}

/// Asks a function of the service.
fn ask<Q: DeserializeOwned, A: Serialize>(
    function: fn(Q) -> Result<A, Refusal>,
    question: &Question<'_>,
) -> Result<Answer, Answer> {
    Ok(Answer::ok(&function(parsed(question.body)?)?))
}

/// Answers a question, or refuses it with a sentence.
pub fn answer(host: &Host, question: &Question<'_>) -> Answer {
    let answered = match (question.method, question.path) {
        ("GET", "/about") => Ok(Answer::ok(&crate::about(&host.allowance(), Some(NO_LIBRARY)))),
        ("GET", "/levels") => offered(),
        ("POST", "/levels/check") => ask(crate::check, question),
        ("POST", "/levels/read") => read(question),
        ("POST", "/levels/write") => ask(crate::write, question),
        ("POST", "/look") => ask(crate::look, question),
        ("POST", "/lost") => ask(crate::lost, question),
        ("POST", "/hint") => ask(crate::hint, question),
        ("GET", "/lessons") => Ok(Answer::ok(&crate::tour())),
        ("POST", "/lessons/check") => ask(crate::check_lesson, question),
        ("POST", "/lessons/picture") => ask(crate::lesson_picture, question),
        ("POST", "/plan") => ask(crate::plan, question),
        ("POST", "/inspect") => ask(crate::inspect, question),
        ("POST", "/admissibility") => ask(crate::admissibility, question),
        ("POST", "/solutions/check") => ask(crate::judge, question),
        ("POST", "/jobs") => waiting(host, question),
        ("POST", "/tiles/shuffle") => ask(crate::shuffle, question),
        ("POST", "/tiles/check") => ask(crate::check_tiles, question),
        ("POST", "/tiles/inspect") => ask(crate::inspect_tiles, question),
        ("POST", "/cse/position") => ask(crate::position, question),
        ("GET", path) => one_of_many(path),
        _ => Err(no_such_address()),
    };
    answered.unwrap_or_else(|refused| refused)
}

fn no_such_address() -> Answer {
    Answer::refused(404, "the API has no such address")
}

/// What is named by the last part of its address.
fn one_of_many(path: &str) -> Result<Answer, Answer> {
    let name = path.strip_prefix("/lessons/").ok_or_else(no_such_address)?;
    Ok(Answer::ok(&crate::lesson(name)?))
}

fn offered() -> Result<Answer, Answer> {
    let levels = lurd::formats::read(LEVELS.as_bytes(), None)
        .map_err(|error| Answer::refused(500, &format!("the levels inside the page cannot be read: {error}")))?;
    Ok(Answer::ok(&crate::offered(&levels)))
}

/// The query of a file: `format=…&wall_in=true`.
fn read(question: &Question<'_>) -> Result<Answer, Answer> {
    let mut reading = Reading::default();
    for (name, value) in question.query.split('&').filter_map(|pair| pair.split_once('=')) {
        match (name, value) {
            ("format", name) => reading.format = Some(name.to_owned()),
            ("wall_in", "true" | "false") => reading.wall_in = value == "true",
            _ => return Err(Answer::refused(400, &format!("a file is not read with {name}={value}"))),
        }
    }
    Ok(Answer::ok(&crate::read(&reading, question.body)?))
}

/// Nobody is told of a job that only waits.
struct Nobody;

impl JobHost for Nobody {
    fn changed(&self, _: &Job) {}
}

/// A job as it is before a worker runs it, and how many workers can divide it.
fn waiting(host: &Host, question: &Question<'_>) -> Result<Answer, Answer> {
    let work = parsed::<Starting>(question.body)?.work(&host.allowance(), Share::default())?;
    let job = Job::new(String::new(), work.kind(), Nobody);
    Ok(Answer::new(201, &json!({ "job": job.view(true), "most_shares": work.most_shares() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Host {
        Host::parse(r#"{"running":2,"waiting":8,"seconds":60,"mebibytes":256,"grace_seconds":30}"#)
            .unwrap_or_else(|answer| panic!("{}", answer.json()))
    }

    fn asked(method: &str, path: &str, body: &str) -> (u16, Value) {
        let answer = answer(&host(), &Question { method, path, query: "", body: body.as_bytes() });
        (answer.status, answer.body)
    }

    #[test]
    fn the_pages_first_questions_are_answered() {
        let (status, about) = asked("GET", "/about", "");
        assert_eq!((status, about["limits"]["mebibytes"].as_u64()), (200, Some(256)));
        assert_eq!(about["library"]["open"], false);
        assert!(about["library"]["why_not"].as_str().unwrap().contains("lurd serve"));
        let (status, levels) = asked("GET", "/levels", "");
        assert_eq!((status, levels["levels"].as_array().map(Vec::len)), (200, Some(53)));
    }

    #[test]
    fn lessons_are_told_all_together_and_by_name() {
        let (status, tour) = asked("GET", "/lessons", "");
        assert_eq!((status, tour["lessons"].as_array().map(Vec::len)), (200, Some(12)));
        assert_eq!(asked("GET", "/lessons/corner", "").1, tour["lessons"][3]);
        assert_eq!((asked("GET", "/lessons/nothing", "").0, asked("GET", "/nowhere", "").0), (404, 404));
    }

    #[test]
    fn what_is_wrong_is_refused_with_a_sentence() {
        for (path, body, status) in [
            ("/plan", "{", 400),
            ("/plan", r#"{"goal":"none"}"#, 422),
            ("/plan", r#"{"gaol":"any"}"#, 422),
            ("/look", r##"{"board":"#"}"##, 422),
            ("/nowhere", "{}", 404),
            ("/lessons/check", r#"{"lesson":"nothing","option":1}"#, 404),
            ("/jobs", r#"{"kind":"sokoban","board":"","request":{"time_limit":61}}"#, 422),
        ] {
            let (told, answer) = asked("POST", path, body);
            assert_eq!(told, status, "{path} {body}: {answer}");
            assert!(answer["error"].as_str().is_some_and(|sentence| sentence.len() > 10), "{answer}");
        }
    }

    #[test]
    fn races_and_proofs_are_divided_and_other_searches_are_not() {
        let board = r"#######\n#@ $ .#\n#######";
        for (request, most) in [("{}", 16), (r#"{"goal":"pushes"}"#, 2), (r#"{"algorithm":"a-star"}"#, 1)] {
            let (status, answer) =
                asked("POST", "/jobs", &format!(r#"{{"kind":"sokoban","board":"{board}","request":{request}}}"#));
            assert_eq!((status, answer["most_shares"].as_u64()), (201, Some(most)), "{request}: {answer}");
            assert_eq!(answer["job"]["status"], "waiting");
        }
    }

    #[test]
    fn a_file_is_read_as_its_query_says() {
        let file = b"#####\n#@$.#\n#####\n";
        let ask = |query| answer(&host(), &Question { method: "POST", path: "/levels/read", query, body: file }).status;
        assert_eq!(
            (ask(""), ask("format=xsb&wall_in=true"), ask("format=none"), ask("colour=red")),
            (200, 200, 422, 400)
        );
    }
}
