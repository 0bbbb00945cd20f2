//! `docs/openapi.json`: routes and schemas from the contract, and everything else from `docs/openapi.base.json`. The
//! base is a merge patch (RFC 7396) on the generated document: `null` removes a key.

mod schemas;

use super::MARK;
use super::http::{Arg, Route, routes};
use anyhow::{Context, Result};
use keepsake_contract::{Contract, camel};
use schemas::{Schemas, Way, paragraphs, pascal};
use serde_json::{Map, Value, json};

/// Error codes of the HTTP API and of its host, beside those of a memory.
const MORE_CODES: [&str; 4] = ["crashed", "unauthorized", "not-allowed", "rate-limited"];

/// Generates `docs/openapi.json`.
pub(super) fn written(contract: &Contract, base: &str) -> Result<String> {
    let base: Value = serde_json::from_str(base).context("docs/openapi.base.json is not JSON")?;
    let mut api = Api { base: &base, schemas: Schemas::new(contract), paths: Map::new() };
    let routes = routes(contract)?;
    // The schema of an answer has the plain name; its request form may need another.
    let answers = routes.iter().map(|route| api.answer(route)).collect::<Result<Vec<_>>>()?;
    for (route, answer) in routes.iter().zip(answers) {
        api.add(route, answer)?;
    }
    api.schemas.made.insert("ErrorCode".to_owned(), api.schemas.cases("types", "error", &MORE_CODES)?);
    let mut whole = json!({ "openapi": base["openapi"], "x-generated": MARK, "info": null, "security": null });
    whole["paths"] = Value::Object(api.paths);
    whole["components"] = json!({ "securitySchemes": null, "parameters": null, "responses": null });
    whole["components"]["schemas"] = Value::Object(api.schemas.made);
    patch(&mut whole, &base);
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}

/// Applies a merge patch in place: keys keep their order.
fn patch(target: &mut Value, change: &Value) {
    let Value::Object(changes) = change else {
        *target = change.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    for (key, change) in changes {
        if let Value::Object(fields) = target {
            if change.is_null() {
                fields.shift_remove(key);
            } else {
                patch(fields.entry(key.as_str()).or_insert(Value::Null), change);
            }
        }
    }
}

struct Api<'a> {
    base: &'a Value,
    schemas: Schemas<'a>,
    paths: Map<String, Value>,
}

impl Api<'_> {
    /// The schema of a route's answer.
    fn answer(&mut self, route: &Route<'_>) -> Result<Value> {
        let ty = route.answer().with_context(|| format!("`{}` answers nothing", route.function.verb))?;
        let schema = self.schemas.of(ty, Way::Told)?;
        let Some(field) = &route.http.answer else { return Ok(schema) };
        let mut properties = json!({ field: schema });
        if let Some(next) = &route.http.next {
            let docs = "The `after` of the next page. Absent: this is the last page.";
            properties[next] = json!({ "type": "string", "description": docs });
        }
        Ok(json!({ "type": "object", "properties": properties, "required": [field] }))
    }

    fn add(&mut self, route: &Route<'_>, answer: Value) -> Result<()> {
        let http = route.http;
        let (mut path, mut item) = (format!("/v1/{}", http.path), Map::new());
        if let Some(name) = http.name() {
            let key = pascal(name);
            let shown = self.base["components"]["parameters"][&key]["name"].as_str();
            let shown = shown.with_context(|| format!("docs/openapi.base.json has no parameter `{key}`"))?;
            path = path.replace(&format!("{{{name}}}"), &format!("{{{shown}}}"));
            item.insert("parameters".into(), json!([{ "$ref": format!("#/components/parameters/{key}") }]));
        }
        let operation = self.operation(route, answer)?;
        let known = self.paths.entry(path).or_insert(Value::Object(item));
        known[http.method.to_lowercase()] = operation;
        Ok(())
    }

    fn operation(&mut self, route: &Route<'_>, answer: Value) -> Result<Value> {
        let http = route.http;
        let spelled = route.function.params.iter().fold(route.function.docs.clone(), |docs, param| {
            docs.replace(&format!("`{}`", param.name), &format!("`{}`", camel(&param.name)))
        });
        let (summary, description) = told(&spelled);
        let mut operation = json!({ "operationId": route.function.verb, "summary": summary });
        if !description.is_empty() {
            operation["description"] = description.into();
        }
        let mut parameters = Vec::new();
        if http.has_body() {
            let schema = self.body(route)?;
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        } else {
            for arg in &route.args {
                parameters.push(self.parameter(route, arg)?);
            }
        }
        if http.writes.is_some() {
            parameters.push(json!({ "$ref": "#/components/parameters/Once" }));
        }
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        operation["responses"] = responses(route, answer);
        Ok(operation)
    }

    fn parameter(&mut self, route: &Route<'_>, arg: &Arg<'_>) -> Result<Value> {
        let mut schema = self.schemas.of(&arg.ty, Way::Sent)?;
        bound(&mut schema, route, &arg.name);
        let mut parameter = json!({ "name": arg.name, "in": "query", "schema": schema });
        if !arg.optional {
            parameter["required"] = true.into();
        }
        if let Some(field) = arg.field {
            parameter["description"] = paragraphs(&field.docs).into();
        }
        Ok(parameter)
    }

    /// The schema of a body: a record's schema if all arguments are its fields.
    fn body(&mut self, route: &Route<'_>) -> Result<Value> {
        let records = route.function.params.iter().filter(|param| param.flat);
        if let ([param], true) =
            (records.collect::<Vec<_>>().as_slice(), route.args.iter().all(|arg| arg.field.is_some()))
        {
            let schema = self.schemas.of(&param.ty, Way::Sent)?;
            let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
            if let Some(record) = self.schemas.made.get_mut(&name) {
                bound_all(record, route);
            }
            return Ok(schema);
        }
        let mut properties = Map::new();
        let mut required = Vec::new();
        for arg in &route.args {
            properties.insert(arg.name.clone(), self.schemas.of(&arg.ty, Way::Sent)?);
            required.push(arg.name.clone());
        }
        let mut schema = json!({ "type": "object", "properties": properties, "required": required });
        bound_all(&mut schema, route);
        schema["additionalProperties"] = false.into();
        Ok(schema)
    }
}

