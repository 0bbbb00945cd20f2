//! What comes in with a request: its path, its token, its parameters and its body, each within its limits.

use super::failure::Refusal;
use super::object;
use keepsake::model::Json;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// So many bytes of what is too large are thrown away before it is said so: a connection that is closed in the middle of
/// a body takes the answer with it.
const PATIENCE_BYTES: usize = 128_000_000;

/// The pieces of a body, until there are no more.
pub type Chunks<'a> = dyn FnMut() -> Option<Vec<u8>> + 'a;

/// A request, as it came.
pub struct Request<'a> {
    /// Its method, in upper case.
    pub method: String,
    /// Its path with its parameters.
    pub target: String,
    /// Its headers, with names in lower case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Its body.
    pub body: Box<Chunks<'a>>,
}

impl Request<'_> {
    /// A header; of several with one name, all of them.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let all = self.headers.iter().filter(|(other, _)| other == name);
        let all: Vec<_> = all.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).collect();
        if all.is_empty() { None } else { Some(all.join(", ")) }
    }

    /// The bearer token, if it looks like one.
    pub(super) fn token(&self) -> Option<String> {
        let header = self.header("authorization")?;
        let (scheme, token) = header.split_once(' ')?;
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_.~+/=-".contains(&byte);
        let is_token = (1..=4096).contains(&token.len()) && token.bytes().all(fits);
        (scheme.eq_ignore_ascii_case("bearer") && is_token).then(|| token.to_owned())
    }

    /// The key under which a write is done once; none if the request has none.
    pub(super) fn once_key(&self) -> Result<Option<String>, Refusal> {
        let Some(key) = self.header("idempotency-key") else { return Ok(None) };
        if (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Ok(Some(key));
        }
        Err(Refusal::unfit("Idempotency-Key", "must be 1 to 255 visible ASCII characters"))
    }

    /// The parameters of the address. Those that nobody knows are refused by name.
    pub(super) fn parameters(&self, known: &[(&str, super::routes::Kind)]) -> Result<Vec<(String, String)>, Refusal> {
        let mut found: Vec<(String, String)> = Vec::new();
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let (name, value) = (name.into_owned(), value.into_owned());
            if known.iter().all(|(other, _)| *other != name) {
                return Err(Refusal::unfit(&name.chars().take(64).collect::<String>(), "is not known here"));
            }
            if found.iter().any(|(other, _)| *other == name) {
                return Err(Refusal::unfit(&name, "is repeated"));
            }
            found.push((name, value));
        }
        Ok(found)
    }

    /// The body: as it was sent, and the JSON object that it is. Reading ends where the limit is, whatever the request
    /// has said of its length.
    pub(super) fn body(&mut self, max_bytes: usize) -> Result<(String, Json), Refusal> {
        let mut bytes = Vec::new();
        while let Some(chunk) = (self.body)() {
            if bytes.len() + chunk.len() > max_bytes {
                let mut length = bytes.len() + chunk.len();
                drop(std::mem::take(&mut bytes));
                while let Some(chunk) = (self.body)().filter(|_| length < PATIENCE_BYTES) {
                    length += chunk.len();
                }
                let message = format!("`body` must have at most {max_bytes} bytes");
                return Err(Refusal::new(413, "too-large", &message, Some("body")));
            }
            bytes.extend(chunk);
        }
        let text = String::from_utf8(bytes).ok();
        let body = text.and_then(|text| object(&text).map(|body| (text, body)));
        body.ok_or_else(|| Refusal::unfit("body", "must be a JSON object"))
    }
}

/// The parts of a path, as they were before they were written into an address.
pub(super) struct Parts(Vec<String>);

impl Parts {
    /// Steps up are refused and not followed: a path is to mean what it says.
    pub(super) fn of(target: &str) -> Result<Self, Refusal> {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let mut parts = Vec::new();
        for part in path.split('/').skip(1) {
            if matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..") {
                return Err(Refusal::unfit("path", "must have no `.` or `..`"));
            }
            let well = part
                .split('%')
                .skip(1)
                .all(|rest| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit));
            let text = percent_decode_str(part).decode_utf8().ok().filter(|_| well);
            parts.push(text.ok_or_else(|| Refusal::unfit("path", "is badly encoded"))?.into_owned());
        }
        Ok(Self(parts))
    }

    pub(super) fn is(&self, other: &[&str]) -> bool {
        self.0 == other
    }

    /// The path in one spelling, whichever one the request had. A slash within a part stays encoded: it ends no part.
    pub(super) fn path(&self) -> String {
        self.0.iter().map(|part| format!("/{}", utf8_percent_encode(part, NON_ALPHANUMERIC))).collect()
    }
}
