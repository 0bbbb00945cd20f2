//! The tables of routes: `pkg/src/serve/http/generated.ts` and `service/src/api/generated.rs`.

use super::MARK;
use super::http::{Arg, Route, routes};
use anyhow::{Result, bail};
use keepsake_contract::{Contract, Type};

/// A row of a table, in both languages: each property with the value in TypeScript and in Rust.
struct Row(Vec<(&'static str, String, String)>);

impl Row {
    fn add(&mut self, name: &'static str, typescript: String, rust: String) {
        self.0.push((name, typescript, rust));
    }

    fn text(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.add(name, format!("{value:?}"), format!("Some({value:?})"));
        }
    }

    fn texts(&mut self, name: &'static str, values: &[String]) {
        if !values.is_empty() {
            let list = values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ");
            self.add(name, format!("[{list}]"), format!("&[{list}]"));
        }
    }

    /// Pairs of a name and a value, as code of both languages.
    fn pairs(&mut self, name: &'static str, pairs: Vec<(String, String, String)>) {
        if !pairs.is_empty() {
            let typescript = pairs.iter().map(|(name, value, _)| format!("{name}: {value}")).collect::<Vec<_>>();
            let rust = pairs.iter().map(|(name, _, value)| format!("({name:?}, {value})")).collect::<Vec<_>>();
            self.add(name, format!("{{ {} }}", typescript.join(", ")), format!("&[{}]", rust.join(", ")));
        }
    }
}

fn row(contract: &Contract, route: &Route<'_>) -> Result<Row> {
    let http = route.http;
    let mut row = Row(Vec::new());
    for (name, value) in [("verb", &route.function.verb), ("method", &http.method), ("path", &http.path)] {
        row.add(name, format!("{value:?}"), format!("{value:?}"));
    }
    if let Some(status) = http.writes {
        row.add("writes", status.to_string(), format!("Some({status})"));
    }
    if !http.has_body() {
        let pair = |arg: &Arg<'_>| {
            let kind = kind(contract, &arg.ty)?;
            Ok((arg.name.clone(), format!("{:?}", kind.to_lowercase()), format!("Kind::{kind}")))
        };
        row.pairs("query", route.args.iter().map(pair).collect::<Result<_>>()?);
    }
    row.texts("lists", &lists(route));
    let default = |(name, value): &(String, String)| (name.clone(), value.clone(), format!("{value:?}"));
    row.pairs("defaults", http.defaults.iter().map(default).collect());
    let most = |(name, most): &(String, u64)| (name.clone(), most.to_string(), most.to_string());
    row.pairs("most", http.most.iter().map(most).collect());
    row.text("answer", http.answer.as_deref());
    row.text("next", http.next.as_deref());
    row.text("missing", route.missing());
    row.texts("items", &items(contract, route)?);
    Ok(row)
}

/// The parser of a query parameter.
fn kind(contract: &Contract, ty: &Type) -> Result<&'static str> {
    Ok(match contract.resolved(ty)? {
        Type::Option(item) => kind(contract, item)?,
        Type::String | Type::Time => "Text",
        Type::U32 | Type::U64 => "Count",
        Type::Bool => "Flag",
        other => bail!("{other:?} cannot stand in an address"),
    })
}

/// The required arrays of a body.
fn lists(route: &Route<'_>) -> Vec<String> {
    let is_list = |arg: &&Arg<'_>| route.http.has_body() && !arg.optional && matches!(arg.ty, Type::List(_));
    route.args.iter().filter(is_list).map(|arg| arg.name.clone()).collect()
}

/// The field names of items that are arrays in an answer: the API returns them as objects.
fn items(contract: &Contract, route: &Route<'_>) -> Result<Vec<String>> {
    let Some(Type::List(item)) = route.answer() else { return Ok(Vec::new()) };
    let record = contract.record(item)?.filter(|record| record.array);
    Ok(record.map(|record| record.fields.iter().map(|field| field.name.clone()).collect()).unwrap_or_default())
}

/// Generates `service/src/api/generated.rs`.
pub(super) fn rust(contract: &Contract) -> Result<String> {
    let mut text = format!("//! {MARK}\n\nuse super::routes::{{Kind, PLAIN, Route}};\n\n");
    text.push_str("/// Every route of the API, by path and method.\npub(super) const ROUTES: &[Route] = &[\n");
    for route in routes(contract)? {
        let row = row(contract, &route)?;
        let values: Vec<String> = row.0.iter().map(|(name, _, value)| format!("{name}: {value}")).collect();
        text.push_str(&format!("Route {{ {}, ..PLAIN }},\n", values.join(", ")));
    }
    text.push_str("];\n");
    Ok(text)
}

/// Generates `pkg/src/serve/http/generated.ts`, formatted like Biome does.
pub(super) fn typescript(contract: &Contract) -> Result<String> {
    let mut text = format!("// {MARK}\n\n{INTERFACE}\n");
    text.push_str(
        "/** Every route of the API by its verb, in the order of path and method. */\nexport const ROUTES = {\n",
    );
    for route in routes(contract)? {
        let row = row(contract, &route)?;
        text.push_str(&format!("  {}: {{\n", route.function.verb));
        for (name, value, _) in row.0 {
            text.push_str(&format!("    {name}: {value},\n"));
        }
        text.push_str("  },\n");
    }
    text.push_str("} as const satisfies { [verb: string]: Route };\n\n");
    text.push_str("/** A verb that has a route. */\nexport type RoutedVerb = keyof typeof ROUTES;\n");
    Ok(text)
}

const INTERFACE: &str = r#"/** One route. */
export interface Route {
  /** The verb that it calls. */
  verb: string;
  /** With `POST` and `PATCH` there is a body. */
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below `/v1/`; a name in braces is an argument. */
  path: string;
  /** The status of the answer if it writes. Default: it only reads. */
  writes?: 200 | 201;
  /** The parameters of the address. Default: none. */
  query?: { readonly [name: string]: "text" | "count" | "flag" };
  /** Arguments of the body that must be arrays. Default: none. */
  lists?: readonly string[];
  /** Values of arguments that a request leaves out. Default: none. */
  defaults?: { readonly [name: string]: unknown };
  /** The largest values of arguments. Default: none. */
  most?: { readonly [name: string]: number };
  /** The field that the answer stands in. Default: it is the whole answer. */
  answer?: string;
  /** The field for the id of a full page's last item. Default: there are no pages. */
  next?: string;
  /** The argument that names something that may be missing: then the answer is 404. Default: none. */
  missing?: string;
  /** The names of the values in answered arrays: the API writes objects. Default: items stay as they are. */
  items?: readonly string[];
}
"#;
