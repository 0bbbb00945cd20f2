//! The routes of the HTTP API, from the attributes of functions.

use crate::Http;
use anyhow::{Context, Result, bail};

/// Parses the value of `@http`: `METHOD path`, `writes` or `creates` if the call changes data, and after `->` the
/// fields of the answer.
pub(crate) fn route(value: &str, defaults: Vec<(String, String)>, most: Vec<(String, String)>) -> Result<Http> {
    let (request, answer) = value.split_once(" -> ").unwrap_or((value, ""));
    let mut answer = answer.split_whitespace().map(str::to_owned);
    let mut words = request.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else { bail!("`@http {value}` names no route") };
    if !["GET", "POST", "PATCH", "DELETE"].contains(&method) {
        bail!("`@http {value}` has no method of the API");
    }
    let writes = match words.next() {
        None => None,
        Some("writes") => Some(200),
        Some("creates") => Some(201),
        Some(word) => bail!("`{word}` of `@http {value}` must be `writes` or `creates`"),
    };
    let number = |(name, most): (String, String)| {
        let most = most.parse().with_context(|| format!("`@most {name}={most}` is no number"))?;
        Ok((name, most))
    };
    Ok(Http {
        method: method.to_owned(),
        path: path.to_owned(),
        writes,
        answer: answer.next(),
        next: answer.next(),
        defaults,
        most: most.into_iter().map(number).collect::<Result<_>>()?,
    })
}

impl Http {
    /// The argument in the path.
    pub fn name(&self) -> Option<&str> {
        let (_, rest) = self.path.split_once('{')?;
        rest.split_once('}').map(|(name, _)| name)
    }

    /// Whether a request has a body.
    pub fn has_body(&self) -> bool {
        matches!(self.method.as_str(), "POST" | "PATCH")
    }
}

#[cfg(test)]
mod tests {
    use super::route;

    #[test]
    fn a_route_is_read() {
        let most = vec![("limit".to_owned(), "9".to_owned())];
        let page = route("GET entries/{id} -> entries next", Vec::new(), most).unwrap();
        assert_eq!((page.method.as_str(), page.path.as_str(), page.writes), ("GET", "entries/{id}", None));
        assert_eq!((page.answer.as_deref(), page.next.as_deref()), (Some("entries"), Some("next")));
        assert_eq!((page.name(), page.has_body(), page.most[0].1), (Some("id"), false, 9));
        let write = route("POST entries creates", Vec::new(), Vec::new()).unwrap();
        assert_eq!((write.writes, write.answer.as_deref(), write.has_body()), (Some(201), None, true));
    }

    #[test]
    fn a_route_that_makes_no_sense_is_refused() {
        for value in ["", "GET", "PUT entries", "POST entries sometimes"] {
            assert!(route(value, Vec::new(), Vec::new()).is_err(), "{value}");
        }
    }
}
