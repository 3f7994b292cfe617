//! The description of the API (OpenAPI 3.1), made from its addresses and the types that they take and give.

use std::collections::BTreeMap;
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AllOf, ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{
    ComponentsBuilder, Content, InfoBuilder, License, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    Required, ResponseBuilder, Server,
};

/// How an address is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Asks and changes nothing.
    Get,
    /// Sends something.
    Post,
    /// Ends something.
    Delete,
}

impl Method {
    /// As HTTP writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Delete => "DELETE",
        }
    }
}

/// Collects the schema of a type, and of those it is made of.
pub type Shape = fn(&mut Shapes) -> RefOr<Schema>;

/// What an address takes.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// Nothing.
    Nothing,
    /// JSON.
    Json(Shape),
    /// The bytes of a file.
    File,
}

/// What an address gives where it can.
#[derive(Clone, Copy, Debug)]
pub enum Reply {
    /// JSON.
    Json(Shape),
    /// JSON of something new.
    Created(Shape),
    /// JSON of something new, or of what was there already.
    CreatedOrKnown(Shape),
    /// Server-sent events with the data that the address without `/events` gives.
    Events,
    /// A file in one of these formats.
    File(&'static [&'static str]),
}

/// An address of the API and what is to be known of it.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// How it is asked.
    pub method: Method,
    /// Behind `/api/v1`, parts that vary in braces.
    pub path: &'static str,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// What may stand behind a question mark.
    pub query: fn() -> Vec<Parameter>,
    /// What it takes.
    pub body: Body,
    /// What it gives.
    pub reply: Reply,
}

impl Address {
    /// An address that takes nothing.
    pub const fn get(path: &'static str, about: &'static str, reply: Reply) -> Self {
        Self { method: Method::Get, path, about, query: Vec::new, body: Body::Nothing, reply }
    }

    /// An address that something is sent to.
    pub const fn post(path: &'static str, about: &'static str, body: Body, reply: Reply) -> Self {
        Self { method: Method::Post, body, ..Self::get(path, about, reply) }
    }

    /// An address that ends what it names.
    pub const fn delete(path: &'static str, about: &'static str, reply: Reply) -> Self {
        Self { method: Method::Delete, ..Self::get(path, about, reply) }
    }

    /// The same with a query.
    pub const fn with_query(self, query: fn() -> Vec<Parameter>) -> Self {
        Self { query, ..self }
    }

    /// `GET /lessons/{name}` as `getLessonsName`.
    fn operation(&self) -> String {
        let words = self.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        words.fold(self.method.name().to_ascii_lowercase(), |name, word| name + &capital(word))
    }
}

/// The schemas of the types that cross the border.
#[derive(Default)]
pub struct Shapes {
    asked: BTreeMap<String, RefOr<Schema>>,
    told: BTreeMap<String, RefOr<Schema>>,
}

/// A type that is sent to an address.
pub fn asked<T: ToSchema>(shapes: &mut Shapes) -> RefOr<Schema> {
    collect::<T>(&mut shapes.asked)
}

/// A type that an address gives.
pub fn told<T: ToSchema>(shapes: &mut Shapes) -> RefOr<Schema> {
    collect::<T>(&mut shapes.told)
}

/// A list of a type that an address gives.
pub fn told_list<T: ToSchema>(shapes: &mut Shapes) -> RefOr<Schema> {
    RefOr::T(ArrayBuilder::new().items(told::<T>(shapes)).into())
}

fn collect<T: ToSchema>(into: &mut BTreeMap<String, RefOr<Schema>>) -> RefOr<Schema> {
    let mut found = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut found);
    for (name, schema) in found {
        let before = into.insert(name.clone(), schema.clone());
        debug_assert!(before.is_none_or(|before| before == schema), "two types are called {name}");
    }
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

impl Shapes {
    /// All of them. An answer has all its fields, those that are null among them; what is asked for may leave some out.
    fn all(mut self) -> BTreeMap<String, RefOr<Schema>> {
        for (name, schema) in &mut self.told {
            if let (RefOr::T(schema), false) = (schema, self.asked.contains_key(name)) {
                require_all(schema);
            }
        }
        self.told.append(&mut self.asked);
        self.told
    }
}

fn require_all(schema: &mut Schema) {
    match schema {
        Schema::Object(object) => object.required = object.properties.keys().cloned().collect(),
        Schema::AllOf(AllOf { items, .. }) => {
            for item in items {
                if let RefOr::T(part) = item {
                    require_all(part);
                }
            }
        }
        _ => {}
    }
}

/// What every refusal is.
#[derive(serde::Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct Refused {
    /// Why, and what to do, in a sentence.
    pub(crate) error: String,
}

