//! Conversion of WIT values to JSON and back: the primitives of the generated conversions.

use super::bindings::keepsake::memory::types;
use super::env::HostEnv;
use super::ready::ready;
use super::store::HostStore;
use crate::codec::json;
use crate::memory::Memory;
use crate::model::{Invalid, Json, Number, Timestamp};

/// An open memory.
pub(super) type Open = Memory<HostStore, HostEnv>;

/// A value that can be encoded as an argument.
pub(super) trait ToJson {
    /// The JSON; `None` if the field is omitted.
    fn to_json(self) -> Result<Option<Json>, Invalid>;
}

/// A value that is encoded as fields of an object.
pub(super) trait Write {
    /// Adds the fields to the object.
    fn write(self, to: &mut Writer);
}

/// A value that can be decoded from an answer.
pub(super) trait FromJson: Sized {
    /// The value; `None` if the JSON has another type. A missing field is `null`.
    fn from_json(value: Json) -> Option<Self>;
}

/// A value that is decoded from fields of an object.
pub(super) trait Read: Sized {
    /// Takes the fields from the object.
    fn read(from: &mut Reader) -> Option<Self>;
}

impl<T: Write> ToJson for T {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        let mut to = Writer::default();
        self.write(&mut to);
        to.finish().map(Some)
    }
}

impl<T: Read> FromJson for T {
    fn from_json(value: Json) -> Option<Self> {
        T::read(&mut Reader::of(value)?)
    }
}

/// An object under construction. It keeps the first error.
#[derive(Default)]
pub(super) struct Writer {
    fields: Vec<(String, Json)>,
    mistake: Option<Invalid>,
}

impl Writer {
    /// Adds a field.
    pub(super) fn put(&mut self, key: &str, value: impl ToJson) {
        let made = value.to_json();
        self.add(key, made);
    }

    fn add(&mut self, key: &str, made: Result<Option<Json>, Invalid>) {
        match made {
            Ok(Some(value)) => self.fields.push((key.to_owned(), value)),
            Ok(None) => {}
            Err(mistake) => self.refuse(mistake.within(key)),
        }
    }

    fn refuse(&mut self, mistake: Invalid) {
        self.mistake.get_or_insert(mistake);
    }

    /// Adds a field of the object in the field `outer`.
    pub(super) fn put_in(&mut self, outer: &str, key: &str, value: impl ToJson) {
        let mut inner = Self::default();
        inner.put(key, value);
        match (inner.finish(), self.fields.iter_mut().find(|(name, _)| name == outer)) {
            (Ok(Json::Object(fields)), Some((_, Json::Object(known)))) => known.extend(fields),
            (Ok(fields), _) => self.fields.push((outer.to_owned(), fields)),
            (Err(mistake), _) => self.refuse(mistake.within(outer)),
        }
    }

    /// Adds a string, unless it is empty.
    pub(super) fn put_filled(&mut self, key: &str, text: String) {
        if !text.is_empty() {
            self.put(key, text);
        }
    }

    /// Adds the fields of a JSON object in `field`. Names in `known` are refused: they would be ambiguous.
    pub(super) fn rest(&mut self, field: &str, text: Option<String>, known: &[&str]) {
        let Some(text) = text else { return };
        let own = match ObjectText(text).to_json() {
            Ok(own) => own.unwrap_or_default(),
            Err(mistake) => return self.refuse(mistake.within(field)),
        };
        let mut fields = json::Fields::of("", own.clone());
        let there = self.fields.iter().map(|(name, _)| name.as_str());
        fields.own("", &known.iter().copied().chain(there).collect::<Vec<_>>());
        match (fields.finish(), own) {
            (Ok(()), Json::Object(own)) => self.fields.extend(own),
            (Ok(()), _) => {}
            (Err(mistake), _) => self.refuse(mistake.within(field)),
        }
    }

    /// The object.
    pub(super) fn finish(self) -> Result<Json, Invalid> {
        self.mistake.map_or(Ok(Json::Object(self.fields)), Err)
    }
}

