//! Where a flow stands: its variables, its status, and its tasks with what they wait for (B17, B36).

use super::{Invalid, Json, Metadata, Timestamp};

/// How a task stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Under way.
    Running,
    /// Done.
    Done,
    /// Failed.
    Failed,
    /// Held up.
    Blocked,
    /// In a word of the app's own.
    Own(String),
}

/// The most bytes of a status.
const MAX_STATUS: usize = 256;

impl TaskStatus {
    /// The statuses with a name here.
    const KNOWN: [Self; 5] = [Self::Pending, Self::Running, Self::Done, Self::Failed, Self::Blocked];

    /// Its word.
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

    /// Takes a word: one of these, or any other (B17).
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
pub struct Task {
    /// Its id, unique within the flow.
    pub id: String,
    /// What it is.
    pub title: Option<String>,
    /// How it stands.
    pub status: TaskStatus,
    /// How far it is, from 0 to 1.
    pub progress: Option<f64>,
    /// The tasks that have to be done before it.
    pub depends_on: Vec<String>,
    /// What went wrong.
    pub error: Option<String>,
    /// Fields of the app's own.
    pub own: Metadata,
}

/// What is saved of a flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowState {
    /// The app's own values: an object.
    pub variables: Json,
    /// In a word of the app's own.
    pub status: Option<String>,
    /// The tasks.
    pub tasks: Vec<Task>,
}

/// A saved state: one of the versions that a flow has gone through in a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Its number, from 1 on.
    pub version: u64,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// The state.
    pub state: FlowState,
    /// The app's metadata of this save.
    pub metadata: Metadata,
}

impl FlowState {
    /// Refuses tasks that wait for themselves, for nobody, or that cannot be told apart.
    pub fn checked(self) -> Result<Self, Invalid> {
        let place = |id: &str| self.tasks.iter().position(|task| task.id == id);
        for (at, task) in self.tasks.iter().enumerate() {
            if task.id.is_empty() {
                return Err(Invalid::value(format!("tasks[{at}].id"), "must not be empty"));
            }
            if place(&task.id) != Some(at) {
                return Err(Invalid::value(format!("tasks[{at}].id"), "is the id of another task as well"));
            }
            if task.progress.is_some_and(|progress| !(0.0..=1.0).contains(&progress)) {
                return Err(Invalid::value(format!("tasks[{at}].progress"), "must be a number from 0 to 1"));
            }
            if let Some(of) = task.depends_on.iter().position(|id| place(id).is_none()) {
                return Err(Invalid::value(format!("tasks[{at}].dependsOn[{of}]"), "is no task of this state"));
            }
        }
        // Whoever waits for nobody can be done; what is left when nobody can be is a cycle.
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
            Some(at) => Err(Invalid::value(format!("tasks[{at}].dependsOn"), "leads back to the task itself")),
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
