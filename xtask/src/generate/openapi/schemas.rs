//! JSON Schemas of the contract's values.

use crate::generate::http::can_be_left_out;
use anyhow::{Context, Result, bail};
use keepsake_contract::{Case, Contract, Field, Name, Place, Record, Shape, Tag, Type, Variant, camel};
use serde_json::{Map, Value, json};

/// Whether a value is in a request or in an answer.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Sent,
    Told,
}

/// The named schemas.
pub(super) struct Schemas<'a> {
    contract: &'a Contract,
    pub(super) made: Map<String, Value>,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(contract: &'a Contract) -> Self {
        Self { contract, made: Map::new() }
    }

    /// The schema of a type; a reference for a named type.
    pub(super) fn of(&mut self, ty: &Type, way: Way) -> Result<Value> {
        Ok(match ty {
            Type::Bool => json!({ "type": "boolean" }),
            Type::U8 | Type::U32 | Type::U64 => json!({ "type": "integer", "minimum": 0 }),
            Type::F32 | Type::F64 => json!({ "type": "number" }),
            Type::String => json!({ "type": "string" }),
            Type::Time if way == Way::Sent => self.time(),
            Type::Time => json!({ "type": "string", "format": "date-time" }),
            Type::Json => json!({}),
            Type::JsonObject => json!({ "type": "object" }),
            Type::List(item) => json!({ "type": "array", "items": self.of(item, way)? }),
            Type::Option(item) => self.of(item, way)?,
            Type::Named(interface, name) => self.named(interface, name, way)?,
            other => bail!("{other:?} has no schema"),
        })
    }

    /// A time in a request, which has two forms.
    fn time(&mut self) -> Value {
        let docs = "Milliseconds since 1970, or ISO 8601 in UTC.";
        self.made.insert("Timestamp".to_owned(), json!({ "type": ["number", "string"], "description": docs }));
        json!({ "$ref": "#/components/schemas/Timestamp" })
    }

    fn named(&mut self, interface: &str, name: &str, way: Way) -> Result<Value> {
        let named = self.contract.named(interface, name)?;
        let mut schema = match &named.shape {
            Shape::Record(record) => self.record(record, way)?,
            Shape::Variant(variant) => self.variant(variant, way)?,
            Shape::Enum(names) => words(names),
            Shape::Alias(other @ Type::List(_)) => self.of(other, way)?,
            Shape::Alias(other) => return self.of(other, way),
            Shape::Resource => bail!("`{name}` is a handle"),
        };
        if let Some(max) = &named.max {
            schema["maxItems"] = number(max)?;
        }
        let docs = [paragraphs(&named.docs), schema["description"].as_str().unwrap_or_default().to_owned()];
        schema["description"] = docs.join("\n\n").trim().into();
        let mut key = self.key(interface, name);
        if self.made.get(&key).is_some_and(|known| *known != schema) {
            key.push_str("Input");
        }
        let reference = json!({ "$ref": format!("#/components/schemas/{key}") });
        self.made.insert(key, schema);
        Ok(reference)
    }

    /// The name of a schema. If several interfaces share a name, `types` keeps it and the others are prefixed with
    /// their interface.
    fn key(&self, interface: &str, name: &str) -> String {
        let others = self.contract.interfaces.iter().filter(|(other, _)| *other != interface);
        let is_shared = others.flat_map(|(_, inside)| &inside.types).any(|ty| ty.name == name);
        let prefix =
            if is_shared && interface != "types" { pascal(interface.trim_end_matches('s')) } else { String::new() };
        prefix + &pascal(name)
    }

    fn record(&mut self, record: &Record, way: Way) -> Result<Value> {
        let mut own =
            Object { properties: Map::new(), required: Vec::new(), more: (way == Way::Sent).then_some(false) };
        let mut whole = Vec::new();
        for field in record.fields.iter().filter(|field| way == Way::Told || !field.answer_only) {
            match &field.place {
                Place::Key(key) => {
                    let schema = self.field(field, way)?;
                    own.add(key, schema, self.is_required(field, way)?);
                }
                Place::Inner(outer, inner) => {
                    let schema = self.field(field, way)?;
                    let group = json!({ "type": "object", "properties": {}, "additionalProperties": false });
                    own.properties.entry(outer.as_str()).or_insert(group)["properties"][inner] = schema;
                }
                Place::Rest => own.more = Some(true),
                Place::Flat => match self.tagged(&field.ty)? {
                    Some(variant) => own.tag(variant),
                    None => whole.push(self.of(&field.ty, way)?),
                },
            }
        }
        let own = own.schema();
        if whole.is_empty() {
            return Ok(own);
        }
        whole.push(own);
        Ok(json!({ "allOf": whole }))
    }

    /// The tagged variant of a type, if it is one.
    fn tagged(&self, ty: &Type) -> Result<Option<&'a Variant>> {
        let Type::Named(interface, name) = ty else { return Ok(None) };
        Ok(match &self.contract.named(interface, name)?.shape {
            Shape::Variant(variant) if matches!(variant.tag, Tag::Field(_)) => Some(variant),
            _ => None,
        })
    }

    fn is_required(&self, field: &Field, way: Way) -> Result<bool> {
        Ok(match way {
            Way::Sent => !field.blank && !can_be_left_out(self.contract, &field.ty)?,
            Way::Told => {
                let is_option = matches!(self.contract.resolved(&field.ty)?, Type::Option(_));
                field.always || !(is_option || field.sparse || field.blank)
            }
        })
    }

    fn field(&mut self, field: &Field, way: Way) -> Result<Value> {
        let mut schema = if field.map {
            json!({ "type": "object", "additionalProperties": self.mapped(&field.ty, way)? })
        } else {
            self.of(&field.ty, way)?
        };
        for (key, limit) in [("minimum", &field.min), ("maximum", &field.max)] {
            if let Some(limit) = limit {
                schema[key] = number(limit)?;
            }
        }
        schema["description"] = paragraphs(&field.docs).into();
        Ok(schema)
    }

    /// The values of pairs that are encoded as an object.
    fn mapped(&mut self, ty: &Type, way: Way) -> Result<Value> {
        let Type::List(item) = ty else { bail!("{ty:?} has no pairs") };
        if let Type::Tuple(pair) = item.as_ref() {
            return self.of(pair.last().context("a pair has a value")?, way);
        }
        let record = self.contract.record(item)?.context("a pair is a record")?;
        self.of(&record.fields.last().context("a pair has a value")?.ty, way)
    }

    fn variant(&mut self, variant: &Variant, way: Way) -> Result<Value> {
        if let Tag::Field(_) = variant.tag {
            let mut object = Object { properties: Map::new(), required: Vec::new(), more: None };
            object.tag(variant);
            return Ok(object.schema());
        }
        let cases = variant.cases.iter().map(|case| self.case(case, way)).collect::<Result<Vec<_>>>()?;
        Ok(json!({ "oneOf": cases }))
    }

    /// A case that is identified by its fields.
    fn case(&mut self, case: &Case, way: Way) -> Result<Value> {
        let ty = case.ty.as_ref().with_context(|| format!("`{}` has no value", case.name))?;
        let mut schema = match self.contract.record(ty)? {
            Some(record) => self.record(record, way)?,
            None => {
                let mut object =
                    Object { properties: Map::new(), required: Vec::new(), more: (way == Way::Sent).then_some(false) };
                object.add(&case.place(), self.of(ty, way)?, true);
                for (key, value) in &case.with {
                    object.add(key, json!({ "const": serde_json::from_str::<Value>(value)? }), true);
                }
                object.schema()
            }
        };
        schema["description"] = paragraphs(&case.docs).into();
        Ok(schema)
    }

    /// The keyword for a variant's cases, and other fields.
    pub(super) fn cases(&self, interface: &str, name: &str, more: &[&str]) -> Result<Value> {
        let Shape::Variant(variant) = &self.contract.named(interface, name)?.shape else {
            bail!("`{name}` has no cases")
        };
        let mut words: Vec<Value> = Vec::new();
        for case in &variant.cases {
            let word = serde_json::from_str(&case.is)?;
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.extend(more.iter().map(|word| Value::from(*word)));
        Ok(json!({ "type": "string", "enum": words, "description": "One word for the kind of failure." }))
    }
}

