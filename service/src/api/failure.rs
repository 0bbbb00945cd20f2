//! What went wrong, as an answer: a status, and JSON that says the same as an error of a memory.

use crate::kv::BucketError;
use keepsake::model::Json;
use keepsake::{Error, ErrorCode};

/// A request that is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    status: u16,
    code: &'static str,
    message: String,
    field: Option<String>,
    headers: Vec<(&'static str, String)>,
}

impl Refusal {
    pub(super) fn new(status: u16, code: &'static str, message: &str, field: Option<&str>) -> Self {
        Self { status, code, message: message.to_owned(), field: field.map(str::to_owned), headers: Vec::new() }
    }

    /// The refusal of an argument.
    pub(super) fn unfit(field: &str, reason: &str) -> Self {
        Self::new(400, "invalid-input", &format!("`{field}` {reason}"), Some(field))
    }

    /// A token is missing or unknown: which of the two is nobody's business.
    pub(super) fn unauthorized() -> Self {
        let refusal = Self::new(401, "unauthorized", "a bearer token is needed", Some("Authorization"));
        refusal.with("www-authenticate", "Bearer".into())
    }

    pub(super) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = error.code().status();
        Self::new(status, error.code().as_str(), &error.to_string(), error.field())
    }
}

/// A bucket's words may be anybody's: they are kept.
impl From<BucketError> for Refusal {
    fn from(_: BucketError) -> Self {
        Self::new(503, ErrorCode::StorageFailed.as_str(), "the key-value store failed", None)
    }
}

/// An answer.
#[derive(Debug)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// Its headers, with names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

impl Response {
    fn new(status: u16, kind: &str, body: String) -> Self {
        let headers = vec![
            ("content-type", kind.to_owned()),
            ("cache-control", "no-store".to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
        ];
        Self { status, headers, body: body.into_bytes() }
    }

    /// The bucket cannot be had.
    pub fn unavailable() -> Self {
        Refusal::new(503, ErrorCode::Unavailable.as_str(), "there is no key-value store here", None).into()
    }

    pub(super) fn json(status: u16, body: &Json) -> Self {
        Self::new(status, "application/json; charset=utf-8", body.to_string())
    }

    pub(super) fn text(body: &str) -> Self {
        Self::new(200, "text/plain; version=0.0.4", body.to_owned())
    }

    pub(super) fn preflight(origin: Option<&str>) -> Self {
        let mut headers = Vec::new();
        if origin.is_some() {
            headers.push(("access-control-allow-methods", "GET, POST, PATCH, DELETE".to_owned()));
            headers.push(("access-control-allow-headers", "Authorization, Content-Type, Idempotency-Key".to_owned()));
            headers.push(("access-control-max-age", "86400".to_owned()));
        }
        Self { status: 204, headers, body: Vec::new() }.shared_with(origin)
    }

    pub(super) fn shared_with(mut self, origin: Option<&str>) -> Self {
        if let Some(origin) = origin {
            self.headers.push(("access-control-allow-origin", origin.to_owned()));
            self.headers.push(("access-control-expose-headers", "Retry-After".to_owned()));
            self.headers.push(("vary", "Origin".to_owned()));
        }
        self
    }
}

impl From<Refusal> for Response {
    fn from(Refusal { status, code, message, field, headers }: Refusal) -> Self {
        let error = vec![("code", code.into()), ("message", message.into()), ("field", field.into())];
        let mut response = Self::json(status, &Json::object(vec![("error", Json::object(error))]));
        response.headers.extend(headers);
        response
    }
}
