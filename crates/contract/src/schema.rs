//! The request as a schema of OpenAPI, made from the table of options.

use crate::options::{Kind, Named, OPTIONS, RequestOption};
use crate::request::Request;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

impl ToSchema for Request {}

impl PartialSchema for Request {
    fn schema() -> RefOr<Schema> {
        let object =
            OPTIONS.iter().fold(ObjectBuilder::new(), |object, option| object.property(option.name, property(option)));
        RefOr::T(
            object
                .description(Some("What is asked of a search. What is left out or null is open or has its default."))
                .additional_properties(Some(AdditionalProperties::FreeForm(false)))
                .build()
                .into(),
        )
    }
}

fn nullable(kind: Type) -> SchemaType {
    SchemaType::from_iter([kind, Type::Null])
}

fn words(choices: &[Named]) -> ObjectBuilder {
    let names = choices.iter().map(|choice| Some(choice.name)).chain([None]);
    ObjectBuilder::new().schema_type(nullable(Type::String)).enum_values(Some(names))
}

fn number(kind: Type, least: f64, most: f64) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(nullable(kind)).minimum(Some(least)).maximum(Some(most))
}

fn property(option: &RequestOption) -> Schema {
    let default = if option.default.is_empty() { String::new() } else { format!(" (default: {})", option.default) };
    let about = Some(format!("{}{default}", option.about));
    let object = match option.kind {
        Kind::Choice(choices) => words(&choices()),
        Kind::Several(choices) => {
            let name = ObjectBuilder::new().schema_type(Type::String);
            let names = choices().iter().map(|choice| choice.name).collect::<Vec<_>>();
            let list = ArrayBuilder::new().items(name.enum_values(Some(names)).build());
            let word = words(&[
                Named { name: "all", about: "every rule that fits" },
                Named { name: "none", about: "no rule" },
            ]);
            return OneOfBuilder::new().item(word.build()).item(list.build()).description(about).build().into();
        }
        Kind::Sum(first, second) => {
            let alone = first();
            let with = alone.iter().flat_map(|estimate| {
                second().into_iter().map(move |part| Some(format!("{}+{}", estimate.name, part.name)))
            });
            let names: Vec<Option<String>> =
                alone.iter().map(|estimate| Some(estimate.name.to_owned())).chain(with).chain([None]).collect();
            ObjectBuilder::new().schema_type(nullable(Type::String)).enum_values(Some(names))
        }
        Kind::Switch => ObjectBuilder::new().schema_type(nullable(Type::Boolean)),
        Kind::Count(most) => number(Type::Integer, 0.0, most as f64),
        Kind::Number(least, most) => number(Type::Number, least, most),
        Kind::Seconds => number(Type::Number, 0.0, 1e9),
        Kind::Bytes => {
            ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::Integer, Type::String, Type::Null]))
        }
        Kind::Text => ObjectBuilder::new().schema_type(nullable(Type::String)),
    };
    object.description(about).build().into()
}
