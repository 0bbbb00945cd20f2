//! Functions: each encodes its arguments, calls the verb, and decodes its answer.

use super::{Component, literal, lower, path, upper};
use anyhow::{Result, bail};
use keepsake_contract::{Function, Shape, Type};
use std::fmt::Write as _;

impl Component<'_> {
    /// The implementation of an interface.
    pub(super) fn guests(&self, interface: &str) -> Result<String> {
        let functions = &self.contract.interfaces[interface].functions;
        let resource = self.contract.interfaces[interface].types.iter().find(|ty| matches!(ty.shape, Shape::Resource));
        let mut text = format!("impl {interface}::Guest for Keepsake {{");
        if let Some(resource) = resource {
            let name = upper(&resource.name);
            write!(text, "type {name} = {};", handle(&resource.name)?)?;
        }
        for function in functions.iter().filter(|function| function.resource.is_none()) {
            text.push_str(&self.guest(interface, function)?);
        }
        text.push_str("}\n\n");
        if let Some(resource) = resource {
            write!(text, "impl {interface}::Guest{} for {} {{", upper(&resource.name), handle(&resource.name)?)?;
            for function in functions.iter().filter(|function| function.resource.is_some()) {
                text.push_str(&self.guest(interface, function)?);
            }
            text.push_str("}\n\n");
        }
        Ok(text)
    }

    fn guest(&self, interface: &str, function: &Function) -> Result<String> {
        let is_method = function.resource.is_some() && !function.is_static;
        let mut params: Vec<String> = is_method.then(|| "&self".to_owned()).into_iter().collect();
        let mut names: Vec<String> = is_method.then(|| "self".to_owned()).into_iter().collect();
        for param in &function.params {
            let name = lower(&param.name);
            params.push(format!("{name}: {}", self.rust(interface, &param.ty)?));
            names.push(name);
        }
        let result = match &function.result {
            None => String::new(),
            Some(ty) => format!("-> {}", self.rust(interface, ty)?),
        };
        let name = lower(&function.name);
        let head = format!("fn {name}({}) {result}", params.join(", "));
        if function.by_hand {
            let owner = function.resource.as_deref().unwrap_or(interface);
            return Ok(format!("{head} {{ by_hand::{owner}_{name}({}) }}\n\n", names.join(", ")));
        }
        Ok(format!("{head} {{ {} }}\n\n", self.body(function, is_method)?))
    }

    fn body(&self, function: &Function, is_method: bool) -> Result<String> {
        let mut body = String::new();
        let memory = match (is_method, function.resource.as_deref()) {
            (true, Some("memory")) => "self",
            (true, Some("session")) => "&self.memory",
            _ => "memory.get::<Open>()",
        };
        if function.session {
            body.push_str("sent.put(\"session\", self.id.to_string());");
        }
        if function.agent {
            body.push_str("sent.put(\"agent\", self.agent.as_ref().map(ToString::to_string));");
        }
        for param in &function.params {
            let name = lower(&param.name);
            if matches!(param.ty, Type::Borrow(_)) {
                continue;
            }
            if param.flat {
                write!(body, "{name}.write(&mut sent);")?;
            } else {
                let key = keepsake_contract::camel(&param.name);
                write!(body, "sent.put({key:?}, {});", self.wrapped(&param.ty, &name)?)?;
            }
        }
        for (key, value) in &function.with {
            write!(body, "sent.put({key:?}, {});", literal(value)?)?;
        }
        let sent = if body.is_empty() { "Writer::default()" } else { "sent" };
        if !body.is_empty() {
            body.insert_str(0, "let mut sent = Writer::default();");
        }
        let verb = &function.verb;
        let Some(Type::Result(ok, _)) = &function.result else { bail!("`{}` cannot fail", function.name) };
        match (ok, function.answer.as_slice()) {
            (None, _) => write!(body, "call({memory}, {verb:?}, {sent}).map(|_| ())")?,
            (Some(_), []) if function.boxed => {
                write!(
                    body,
                    "answer::<Vec<Boxed>>({memory}, {verb:?}, {sent}).map(|values| values.into_iter().map(|value| value.0).collect())"
                )?;
            }
            (Some(ty), []) if self.has_json(ty)? => {
                let told = self.unmarked(ty, "value")?;
                write!(body, "answer::<{}>({memory}, {verb:?}, {sent}).map(|value| {told})", self.marked(ty)?)?;
            }
            (Some(_), []) => write!(body, "answer({memory}, {verb:?}, {sent})")?,
            (Some(_), [key]) => write!(body, "part(call({memory}, {verb:?}, {sent})?, {key:?})")?,
            (Some(_), keys) => {
                let parts = keys.iter().map(|key| format!("answer.told({key:?})?")).collect::<Vec<_>>();
                write!(
                    body,
                    "let mut answer = fields(call({memory}, {verb:?}, {sent})?)?; Ok(({}))",
                    parts.join(", ")
                )?;
            }
        }
        Ok(body)
    }

    /// The Rust type of the bindings.
    fn rust(&self, interface: &str, ty: &Type) -> Result<String> {
        Ok(match self.contract.resolved(ty)? {
            Type::Json | Type::JsonObject | Type::String => "String".to_owned(),
            Type::U8 => "u8".to_owned(),
            Type::Option(item) => format!("Option<{}>", self.rust(interface, item)?),
            Type::List(item) => format!("Vec<{}>", self.rust(interface, item)?),
            Type::Tuple(items) => {
                let items = items.iter().map(|item| self.rust(interface, item)).collect::<Result<Vec<_>>>()?;
                format!("({})", items.join(", "))
            }
            Type::Result(ok, error) => {
                let part =
                    |ty: &Option<Box<Type>>| ty.as_ref().map_or(Ok("()".to_owned()), |ty| self.rust(interface, ty));
                format!("Result<{}, {}>", part(ok)?, part(error)?)
            }
            Type::Borrow(name) => format!("{interface}::{}Borrow<'_>", upper(name)),
            Type::Own(name) => path(interface, name),
            other => self.marked(other)?,
        })
    }
}

/// The type behind a resource.
fn handle(resource: &str) -> Result<&'static str> {
    match resource {
        "memory" => Ok("Open"),
        "session" => Ok("Session"),
        other => bail!("what is a `{other}`?"),
    }
}