/// Adds the defaults and limits of a route to an object's schema.
fn bound_all(schema: &mut Value, route: &Route<'_>) {
    for arg in &route.args {
        bound(&mut schema["properties"][&arg.name], route, &arg.name);
        if let (true, Some(required)) = (arg.optional, schema["required"].as_array_mut()) {
            required.retain(|name| *name != arg.name);
        }
    }
    if schema["required"].as_array().is_none_or(Vec::is_empty)
        && let Value::Object(fields) = schema
    {
        fields.shift_remove("required");
    }
}

/// The default and the maximum of an argument.
fn bound(schema: &mut Value, route: &Route<'_>, name: &str) {
    if let Some((_, most)) = route.http.most.iter().find(|(other, _)| other == name) {
        schema["maximum"] = (*most).into();
    }
    if let Some((_, value)) = route.http.defaults.iter().find(|(other, _)| other == name) {
        schema["default"] = serde_json::from_str(value).unwrap_or_default();
    }
}

/// The first sentence of the documentation, and the rest.
fn told(docs: &str) -> (String, String) {
    let docs = paragraphs(docs);
    let (first, rest) = docs.split_once(". ").unwrap_or((&docs, ""));
    (first.trim_end_matches('.').to_owned(), rest.to_owned())
}

fn responses(route: &Route<'_>, answer: Value) -> Value {
    let http = route.http;
    let done = json!({ "description": "Done.", "content": { "application/json": { "schema": answer } } });
    let mut all = Map::new();
    all.insert(http.writes.unwrap_or(200).to_string(), done);
    let is_missing = route.missing().is_some() || route.function.docs.contains("`not-found`");
    let failures = [
        (true, "400", "Bad"),
        (true, "401", "Unauthorized"),
        (is_missing, "404", "NotFound"),
        (http.writes == Some(201), "409", "Exists"),
        (http.has_body(), "413", "TooLarge"),
        (http.writes.is_some(), "422", "Reused"),
        (true, "429", "TooFast"),
        (true, "500", "Broken"),
        (true, "503", "Later"),
        (http.writes.is_some(), "507", "Full"),
    ];
    for (_, status, name) in failures.into_iter().filter(|(happens, ..)| *happens) {
        all.insert(status.to_owned(), json!({ "$ref": format!("#/components/responses/{name}") }));
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::{patch, told};
    use serde_json::json;

    #[test]
    fn a_patch_changes_adds_and_removes() {
        let mut value = json!({ "a": { "b": 1, "c": 2 }, "d": [1] });
        patch(&mut value, &json!({ "a": { "b": null, "e": 3 }, "d": "x", "f": { "g": null, "h": 1 } }));
        assert_eq!(value, json!({ "a": { "c": 2, "e": 3 }, "d": "x", "f": { "h": 1 } }));
    }

    #[test]
    fn the_first_sentence_is_the_summary() {
        assert_eq!(told("One\nline. Two.\n\nThree."), ("One line".to_owned(), "Two.\n\nThree.".to_owned()));
        assert_eq!(told("One."), ("One".to_owned(), String::new()));
    }
}
