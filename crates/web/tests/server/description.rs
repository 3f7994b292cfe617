//! The description of the API: whole, and true of the server.

use crate::client::Running;
use lurd_web::Limits;
use serde_json::Value;
use std::collections::BTreeSet;

/// Everything that is referred to.
fn references(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            into.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| references(value, into));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, into)),
        _ => {}
    }
}

#[test]
fn every_address_that_is_described_answers() {
    let server = Running::start(Limits::default());
    let description = server.get("/api/v1/openapi.json").json();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() > 35, "{}", paths.len());
    let mut names = BTreeSet::new();
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path} {method}");
            assert!(operation["summary"].as_str().is_some_and(|words| words.len() > 10), "{path} {method}");
            let asked = path.replace(['{', '}'], "");
            let json = [("Content-Type", "application/json")];
            let answer = server.ask_with(&method.to_uppercase(), &format!("/api/v1{asked}"), &json, "{}");
            assert!(answer.status != 405, "{method} {path}: {}", answer.body);
            assert!(!answer.body.contains("the API has no such address"), "{method} {path}");
        }
    }
    let mut wanted = BTreeSet::new();
    references(&description, &mut wanted);
    for place in wanted {
        let pointer = place.strip_prefix('#').unwrap();
        assert!(description.pointer(pointer).is_some(), "{place} is missing");
    }
}

/// An answer has all fields that are described, those that are null among them.
#[test]
fn answers_have_the_fields_that_are_described() {
    let server = Running::start(Limits::default());
    let description = server.get("/api/v1/openapi.json").json();
    let about = server.get("/api/v1/about").json();
    let required = description["components"]["schemas"]["About"]["required"].as_array().unwrap();
    let told: BTreeSet<&str> = about.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(required.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>(), told);
    let goal = about["options"].as_array().unwrap().iter().find(|option| option["name"] == "goal").unwrap();
    assert_eq!((&goal["kind"], &goal["choices"][0]["name"]), (&"choice".into(), &"any".into()));
}
