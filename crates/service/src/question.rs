//! Questions and answers in the form of HTTP, without a server: the same addresses, statuses and JSON.

use crate::description::Refused;
use crate::host::Host;
use crate::routes::{Question, Site, parsed, route, written};
use crate::{Job, JobHost, Refusal, RefusalKind, Starting};
use lurd::Share;
use lurd::formats::Collection;
use serde::Serialize;
use serde_json::json;
use std::sync::{Arc, OnceLock};

/// The levels of the page: those inside the program.
const LEVELS: &str = include_str!("../../../levels/lurd.xsb");

/// Why the page alone has no library.
const NO_LIBRARY: &str = "The library and batch runs need the program on your own machine: a page alone has no room for thousands \
     of levels and cannot go on searching when it is closed. Install lurd and start `lurd serve`: this page opens with its \
     library.";

/// What would be the answer to a question.
pub struct Answer {
    status: u16,
    body: String,
}

impl Answer {
    /// The answer to a question that could be answered.
    pub fn ok(body: &impl Serialize) -> Self {
        written(body).map_or_else(Self::from, |body| Self { status: 200, body })
    }

    /// `{"status": 200, "body": …}`.
    pub fn json(&self) -> String {
        format!(r#"{{"status":{},"body":{}}}"#, self.status, self.body)
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        let body = json!(Refused { error: refusal.to_string() }).to_string();
        Self { status: refusal.kind().status(), body }
    }
}

/// Answers a question, or refuses it with a sentence.
pub fn answer(host: &Host, question: &Question<'_>) -> Answer {
    let answered = match route(question) {
        Some(route) => site(host).and_then(|site| route.ask(&site, question)).map(|body| Answer { status: 200, body }),
        None if (question.method, question.path) == ("POST", "/jobs") => waiting(host, question),
        None => Err(Refusal::new(RefusalKind::NotFound, "the API has no such address")),
    };
    answered.unwrap_or_else(Answer::from)
}

/// The page as a host.
fn site(host: &Host) -> Result<Site, Refusal> {
    static OFFERED: OnceLock<Result<Arc<Collection>, String>> = OnceLock::new();
    let read = || lurd::formats::read(LEVELS.as_bytes(), None).map(Arc::new).map_err(|error| error.to_string());
    let levels = OFFERED.get_or_init(read).clone().map_err(|error| {
        Refusal::new(RefusalKind::Fault, format!("the levels inside the page cannot be read: {error}"))
    })?;
    Ok(Site { allowance: host.allowance(), levels, no_library: Some(NO_LIBRARY) })
}

/// Nobody is told of a job that only waits.
struct Nobody;

impl JobHost for Nobody {
    fn changed(&self, _: &Job) {}
}

/// A job as it is before a worker runs it, and how many workers can divide it.
fn waiting(host: &Host, question: &Question<'_>) -> Result<Answer, Refusal> {
    let work = parsed::<Starting>(question.body)?.work(&host.allowance(), Share::default())?;
    let job = Job::new(String::new(), work.kind(), Nobody);
    let body = written(&json!({ "job": job.view(true), "most_shares": work.most_shares() }))?;
    Ok(Answer { status: 201, body })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn host() -> Host {
        Host::parse(r#"{"running":2,"waiting":8,"seconds":60,"mebibytes":256,"grace_seconds":30}"#).unwrap()
    }

    fn asked(method: &str, path: &str, body: &str) -> (u16, Value) {
        let answer = answer(&host(), &Question { method, path, query: "", body: body.as_bytes() });
        (answer.status, serde_json::from_str(&answer.body).unwrap())
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
        let race = lurd::explain(&lurd::Request::default()).unwrap().most_shares as u64;
        assert!(race > 10);
        for (request, most) in [("{}", race), (r#"{"goal":"pushes"}"#, 2), (r#"{"algorithm":"a-star"}"#, 1)] {
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