/// The remaining fields of an object.
pub(super) struct Reader(Vec<(String, Json)>);

impl Reader {
    /// The fields of an object.
    pub(super) fn of(value: Json) -> Option<Self> {
        if let Json::Object(fields) = value { Some(Self(fields)) } else { None }
    }

    /// Takes a field.
    pub(super) fn value(&mut self, key: &str) -> Json {
        match self.0.iter().position(|(name, _)| name == key) {
            Some(at) => self.0.remove(at).1,
            None => Json::Null,
        }
    }

    /// Takes a field as a value of this type.
    pub(super) fn take<T: FromJson>(&mut self, key: &str) -> Option<T> {
        T::from_json(self.value(key))
    }

    /// Takes a field of an answer.
    pub(super) fn told<T: FromJson>(&mut self, key: &str) -> Result<T, types::Error> {
        self.take(key).ok_or_else(misfit)
    }

    /// Whether there is such a field.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, value)| name == key && !value.is_null())
    }

    /// Takes the tag if it has this value.
    pub(super) fn is(&mut self, tag: &str, says: &Json) -> bool {
        let is = self.0.iter().any(|(name, value)| name == tag && value == says);
        if is {
            self.value(tag);
        }
        is
    }

    /// All other fields as a JSON string; `None` if there are none.
    pub(super) fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.0);
        (!rest.is_empty()).then(|| Json::Object(rest).to_string())
    }
}

/// Any JSON as a string; the value itself on the wire.
pub(super) struct Text(pub(super) String);

impl ToJson for Text {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        json::parse(&self.0).map(Some).map_err(|_| Invalid::value("", "must be JSON text"))
    }
}

impl FromJson for Text {
    fn from_json(value: Json) -> Option<Self> {
        Some(Self(value.to_string()))
    }
}

/// Any JSON in a one-element array: a stored `null` differs from a missing value.
pub(super) struct Boxed(pub(super) Option<String>);

impl FromJson for Boxed {
    fn from_json(value: Json) -> Option<Self> {
        Some(Self(value.as_array().and_then(<[Json]>::first).map(ToString::to_string)))
    }
}

/// A JSON object as a string.
pub(super) struct ObjectText(pub(super) String);

impl ToJson for ObjectText {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        match json::parse(&self.0) {
            Ok(object @ Json::Object(_)) => Ok(Some(object)),
            Ok(_) => Err(Invalid::value("", "must be an object")),
            Err(_) => Err(Invalid::value("", "must be the JSON text of an object")),
        }
    }
}

impl FromJson for ObjectText {
    fn from_json(value: Json) -> Option<Self> {
        Some(Self(if value.is_null() { "{}".to_owned() } else { value.to_string() }))
    }
}

/// Pairs that are an object on the wire. An error names the index, because a name is text of the caller.
pub(super) struct Pairs<T>(pub(super) Vec<(String, T)>);

impl<T: ToJson> ToJson for Pairs<T> {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        let mut fields = Vec::with_capacity(self.0.len());
        for (at, (name, value)) in self.0.into_iter().enumerate() {
            let value = value.to_json().map_err(|mistake| placed(mistake, at))?;
            fields.push((name, value.unwrap_or_default()));
        }
        Ok(Some(Json::Object(fields)))
    }
}

impl<T: FromJson> FromJson for Pairs<T> {
    fn from_json(value: Json) -> Option<Self> {
        let fields = Reader::of(value)?.0.into_iter();
        fields.map(|(name, value)| Some((name, T::from_json(value)?))).collect::<Option<_>>().map(Self)
    }
}

impl ToJson for Json {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(self))
    }
}

impl ToJson for String {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(Json::String(self)))
    }
}

impl FromJson for String {
    fn from_json(value: Json) -> Option<Self> {
        if let Json::String(text) = value { Some(text) } else { None }
    }
}

impl ToJson for bool {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(self.into()))
    }
}

impl FromJson for bool {
    fn from_json(value: Json) -> Option<Self> {
        match value {
            Json::Bool(flag) => Some(flag),
            Json::Null => Some(false),
            _ => None,
        }
    }
}

