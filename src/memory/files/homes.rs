//! The locations of agent and team files (A1): in the tree itself, or in a project's folder for them; and the
//! resolution of paths that models use.

use super::tree::File;
use crate::files::{
    Kind, ROOTS, TreePath, below, folder_of, path_of, plain_name, refused_in_folders, refused_to_tools,
};
use crate::memory::engine::{Env, Error, Memory};
use crate::model::Invalid;
use crate::store::{Key, Space, Store};

/// The most files in a list for a model.
const MAX_LISTED: usize = 200;

/// The marker file of a synced folder; it has no content of the user.
const RECORD: &str = ".keepsake.json";

/// A path that begins with one of these folders is not relative to the agent's own.
const SHARED: [&str; 3] = ["agents", "team-memory", ".microai"];

/// The documented files that show where an agent is, and where a team is.
const OF_AGENT: [&str; 5] =
    ["agent.md", "memory/context.md", "memory/decisions.md", "memory/learnings.md", "memory/dispatch-log.md"];
const OF_TEAM: [&str; 4] = ["context.md", "decisions.md", "handoffs.md", "blockers.md"];

impl<S: Store, E: Env> Memory<S, E> {
    /// The root of an agent's folder, which need not exist.
    pub(super) async fn agent_root(&self, agent: &str) -> Result<&'static str, Error> {
        self.root_of("agent", folder_of("", agent)?.as_str(), &OF_AGENT).await
    }

    /// The root of the team's folder, which need not exist.
    pub(super) async fn team_root(&self) -> Result<&'static str, Error> {
        self.root_of("kind", "team-memory", &OF_TEAM).await
    }

    /// The folder of an agent.
    pub(super) async fn home(&self, agent: &str) -> Result<TreePath, Error> {
        Ok(folder_of(self.agent_root(agent).await?, agent)?)
    }

    /// The path of a documented file, which need not exist.
    pub(in crate::memory) async fn place_of(&self, kind: Kind, agent: &str) -> Result<TreePath, Error> {
        let root = if kind.is_teams() { self.team_root().await? } else { self.agent_root(agent).await? };
        Ok(path_of(root, kind, agent, "")?)
    }

    /// Whether an agent has files in any location.
    pub(super) async fn has_home(&self, agent: &str) -> Result<bool, Error> {
        let files = self.files(None).await?;
        let mut homes = ROOTS.iter().map(|root| folder_of(root, agent)).collect::<Result<Vec<_>, _>>()?.into_iter();
        Ok(homes.any(|home| files.iter().any(|file| below(file.path.as_str(), home.as_str()).is_some())))
    }

    /// The root below which a folder has files. Files in both places would be two memories of one agent, so they are an
    /// error.
    async fn root_of(&self, field: &str, folder: &str, known: &[&str]) -> Result<&'static str, Error> {
        let path = |root: &str, name: &str| self.inner.keys.file(&format!("{root}{folder}/{name}"));
        let keys: Vec<Key> = ROOTS.iter().flat_map(|root| known.iter().map(move |name| path(root, name))).collect();
        let found = self.fetch(Space::Records, &keys).await?;
        let mut halves = found.chunks(known.len()).map(|files| files.iter().any(Option::is_some));
        let mut there = ROOTS.map(|_| halves.next().unwrap_or_default());
        let mut usual = ROOTS[0];
        if there == [false; ROOTS.len()] {
            // A new agent, or one with knowledge files only: use the documented root if it exists.
            let files = self.files(None).await?;
            let holds = |folder: &str| files.iter().any(|file| below(file.path.as_str(), folder).is_some());
            there = ROOTS.map(|root| holds(&format!("{root}{folder}")));
            usual = if holds(".microai/agents") { ROOTS[1] } else { ROOTS[0] };
        }
        match there {
            [true, true] => {
                let reason = "has files both in `agents/` and in `.microai/agents/`; move or delete one of the two";
                let shared =
                    "has files both in `team-memory/` and in `.microai/team-memory/`; move or delete one of the two";
                Err(Invalid::value(field, if field == "agent" { reason } else { shared }).into())
            }
            [true, false] => Ok(ROOTS[0]),
            [false, true] => Ok(ROOTS[1]),
            [false, false] => Ok(usual),
        }
    }

    /// Resolves a path from a model: from the root of the tree if it begins with `/`; a documented file in its location
    /// if it begins with `agents/` or `team-memory/`; otherwise below the folder of the model's agent.
    pub(in crate::memory) async fn meant_path(
        &self,
        field: &str,
        path: &str,
        agent: Option<&str>,
    ) -> Result<TreePath, Error> {
        if let Some(path) = path.strip_prefix('/') {
            return Ok(TreePath::new(field, path)?);
        }
        // No path leads out of the tree, whatever it is relative to.
        let plain = TreePath::new(field, path)?;
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        match (first, rest.split_once('/'), agent) {
            ("agents", Some((name, rest)), _) => Ok(self.home(name).await?.join(field, rest)?),
            ("team-memory", _, _) if !rest.is_empty() => {
                Ok(TreePath::new(field, format!("{}{path}", self.team_root().await?))?)
            }
            (first, _, Some(agent)) if !SHARED.contains(&first) => Ok(self.home(agent).await?.join(field, path)?),
            _ => Ok(plain),
        }
    }

    /// Refuses a path that a model's tool must not write, unless the app allows it.
    pub(in crate::memory) fn check_tool_path(
        &self,
        field: &str,
        path: &TreePath,
        writable: &[String],
    ) -> Result<(), Invalid> {
        match self.refused_to_tools(path, path.as_str(), writable) {
            Some(reason) => Err(Invalid::value(field, reason)),
            None => Ok(()),
        }
    }

    /// The reason why a model's tool must not change the file at `path`; `shown` is the part that the model chose.
    pub(super) fn refused_to_tools(&self, path: &TreePath, shown: &str, writable: &[String]) -> Option<String> {
        refused_to_tools(path, shown, writable, &|name| self.plain_name(name))
    }

    /// For the sync with a real folder: the normal form of a name, which is equal for names that may be one file on a
    /// disk, and the reason why it must not be written there.
    pub fn folder_name(&self, name: &str) -> (String, Option<&'static str>) {
        let plain = self.plain_name(name);
        let refused = refused_in_folders(name, &plain);
        (plain, refused)
    }

    fn plain_name(&self, name: &str) -> String {
        plain_name(&self.decomposed(name))
    }

    /// A list of the files, one per line, with the paths that a model may use: its own files first.
    pub(in crate::memory) async fn listed_for(
        &self,
        agent: Option<&str>,
        folder: Option<&str>,
    ) -> Result<String, Error> {
        let folder = match folder.map(|folder| folder.trim_end_matches('/')) {
            Some(folder) if !folder.is_empty() => Some(self.meant_path("folder", folder, agent).await?),
            _ => None,
        };
        let home = match agent {
            Some(agent) => Some(self.home(agent).await?),
            None => None,
        };
        let own = |path: &str| {
            let rest = below(path, home.as_ref()?.as_str())?;
            let first = rest.split('/').next().unwrap_or("");
            (!SHARED.contains(&first)).then(|| rest.to_owned())
        };
        let files = self.files(folder.as_ref()).await?;
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for File { path, .. } in files.iter().filter(|file| file.path.as_str() != RECORD) {
            match own(path.as_str()) {
                Some(rest) => mine.push(rest),
                None => others.push(format!("/{}", path.as_str())),
            }
        }
        mine.append(&mut others);
        if mine.is_empty() {
            return Ok("There are no files yet.".to_owned());
        }
        let more = mine.len().saturating_sub(MAX_LISTED);
        mine.truncate(MAX_LISTED);
        if more > 0 {
            mine.push(format!("… and {more} more; name a folder to see them"));
        }
        Ok(mine.join("\n"))
    }
}
