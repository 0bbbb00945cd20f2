//! The HTTP API of the contract: each route with the arguments of its verb.

use anyhow::{Result, bail};
use keepsake_contract::{Contract, Field, Function, Http, Place, Type, camel};

/// A route with the function that it calls.
pub(super) struct Route<'a> {
    pub(super) function: &'a Function,
    pub(super) http: &'a Http,
    /// The arguments of the verb, without the one in the path.
    pub(super) args: Vec<Arg<'a>>,
}

/// An argument of a verb.
pub(super) struct Arg<'a> {
    /// Its name in JSON.
    pub(super) name: String,
    pub(super) ty: Type,
    /// The record's field, if it is one.
    pub(super) field: Option<&'a Field>,
    /// Whether it is optional.
    pub(super) optional: bool,
}

impl Route<'_> {
    /// The path below `/v1/` with `*` for the name.
    pub(super) fn pattern(&self) -> String {
        match self.http.name() {
            Some(name) => self.http.path.replace(&format!("{{{name}}}"), "*"),
            None => self.http.path.clone(),
        }
    }

    /// The type of the answer, without the error.
    pub(super) fn answer(&self) -> Option<&Type> {
        let Some(Type::Result(Some(ok), _)) = &self.function.result else { return None };
        Some(ok)
    }

    /// The argument that names an item; a missing item is a 404.
    pub(super) fn missing(&self) -> Option<&str> {
        let Some(Type::Option(_)) = self.answer() else { return None };
        self.args.last().map(|arg| arg.name.as_str()).or(self.http.name())
    }
}

/// All routes, by path and method.
pub(super) fn routes(contract: &Contract) -> Result<Vec<Route<'_>>> {
    let mut routes = Vec::new();
    for (_, function) in contract.functions() {
        if let Some(http) = &function.http {
            routes.push(route(contract, function, http)?);
        }
    }
    let place = |method: &str| ["GET", "POST", "PATCH", "DELETE"].iter().position(|one| *one == method);
    routes.sort_by_key(|route| (route.pattern(), place(&route.http.method)));
    let same =
        |pair: &[Route<'_>]| pair[0].pattern() == pair[1].pattern() && pair[0].http.method == pair[1].http.method;
    if let Some(pair) = routes.windows(2).find(|pair| same(pair)) {
        bail!("`{}` and `{}` have one route", pair[0].function.verb, pair[1].function.verb);
    }
    Ok(routes)
}

fn route<'a>(contract: &'a Contract, function: &'a Function, http: &'a Http) -> Result<Route<'a>> {
    let mut args = arguments(contract, function)?;
    let verb = &function.verb;
    if let Some(name) = http.name() {
        let count = args.len();
        args.retain(|arg| arg.name != name);
        if args.len() == count {
            bail!("`{{{name}}}` in the path of `{verb}` is no argument");
        }
    }
    for name in http.defaults.iter().map(|(name, _)| name).chain(http.most.iter().map(|(name, _)| name)) {
        let Some(arg) = args.iter_mut().find(|arg| arg.name == *name) else { bail!("`{verb}` has no `{name}`") };
        arg.optional = arg.optional || http.defaults.iter().any(|(other, _)| other == name);
    }
    Ok(Route { function, http, args })
}

/// The arguments of a verb by their names in JSON.
fn arguments<'a>(contract: &'a Contract, function: &Function) -> Result<Vec<Arg<'a>>> {
    let mut args = Vec::new();
    let text = |name: &str, optional| Arg { name: name.to_owned(), ty: Type::String, field: None, optional };
    if function.session {
        args.push(text("session", false));
    }
    for param in function.params.iter().filter(|param| !matches!(param.ty, Type::Borrow(_))) {
        match contract.record(&param.ty)? {
            Some(record) if param.flat => {
                for field in &record.fields {
                    let name = match &field.place {
                        Place::Key(name) | Place::Inner(name, _) => name.clone(),
                        _ => bail!("`{}` of `{}` has no name in a request", field.name, function.verb),
                    };
                    if args.iter().all(|arg: &Arg<'_>| arg.name != name) {
                        let optional = can_be_left_out(contract, &field.ty)?;
                        args.push(Arg { name, ty: field.ty.clone(), field: Some(field), optional });
                    }
                }
            }
            _ => {
                let optional = matches!(param.ty, Type::Option(_));
                args.push(Arg { name: camel(&param.name), ty: param.ty.clone(), field: None, optional });
            }
        }
    }
    if function.agent {
        args.push(text("agent", true));
    }
    Ok(args)
}

/// Whether a field of a record may be absent in a request: an option, an empty list, or `false`.
pub(super) fn can_be_left_out(contract: &Contract, ty: &Type) -> Result<bool> {
    Ok(matches!(contract.resolved(ty)?, Type::Option(_) | Type::List(_) | Type::Bool))
}
