//! The table in the schema formats of model providers.

use super::table::{Effect, Kind, Param, Tool};
use crate::model::{Invalid, Json};

/// A schema format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// OpenAI's chat completions.
    OpenAi,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// The Model Context Protocol.
    Mcp,
    /// The AI SDK: name, description and JSON schema.
    AiSdk,
    /// Gemini's function declarations.
    Gemini,
}

const FORMATS: [(Format, &str); 6] = [
    (Format::OpenAi, "openai"),
    (Format::OpenAiResponses, "openai-responses"),
    (Format::Anthropic, "anthropic"),
    (Format::Mcp, "mcp"),
    (Format::AiSdk, "ai-sdk"),
    (Format::Gemini, "gemini"),
];

impl Format {
    /// The format with this name.
    pub fn new(field: &str, name: &str) -> Result<Self, Invalid> {
        let known = FORMATS.iter().find(|(_, known)| *known == name).map(|(format, _)| *format);
        let names = || FORMATS.map(|(_, name)| name).join(", ");
        known.ok_or_else(|| Invalid::value(field, format!("must be one of {}", names())))
    }
}

/// The options of a schema.
#[derive(Clone, Copy, Debug)]
pub struct SchemaOptions<'a> {
    /// The format.
    pub format: Format,
    /// Whether OpenAI enforces the schema, which then requires every argument, with null for omitted ones.
    pub strict: bool,
    /// The memory's namespaces.
    pub namespaces: &'a [&'a str],
    /// Whether the agent is already known, so that the model is not asked for it.
    pub agent_known: bool,
}

/// A tool in this format.
pub fn shown(tool: &Tool, how: &SchemaOptions<'_>) -> Json {
    let (name, description) = (("name", tool.name.into()), ("description", tool.description.into()));
    let schema = schema(tool, how);
    match how.format {
        Format::OpenAi => {
            let mut function = vec![name, description, ("parameters", schema)];
            function.extend(how.strict.then_some(("strict", true.into())));
            Json::object(vec![("type", "function".into()), ("function", Json::object(function))])
        }
        Format::OpenAiResponses => {
            let kind = ("type", "function".into());
            Json::object(vec![kind, name, description, ("parameters", schema), ("strict", how.strict.into())])
        }
        Format::Anthropic => Json::object(vec![name, description, ("input_schema", schema)]),
        Format::AiSdk => Json::object(vec![name, description, ("inputSchema", schema)]),
        Format::Gemini => Json::object(vec![name, description, ("parameters", schema)]),
        Format::Mcp => Json::object(vec![
            name,
            ("title", tool.title.into()),
            description,
            ("inputSchema", schema),
            ("annotations", annotations(tool)),
        ]),
    }
}

/// The effects of a tool, as hints. A memory is a closed world: nothing outside is touched.
fn annotations(tool: &Tool) -> Json {
    Json::object(vec![
        ("title", tool.title.into()),
        ("readOnlyHint", (tool.effect == Effect::Reads).into()),
        ("destructiveHint", (tool.effect == Effect::Destroys).into()),
        ("idempotentHint", (tool.effect != Effect::Adds).into()),
        ("openWorldHint", false.into()),
    ])
}

fn schema(tool: &Tool, how: &SchemaOptions<'_>) -> Json {
    let params = || tool.params.iter().filter(|param| !(how.agent_known && param.name == "agent"));
    let strict = how.strict && matches!(how.format, Format::OpenAi | Format::OpenAiResponses);
    let properties = params().map(|param| (param.name, property(param, how, strict))).collect();
    let required = params().filter(|param| strict || param.required).map(|param| param.name.into()).collect();
    let mut fields = vec![
        ("type", kind_name(how.format, "object")),
        ("properties", Json::object(properties)),
        ("required", Json::Array(required)),
    ];
    // Gemini supports a part of JSON Schema, and this is not in it.
    if how.format != Format::Gemini {
        fields.push(("additionalProperties", false.into()));
    }
    Json::object(fields)
}

fn kind_name(format: Format, name: &str) -> Json {
    if format == Format::Gemini { name.to_ascii_uppercase().into() } else { name.into() }
}

fn property(param: &Param, how: &SchemaOptions<'_>, strict: bool) -> Json {
    let choices: Option<Vec<Json>> = match param.kind {
        Kind::Choice(choices) => Some(choices.iter().map(|choice| (*choice).into()).collect()),
        Kind::Namespace => Some(how.namespaces.iter().map(|name| (*name).into()).collect()),
        _ => None,
    };
    let name = match param.kind {
        Kind::Text(_) | Kind::Choice(_) | Kind::Namespace => "string",
        Kind::Texts(_) => "array",
        Kind::Share => "number",
        Kind::Count(_) => "integer",
        Kind::Flag => "boolean",
        // A strict schema must list every field, which is impossible here.
        Kind::Object => {
            if strict {
                "string"
            } else {
                "object"
            }
        }
    };
    let name = kind_name(how.format, name);
    let optional = strict && !param.required;
    let kind = if optional { Json::Array(vec![name, "null".into()]) } else { name };
    let note = if strict && param.kind == Kind::Object { ", as JSON text" } else { "" };
    let mut fields = vec![("type", kind)];
    if !param.description.is_empty() {
        fields.push(("description", [param.description, note].concat().into()));
    }
    if let Some(mut choices) = choices {
        choices.extend(optional.then_some(Json::Null));
        fields.push(("enum", Json::Array(choices)));
    }
    match param.kind {
        Kind::Texts(_) => fields.push(("items", Json::object(vec![("type", kind_name(how.format, "string"))]))),
        Kind::Share => fields.extend([("minimum", 0_u64.into()), ("maximum", 1_u64.into())]),
        Kind::Count(most) => fields.extend([("minimum", 1_u64.into()), ("maximum", u64::from(most).into())]),
        _ => {}
    }
    Json::object(fields)
}
