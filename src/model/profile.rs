//! The profile of a user, changed field by field, with the provenance of each field (B20).

use super::{Invalid, Json, Metadata, Timestamp};

/// The most bytes and levels of a profile.
pub const MAX_PROFILE_BYTES: usize = 256 * 1024;
const MAX_DEPTH: usize = 32;

/// A field of a profile, with its provenance.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfileField {
    /// Its path.
    pub path: Vec<String>,
    /// The source of its value.
    pub source: Option<String>,
    /// The time of the change.
    pub at: Timestamp,
    /// The app's metadata of the change.
    pub metadata: Metadata,
}

/// The provenance of a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileSource {
    /// The source of the change: a person or a program.
    pub source: Option<String>,
    /// The app's metadata of the change, stored with each field that it sets.
    pub metadata: Metadata,
}

/// The profile of the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// The object.
    pub value: Json,
    /// The provenance of its fields: one for each value that is not an object with fields.
    pub fields: Vec<ProfileField>,
    /// The number of changes.
    pub version: u64,
}

impl Default for Profile {
    fn default() -> Self {
        Self { value: Json::Object(Vec::new()), fields: Vec::new(), version: 0 }
    }
}

impl Profile {
    /// Applies changes: objects merge, `null` deletes, everything else replaces.
    pub fn merge(&mut self, changes: Json, source: &ProfileSource, at: Timestamp) -> Result<(), Invalid> {
        if !matches!(changes, Json::Object(_)) {
            return Err(Invalid::value("changes", "must be an object"));
        }
        if changes.depth() > MAX_DEPTH {
            return Err(Invalid::value("changes", format!("must be nested at most {MAX_DEPTH} levels deep")));
        }
        let mut path = Vec::new();
        self.change(changes, source, at, &mut path);
        let bytes = self.value.to_string().len();
        if bytes > MAX_PROFILE_BYTES {
            return Err(Invalid::too_large("changes", MAX_PROFILE_BYTES, bytes));
        }
        // The metadata is stored once per field, so its total may be as large as the profile.
        let said: usize = self.fields.iter().map(|field| field.metadata.bytes()).sum();
        if said > MAX_PROFILE_BYTES {
            return Err(Invalid::too_large("metadata", MAX_PROFILE_BYTES, said));
        }
        self.version += 1;
        Ok(())
    }

    fn change(&mut self, changes: Json, source: &ProfileSource, at: Timestamp, path: &mut Vec<String>) {
        let Json::Object(changes) = changes else { return };
        for (name, change) in changes {
            path.push(name);
            match change {
                // An empty object is a value like any other, unless there is an object to merge it with.
                Json::Object(fields) if !fields.is_empty() => self.change(Json::Object(fields), source, at, path),
                Json::Object(_) if matches!(find(&self.value, path), Some(Json::Object(_))) => {}
                value => {
                    self.fields.retain(|field| !field.path.starts_with(path));
                    if value.is_null() {
                        remove(&mut self.value, path);
                    } else {
                        // A plain value above it is replaced.
                        self.fields.retain(|field| !path.starts_with(&field.path));
                        set(&mut self.value, path, value);
                        let ProfileSource { source, metadata } = source.clone();
                        self.fields.push(ProfileField { path: path.clone(), source, at, metadata });
                    }
                }
            }
            path.pop();
        }
    }
}

fn find<'a>(mut value: &'a Json, path: &[String]) -> Option<&'a Json> {
    for name in path {
        let Json::Object(fields) = value else { return None };
        value = &fields.iter().find(|(field, _)| field == name)?.1;
    }
    Some(value)
}

fn set(mut target: &mut Json, path: &[String], value: Json) {
    for name in path {
        if !matches!(target, Json::Object(_)) {
            *target = Json::Object(Vec::new());
        }
        let Json::Object(fields) = target else { return };
        let at = fields.iter().position(|(field, _)| field == name).unwrap_or_else(|| {
            fields.push((name.clone(), Json::Null));
            fields.len() - 1
        });
        target = &mut fields[at].1;
    }
    *target = value;
}

/// Removes a field, and the objects that become empty.
fn remove(target: &mut Json, path: &[String]) {
    let Some((name, rest)) = path.split_first() else { return };
    let Json::Object(fields) = target else { return };
    let Some(at) = fields.iter().position(|(field, _)| field == name) else { return };
    if !rest.is_empty() {
        remove(&mut fields[at].1, rest);
    }
    let emptied = matches!(&fields[at].1, Json::Object(inner) if inner.is_empty());
    if rest.is_empty() || emptied {
        fields.remove(at);
    }
}
