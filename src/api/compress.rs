//! Compression of a conversation's view.

use super::{Session, call};
use crate::context::compress::Strategy;
use crate::memory::{Env, Error, Progress, SummaryRequest};
use crate::model::{Invalid, SessionId};
use crate::store::Store;

call! {
    /// Compresses a conversation; see [`Session::compress`].
    Compress((Result<SessionId, Invalid>, Option<Strategy>)) -> bool, |memory, given| {
        let (session, strategy) = given;
        let strategy = strategy.unwrap_or_else(|| Strategy::TreeReduce(memory.tree_reduce()));
        let progress = memory.compress(&session?, &strategy, false).await?;
        Ok(matches!(progress, Progress::Done { changed: true, .. }))
    }
}

impl<S, E> Compress<S, E> {
    /// The strategy and its limits. Default: tree-reduce, with the settings of the memory.
    pub fn strategy(self, strategy: Strategy) -> Self {
        self.edit(|(_, given)| *given = Some(strategy))
    }
}

impl<S: Store, E: Env> Compress<S, E> {
    /// The same with summaries by a model of the app. Where it answers `None`, the messages stay uncompressed until the
    /// next call.
    ///
    /// ```
    /// use keepsake::{Config, MemStore, Memory, Role};
    ///
    /// # fn main() -> Result<(), keepsake::Error> {
    /// # futures::executor::block_on(async {
    /// let mut config = Config::default();
    /// config.memory.hot_window_size = Some(4);
    /// let memory = Memory::open(MemStore::new(), "u-42").config(config).await?;
    /// let chat = memory.session("s-1");
    /// for turn in 0..8 {
    ///     chat.append(Role::User, format!("Question {turn}")).await?;
    ///     chat.append(Role::Assistant, format!("Answer {turn}")).await?;
    /// }
    /// let changed = chat.compress().summarize(async |asked| Some(format!("{} messages", asked.messages.len()))).await?;
    /// assert!(changed && !chat.histories().await?.is_empty());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub async fn summarize(self, summarize: impl AsyncFn(&SummaryRequest) -> Option<String>) -> Result<bool, Error> {
        let (session, strategy) = self.given.checked()?;
        let strategy = strategy.unwrap_or_else(|| Strategy::TreeReduce(self.memory.tree_reduce()));
        let mut progress = self.memory.compress(&session?, &strategy, true).await?;
        loop {
            match progress {
                Progress::Done { changed, .. } => return Ok(changed),
                Progress::Needs { token, texts } => {
                    let mut summaries = Vec::with_capacity(texts.len());
                    for asked in &texts {
                        summaries.push(summarize(asked).await);
                    }
                    progress = self.memory.compressed(token, summaries).await?;
                }
            }
        }
    }
}

impl<S: Store, E: Env> Session<S, E> {
    /// Replaces the oldest messages of the view by a summary, if the view is over its limits. Without a model the
    /// summary is made of their most important sentences. Returns whether the view has changed.
    pub fn compress(&self) -> Compress<S, E> {
        Compress::new(&self.memory, (self.named().map(|(session, _)| session), None))
    }
}
