//! The types of the page, made from the description of the API. `LURD_WRITE_TYPES=1 cargo test -p lurd-web types` writes them.

use serde_json::{Map, Value};
use std::path::Path;

/// A line as long as the page's other files have.
const WIDTH: usize = 120;

fn list(values: &Value) -> impl Iterator<Item = &Value> {
    values.as_array().into_iter().flatten()
}

fn joined(schemas: &Value, with: &str) -> String {
    list(schemas).map(of_schema).collect::<Vec<_>>().join(with)
}

/// The fields of an object.
fn fields(schema: &Value) -> Vec<String> {
    let none = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&none);
    let mut fields: Vec<String> = properties
        .iter()
        .map(|(name, property)| {
            let required = list(&schema["required"]).any(|required| required == name);
            format!("{name}{}: {}", if required { "" } else { "?" }, of_schema(property))
        })
        .collect();
    fields.sort_unstable();
    fields
}

fn of_type(name: &str, schema: &Value) -> String {
    match name {
        "object" if schema["properties"].is_object() => format!("{{ {} }}", fields(schema).join("; ")),
        "object" if schema["additionalProperties"].is_object() => {
            format!("{{ [name: string]: {} }}", of_schema(&schema["additionalProperties"]))
        }
        "object" => "{ [name: string]: unknown }".to_owned(),
        "array" if schema["prefixItems"].is_array() => format!("[{}]", joined(&schema["prefixItems"], ", ")),
        "array" => format!("Array<{}>", of_schema(&schema["items"])),
        "integer" => "number".to_owned(),
        name => name.to_owned(),
    }
}

fn of_schema(schema: &Value) -> String {
    if let Some(place) = schema["$ref"].as_str() {
        return place.rsplit('/').next().unwrap_or_default().to_owned();
    }
    for (kind, with) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & "), ("enum", " | ")] {
        if kind == "enum" && schema[kind].is_array() {
            return list(&schema[kind]).map(Value::to_string).collect::<Vec<_>>().join(with);
        }
        if schema[kind].is_array() {
            return joined(&schema[kind], with);
        }
    }
    match &schema["type"] {
        Value::String(name) => of_type(name, schema),
        names @ Value::Array(_) => {
            list(names).filter_map(Value::as_str).map(|name| of_type(name, schema)).collect::<Vec<_>>().join(" | ")
        }
        _ => "unknown".to_owned(),
    }
}

/// All types of a description, as TypeScript declares them.
fn types(description: &Value) -> String {
    let mut text = "// Made from the description of the API by crates/web/src/types.rs; not to be edited.\n".to_owned();
    let schemas = description["components"]["schemas"].as_object().expect("there are schemas");
    let mut names: Vec<&String> = schemas.keys().collect();
    names.sort_unstable();
    for name in names {
        let schema = &schemas[name];
        let short = format!("export type {name} = {};\n", of_schema(schema));
        text.push('\n');
        if short.len() <= WIDTH || schema["properties"].is_null() {
            text.push_str(&short);
        } else {
            let fields: String = fields(schema).iter().map(|field| format!("  {field};\n")).collect();
            text.push_str(&format!("export type {name} = {{\n{fields}}};\n"));
        }
    }
    text
}

#[test]
fn the_types_of_the_page_are_those_of_the_api() {
    let made = types(&serde_json::to_value(crate::api::description()).unwrap());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/lib/schema.d.ts");
    if std::env::var_os("LURD_WRITE_TYPES").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        kept == made,
        "the API has changed: LURD_WRITE_TYPES=1 cargo test -p lurd-web types writes the page's types"
    );
}