/// Milliseconds since 1970.
impl ToJson for i64 {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(self.into()))
    }
}

/// A time: ISO 8601 on the wire.
impl FromJson for i64 {
    fn from_json(value: Json) -> Option<Self> {
        Timestamp::parse("", value.as_str()?).ok().map(Timestamp::millis)
    }
}

impl ToJson for u64 {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(self.into()))
    }
}

impl FromJson for u64 {
    fn from_json(value: Json) -> Option<Self> {
        if let Json::Number(digits) = value { digits.as_str().parse().ok() } else { None }
    }
}

impl ToJson for u32 {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        u64::from(self).to_json()
    }
}

impl FromJson for u32 {
    fn from_json(value: Json) -> Option<Self> {
        u64::from_json(value)?.try_into().ok()
    }
}

impl ToJson for f64 {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        if self.is_nan() {
            return Err(Invalid::value("", "must be a number"));
        }
        Ok(Some(if self.is_finite() { self.into() } else { endless(self.is_sign_negative()) }))
    }
}

impl FromJson for f64 {
    fn from_json(value: Json) -> Option<Self> {
        // Exact parsing of doubles. The core omits it because its tables would be a tenth of a page's download.
        if let Json::Number(digits) = value { digits.as_str().parse().ok() } else { None }
    }
}

/// A number of an embedding. NaN is passed on: the core validates an embedding as a whole.
impl ToJson for f32 {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        Ok(Some(if self.is_finite() { f64::from(self).into() } else { endless(self.is_sign_negative()) }))
    }
}

/// JSON has no infinity, but a number that overflows is parsed as one.
fn endless(negative: bool) -> Json {
    Json::Number(Number::from_digits(if negative { "-1e999" } else { "1e999" }))
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        self.map_or(Ok(None), ToJson::to_json)
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: Json) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::from_json(value).map(Some) }
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        let mut items = Vec::with_capacity(self.len());
        for (at, item) in self.into_iter().enumerate() {
            items.push(item.to_json().map_err(|mistake| placed(mistake, at))?.unwrap_or_default());
        }
        Ok(Some(Json::Array(items)))
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: Json) -> Option<Self> {
        match value {
            Json::Array(items) => items.into_iter().map(T::from_json).collect(),
            Json::Null => Some(Self::new()),
            _ => None,
        }
    }
}

impl<T: ToJson, U: ToJson> ToJson for (T, U) {
    fn to_json(self) -> Result<Option<Json>, Invalid> {
        let pair = [self.0.to_json()?, self.1.to_json()?];
        Ok(Some(Json::Array(pair.into_iter().map(Option::unwrap_or_default).collect())))
    }
}

/// An error in an item of a list: `[3]`, `[3].content`.
fn placed(mistake: Invalid, at: usize) -> Invalid {
    mistake.within(&format!("[{at}]"))
}

/// Runs a verb.
pub(super) fn call(memory: &Open, verb: &str, args: Writer) -> Result<Json, types::Error> {
    Ok(ready(memory.call(verb, args.finish()?))?)
}

/// Runs a verb and decodes its answer as a value of this type.
pub(super) fn answer<T: FromJson>(memory: &Open, verb: &str, args: Writer) -> Result<T, types::Error> {
    T::from_json(call(memory, verb, args)?).ok_or_else(misfit)
}

/// A field of an answer, or the answer itself if it is no object.
pub(super) fn part<T: FromJson>(answer: Json, key: &str) -> Result<T, types::Error> {
    let part = if let Json::Object(fields) = answer { Reader(fields).value(key) } else { answer };
    T::from_json(part).ok_or_else(misfit)
}

/// The fields of an answer.
pub(super) fn fields(answer: Json) -> Result<Reader, types::Error> {
    Reader::of(answer).ok_or_else(misfit)
}

/// The core and the contract disagree: a bug of the library, not an error of the caller.
pub(super) fn misfit() -> types::Error {
    types::Error::Corrupt("an answer does not fit its type in wit/".to_owned())
}