const ABOUT: &str = "What the page of `lurd serve` and scripts ask. Searches are jobs: start one, then follow its events or \
    ask for its state. A job that nobody follows or asks about ends after the grace period. What is not answered as asked \
    gets a sentence and a status: 400 it cannot be read, 403 it comes from another site or asks for another name, 404 there \
    is no such thing, 405 the address does not take that method, 408 it took too long, 409 something stands against it now, \
    413 it is too large, 415 it is not JSON, 422 it is understood and cannot be done, 429 it is too much at once, 503 the \
    library cannot be used.";

/// The media types of files.
fn media(form: &str) -> &'static str {
    match form {
        "html" => "text/html; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" => "application/json",
        _ => "text/markdown; charset=utf-8",
    }
}

/// Describes an API of these addresses.
pub fn description(addresses: impl IntoIterator<Item = Address>) -> OpenApi {
    let mut shapes = Shapes::default();
    let mut paths = PathsBuilder::new().build();
    for address in addresses {
        let method = match address.method {
            Method::Get => HttpMethod::Get,
            Method::Post => HttpMethod::Post,
            Method::Delete => HttpMethod::Delete,
        };
        let item = PathItem::new(method, operation(&address, &mut shapes));
        match paths.paths.get_mut(address.path) {
            Some(known) => known.merge_operations(item),
            None => {
                paths.paths.insert(address.path.to_owned(), item);
            }
        }
    }
    let error = told::<Refused>(&mut shapes);
    let refusal = ResponseBuilder::new().description("Not answered as asked; the sentence says why and what to do.");
    let refusal = refusal.content("application/json", Content::new(Some(error)));
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".to_owned());
    let info = InfoBuilder::new().title("lurd workbench").version(env!("CARGO_PKG_VERSION")).description(Some(ABOUT));
    OpenApiBuilder::new()
        .info(info.license(Some(license)).build())
        .servers(Some([Server::new("/api/v1")]))
        .paths(paths)
        .components(Some(
            ComponentsBuilder::new().schemas_from_iter(shapes.all()).response("Refusal", refusal.build()).build(),
        ))
        .build()
}

fn operation(address: &Address, shapes: &mut Shapes) -> OperationBuilder {
    let json = |shapes: &mut Shapes, shape: Shape| Content::new(Some(shape(shapes)));
    let done = ResponseBuilder::new();
    let (status, response) = match address.reply {
        Reply::Json(shape) => ("200", done.description("As asked.").content("application/json", json(shapes, shape))),
        Reply::Created(shape) => ("201", done.description("Made.").content("application/json", json(shapes, shape))),
        Reply::CreatedOrKnown(shape) => {
            ("2XX", done.description("Made, or known already.").content("application/json", json(shapes, shape)))
        }
        Reply::Events => {
            let about = "Events `state` at every change and `done` at the end; their data are what the address gives that has no \
                         `/events` behind it.";
            ("200", done.description(about).content("text/event-stream", Content::new(None::<RefOr<Schema>>)))
        }
        Reply::File(forms) => {
            let text = || Content::new(Some(RefOr::T(Schema::from(ObjectBuilder::new()))));
            ("200", forms.iter().fold(done.description("The file."), |done, form| done.content(media(form), text())))
        }
    };
    let refusal = || RefOr::<utoipa::openapi::Response>::Ref(Ref::from_response_name("Refusal"));
    let group = address.path.split('/').nth(1).unwrap_or_default();
    let mut operation = OperationBuilder::new()
        .tag(group)
        .operation_id(Some(address.operation()))
        .summary(Some(address.about))
        .response(status, response.build())
        .response("4XX", refusal());
    if group == "library" {
        operation = operation.response("503", refusal());
    }
    for part in address.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let mut text = ObjectBuilder::new().schema_type(Type::String);
        if let (Reply::File(forms), "form") = (address.reply, part) {
            text = text.enum_values(Some(forms.iter().copied()));
        }
        let parameter = ParameterBuilder::new().name(part).parameter_in(ParameterIn::Path).required(Required::True);
        operation = operation.parameter(parameter.schema(Some(text.build())).build());
    }
    operation = (address.query)().into_iter().fold(operation, OperationBuilder::parameter);
    let body = RequestBodyBuilder::new().required(Some(Required::True));
    operation.request_body(match address.body {
        Body::Nothing => None,
        Body::Json(shape) => Some(body.content("application/json", json(shapes, shape)).build()),
        Body::File => {
            let bytes = ObjectBuilder::new().schema_type(Type::String).build();
            Some(body.content("application/octet-stream", Content::new(Some(bytes))).build())
        }
    })
}