/// The schema of an object under construction.
struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
    /// Whether additional fields are allowed, if specified.
    more: Option<bool>,
}

impl Object {
    fn add(&mut self, key: &str, schema: Value, is_required: bool) {
        self.properties.insert(key.to_owned(), schema);
        if is_required {
            self.required.push(key.to_owned());
        }
    }

    /// The field that names the case of a variant. The fields of the case are inlined beside it.
    fn tag(&mut self, variant: &Variant) {
        let Tag::Field(key) = &variant.tag else { return };
        let named = variant.cases.iter().filter(|case| !case.other);
        let words: Vec<Value> = named.map(|case| serde_json::from_str(&case.is).unwrap_or_default()).collect();
        let mut schema = json!({ "type": "string" });
        if variant.cases.iter().any(|case| case.other) {
            let words: Vec<String> = words.iter().filter_map(|word| Some(format!("`{}`", word.as_str()?))).collect();
            schema["description"] = format!("{}, or another, which is kept as it is.", words.join(", ")).into();
        } else {
            schema["enum"] = words.into();
        }
        self.add(key, schema, true);
        self.more = Some(true);
    }

    fn schema(self) -> Value {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if !self.required.is_empty() {
            schema["required"] = self.required.into();
        }
        if let Some(more) = self.more {
            schema["additionalProperties"] = more.into();
        }
        schema
    }
}

/// The schema of an enum: each name with its documentation.
fn words(names: &[Name]) -> Value {
    let all: Vec<&str> = names.iter().map(|name| name.json.as_str()).collect();
    let docs: Vec<String> = names.iter().map(|name| format!("- `{}`: {}", name.json, paragraphs(&name.docs))).collect();
    json!({ "type": "string", "enum": all, "description": docs.join("\n") })
}

fn number(text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("`{text}` is no number"))
}

/// The documentation with each paragraph on one line.
pub(super) fn paragraphs(docs: &str) -> String {
    docs.split("\n\n").map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("\n\n")
}

/// A name of WIT in PascalCase.
pub(super) fn pascal(name: &str) -> String {
    let name = camel(name);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
