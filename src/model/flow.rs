//! The state of a flow: its variables, its status, and its tasks with their dependencies (B17, B36).

use super::{Invalid, Json, Metadata, Timestamp};

/// The status of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskStatus {
    /// Not started.
    #[default]
    Pending,
    /// In progress.
    Running,
    /// Done.
    Done,
    /// Failed.
    Failed,
    /// Blocked.
    Blocked,
    /// A status of the app's own.
    Own(String),
}

/// The most bytes of a status.
const MAX_STATUS: usize = 256;

impl TaskStatus {
    /// The predefined statuses.
    const KNOWN: [Self; 5] = [Self::Pending, Self::Running, Self::Done, Self::Failed, Self::Blocked];

    /// Its name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Blocked => "blocked",
            Self::Own(word) => word,
        }
    }

    /// The status with this name: a predefined or any other one (B17).
    pub fn new(field: &str, word: &str) -> Result<Self, Invalid> {
        match word.len() {
            0 => Err(Invalid::value(field, "must not be empty")),
            1..=MAX_STATUS => {
                let known = Self::KNOWN.into_iter().find(|status| status.as_str() == word);
                Ok(known.unwrap_or_else(|| Self::Own(word.to_owned())))
            }
            actual => Err(Invalid::too_large(field, MAX_STATUS, actual)),
        }
    }
}

/// A task of a flow.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct Task {
    /// Its id, unique within the flow.
    pub id: String,
    /// Its title.
    pub title: Option<String>,
    /// Its status.
    pub status: TaskStatus,
    /// Its progress, from 0 to 1.
    pub progress: Option<f64>,
    /// The tasks that must be done before it.
    pub depends_on: Vec<String>,
    /// The error message.
    pub error: Option<String>,
    /// The app's own fields.
    pub own: Metadata,
}

/// The saved state of a flow.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "testing"), non_exhaustive)]
pub struct FlowState {
    /// The app's own values: an object.
    pub variables: Json,
    /// The app's own status.
    pub status: Option<String>,
    /// The tasks.
    pub tasks: Vec<Task>,
}

/// A saved version of a flow's state in a session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Its number, from 1 on.
    pub version: u64,
    /// The time of the save.
    pub saved_at: Timestamp,
    /// The state.
    pub state: FlowState,
    /// The app's metadata of this save.
    pub metadata: Metadata,
}

impl FlowState {
    /// Validates the tasks: unique ids, and dependencies that exist and have no cycle.
    pub fn checked(self) -> Result<Self, Invalid> {
        let place = |id: &str| self.tasks.iter().position(|task| task.id == id);
        for (at, task) in self.tasks.iter().enumerate() {
            if task.id.is_empty() {
                return Err(Invalid::value(format!("tasks[{at}].id"), "must not be empty"));
            }
            if place(&task.id) != Some(at) {
                return Err(Invalid::value(format!("tasks[{at}].id"), "must be unique"));
            }
            if task.progress.is_some_and(|progress| !(0.0..=1.0).contains(&progress)) {
                return Err(Invalid::value(format!("tasks[{at}].progress"), "must be a number from 0 to 1"));
            }
            if let Some(of) = task.depends_on.iter().position(|id| place(id).is_none()) {
                return Err(Invalid::value(
                    format!("tasks[{at}].dependsOn[{of}]"),
                    "must be the id of a task of this state",
                ));
            }
        }
        // Remove tasks without open dependencies; if none can be removed, the rest has a cycle.
        let mut waiting: Vec<&Task> = self.tasks.iter().collect();
        loop {
            let waits = |task: &&Task| task.depends_on.iter().any(|id| waiting.iter().any(|other| other.id == *id));
            let still: Vec<&Task> = waiting.iter().copied().filter(waits).collect();
            if still.len() == waiting.len() {
                break;
            }
            waiting = still;
        }
        match waiting.first().and_then(|task| place(&task.id)) {
            Some(at) => Err(Invalid::value(format!("tasks[{at}].dependsOn"), "must not form a cycle")),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(edges: &[(&str, &[&str])]) -> Result<FlowState, Invalid> {
        let task = |(id, on): &(&str, &[&str])| Task {
            id: (*id).to_owned(),
            depends_on: on.iter().map(|id| (*id).to_owned()).collect(),
            ..Task::default()
        };
        FlowState { tasks: edges.iter().map(task).collect(), ..FlowState::default() }.checked()
    }

    #[test]
    fn b17_a_cycle_of_dependencies_is_refused_by_its_place() {
        let field = |edges: &[(&str, &[&str])]| tasks(edges).unwrap_err().field().to_owned();
        assert!(tasks(&[("a", &[]), ("b", &["a"]), ("c", &["a", "b"])]).is_ok());
        assert_eq!(field(&[("a", &["a"])]), "tasks[0].dependsOn");
        assert_eq!(field(&[("x", &[]), ("a", &["c"]), ("b", &["a", "x"]), ("c", &["b"])]), "tasks[1].dependsOn");
        assert_eq!(field(&[("a", &["b"])]), "tasks[0].dependsOn[0]");
        assert_eq!(field(&[("a", &[]), ("a", &[])]), "tasks[1].id");
        assert_eq!(field(&[("", &[])]), "tasks[0].id");
    }
}
