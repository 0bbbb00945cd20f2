//! Plan, commit, apply. On a write conflict: catch up, plan again and retry.

use super::keys::{Named, is_there_after};
use super::plan::{Plan, Unread};
use super::segments::{SPAN, sealed};
use super::slices::{LINK, RECORD};
use super::state::{Batch, DocChange, Shelf, State, Step, doc};
use super::talk::Talk;
use super::writers::{Next, Turn};
use super::{Env, Error, Memory};
use crate::log::{Change, Head, Link, Page};
use crate::model::Timestamp;
use crate::store::{Durability, Key, Revision, Space, Store, StoreError};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;

/// The number of consecutive refusals without another writer's commit before a write gives up. A conflict with another
/// writer does not count: it means that some commit succeeded.
const MAX_REFUSALS: u32 = 64;

/// The number of log pages or records per read.
const PAGE: usize = 256;

/// The number of links after which a step ends: a page has as many as its commit, and their records are in memory.
const MOST_LINKS: usize = 2048;

/// The most evictions kept until they are polled.
const MAX_EVICTED: usize = 1000;

/// The most documents that are indexed while the storage writes: at once, because a commit has begun.
const MOST_WHILE_WRITING: usize = 16;

/// The most documents of a step that is applied without slices.
const AT_ONCE: usize = 64;

/// Guards a step that is being applied. If the call is dropped halfway, the index is discarded and loaded again.
struct Partial<'a> {
    state: &'a RefCell<State>,
    dropped: &'a Cell<u64>,
    done: bool,
}

impl Drop for Partial<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.state.borrow_mut().shelf = None;
            self.dropped.set(self.dropped.get() + 1);
        }
    }
}

/// A plan being made.
type Planning<'a> = Pin<Box<dyn Future<Output = Result<Plan, Error>> + 'a>>;

impl<S: Store, E: Env> Memory<S, E> {
    /// Runs one write. `plan` may read the storage, and may run several times: only the last plan counts.
    pub(in crate::memory) fn write<T>(
        &self,
        durability: Durability,
        plan: impl AsyncFn(&mut Plan) -> Result<T, Error>,
    ) -> impl Future<Output = Result<T, Error>> {
        self.write_with(false, durability, plan)
    }

    /// Runs a write that erases texts, and drops what was derived from them: only then, because until the commit another
    /// call may derive it again.
    pub(in crate::memory) async fn write_erasing<T>(
        &self,
        plan: impl AsyncFn(&mut Plan) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.write(Durability::Relaxed, plan).await?;
        self.inner.derived.borrow_mut().clear();
        Ok(answer)
    }

    /// Runs one write that may share a commit with others that wait at the same time. `plan` must see what earlier writes
    /// have planned, or fail: then it runs again after their commit.
    pub(in crate::memory) fn write_together<T>(
        &self,
        plan: impl AsyncFn(&mut Plan) -> Result<T, Error>,
    ) -> impl Future<Output = Result<T, Error>> {
        self.write_with(true, Durability::Relaxed, plan)
    }

    async fn write_with<T>(
        &self,
        joins: bool,
        durability: Durability,
        plan: impl AsyncFn(&mut Plan) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = Cell::new(None);
        let (run, kept) = (&plan, &answer);
        let planning = move |mut draft: Plan| -> Planning<'_> {
            Box::pin(async move {
                kept.set(Some(run(&mut draft).await?));
                Ok(draft)
            })
        };
        self.write_planned(joins, durability, &planning).await?;
        answer.take().ok_or(Error::Closed)
    }

    /// The non-generic part of `write`: one copy in the binary, whose size is download size.
    async fn write_planned<'a>(
        &self,
        joins: bool,
        durability: Durability,
        plan: &(dyn Fn(Plan) -> Planning<'a> + 'a),
    ) -> Result<(), Error> {
        // A watched call can be cancelled, alone.
        let turn = self.inner.writers.queue(joins && self.inner.work.borrow().is_none());
        loop {
            let draft = match turn.next().await {
                Next::Return(outcome) => return outcome,
                Next::Resolve(flight) => {
                    self.check_open()?;
                    if self.is_committed(flight.to, flight.head).await {
                        self.refresh().await?;
                        turn.resolve(flight);
                    } else {
                        turn.again();
                    }
                    continue;
                }
                Next::Plan => turn.take(),
            };
            self.check_open()?;
            let (others, given_up) = (turn.others(), turn.given_up());
            let draft = match draft {
                Some(draft) => draft,
                None => {
                    // Not `cfg!`: the code of a future that is never polled would still be in the module.
                    #[cfg(feature = "full")]
                    self.check_note().await?;
                    let state = self.inner.state.borrow();
                    let mut draft = Plan::new(self.inner.keys.clone(), state.revision, state.head, self.now()?);
                    draft.dropped = self.inner.dropped.get();
                    draft
                }
            };
            let before = draft.weight();
            let planning = plan(draft);
            #[cfg(feature = "full")]
            let planning = self.planning(planning);
            let mut planned = match planning.await {
                Ok(planned) => planned,
                Err(_) if others > 0 => {
                    turn.step_back();
                    continue;
                }
                Err(error @ Error::Store(_)) => return Err(error),
                Err(error) => {
                    // The plan may have failed because the storage was emptied.
                    self.refresh().await?;
                    return Err(error);
                }
            };
            if others > 0 {
                self.rest(RECORD + planned.weigh() - before).await;
                if turn.given_up() != given_up {
                    continue;
                }
            }
            let Some(planned) = turn.pass(planned) else { continue };
            self.commit(&turn, planned, durability, given_up).await?;
        }
    }

    /// Commits a plan for the calls that share it, and tells them. If it was not written, they are to plan again.
    async fn commit(
        &self,
        turn: &Turn<'_>,
        mut planned: Plan,
        durability: Durability,
        given_up: u64,
    ) -> Result<(), Error> {
        let mut said = std::mem::take(&mut planned.said);
        let mut unread = std::mem::take(&mut planned.unread);
        let seals = sealed(planned.before.seq) != sealed(planned.last_seq());
        if seals || said.len() + unread.len() > MOST_WHILE_WRITING {
            // A segment that this commit stores includes these entries and messages. Many of them are indexed in slices.
            let mut batch = Batch::default();
            for unread in unread.drain(..) {
                self.index_new(&unread, &mut batch, &mut planned.docs);
                self.breathe(RECORD + unread.content.len()).await;
            }
            for said in said.drain(..) {
                let bytes = self.index_said(&said, &mut batch, &mut planned.docs);
                self.breathe(RECORD + bytes).await;
            }
            batch.finish(&mut planned.docs);
        }
        let evicted = std::mem::take(&mut planned.evicted);
        let unsaved = self.plan_segments(&mut planned).await?;
        let head = self.head_after(planned.before, &planned.links).await;
        self.breathe(0).await;
        if self.inner.dropped.get() != planned.dropped {
            // Part of the plan was made without the index.
            turn.again();
            return Ok(());
        }
        if turn.given_up() != given_up {
            return Ok(());
        }
        self.begin_commit();
        let (batch, mut step) = planned.finish(durability, head);
        turn.begin(step.to, step.head);
        // Messages are indexed only if the index is loaded.
        let mut hear = |step: &mut Step| {
            if self.inner.state.borrow().shelf.is_some() {
                let mut batch = Batch::default();
                unread.drain(..).for_each(|unread| self.index_new(&unread, &mut batch, &mut step.docs));
                for said in said.drain(..) {
                    self.index_said(&said, &mut batch, &mut step.docs);
                }
                batch.finish(&mut step.docs);
            }
        };
        let mut commit = pin!(self.inner.store.commit(batch));
        let begun = poll_fn(|context| Poll::Ready(commit.as_mut().poll(context))).await;
        // Index while the storage writes.
        hear(&mut step);
        let committed = match begun {
            Poll::Ready(committed) => committed,
            Poll::Pending => commit.await,
        };
        let outcome = match committed {
            Ok(_) => Ok(()),
            Err(StoreError::Conflict { current }) if current < step.from => Err(StoreError::Lost),
            Err(StoreError::Conflict { current }) => {
                self.catch_up(current).await?;
                // A storage may also report a revision that its log does not reach.
                let moved = self.inner.state.borrow().revision != step.from;
                let tries = turn.tried(|tries| {
                    tries.conflicts = tries.conflicts.saturating_add(1);
                    tries.refusals = if moved { 0 } else { tries.refusals + 1 };
                });
                if tries.refusals == MAX_REFUSALS {
                    let contended = Err(Error::Contended { tries: tries.refusals });
                    turn.end(&contended);
                    return contended;
                }
                self.back_off(tries.conflicts).await?;
                turn.again();
                return Ok(());
            }
            // The response may be lost although the write succeeded.
            Err(StoreError::Failed(_)) if self.is_committed(step.to, step.head).await => Ok(()),
            // The storage may take fewer operations than this.
            Err(error) if error.may_be_size() && turn.in_parts() => return Ok(()),
            Err(error) => Err(error),
        };
        if outcome.is_ok() {
            // The index may have been loaded while we awaited.
            hear(&mut step);
            if step.docs.len() > AT_ONCE {
                let _turn = self.inner.reads.enter().await;
                self.apply_in_slices(&step).await;
            } else {
                self.inner.state.borrow_mut().apply(&step);
            }
            if let Some(shelf) = &mut self.inner.state.borrow_mut().shelf {
                shelf.unsaved = unsaved;
            }
            if let Some(all) = &mut *self.inner.evicted.borrow_mut() {
                all.extend(evicted.iter().cloned());
                // If nobody polls, the oldest are dropped.
                let late = all.len().saturating_sub(MAX_EVICTED);
                all.drain(..late);
            }
        }
        turn.end(&outcome.map_err(Error::from));
        Ok(())
    }

    /// Indexes a new entry of a plan.
    fn index_new(&self, new: &Unread, batch: &mut Batch, docs: &mut [DocChange]) {
        let words = self.words(&new.record.entry, &new.content);
        batch.add(&doc(&new.record, &words, &new.vector), new.doc, docs);
    }

    /// Polls the plan. Other calls are polled in between, so the flag is set only during each poll.
    #[cfg(feature = "full")]
    async fn planning(&self, mut plan: Planning<'_>) -> Result<Plan, Error> {
        poll_fn(|context| {
            let before = self.inner.planning.replace(true);
            let polled = plan.as_mut().poll(context);
            self.inner.planning.set(before);
            polled
        })
        .await
    }

    /// The head of the chain after these links.
    async fn head_after(&self, mut head: Head, links: &[Link]) -> Head {
        for link in links {
            head = head.then(link);
            self.rest(LINK).await;
        }
        head
    }

    /// Whether the log has this head at this revision. Records are salted, so no other commit has the same hash; one that
    /// only deletes has the same effect whoever committed it.
    async fn is_committed(&self, to: Revision, head: Head) -> bool {
        let found = self.fetch(Space::Log, &[self.inner.keys.log_page(to)]).await;
        let page = found.ok().and_then(|values| Page::decode(values.into_iter().next()??.as_slice()).ok());
        page.is_some_and(|page| page.after() == head)
    }

    /// Waits for a random time whose bound doubles with each conflict.
    async fn back_off(&self, conflicts: u32) -> Result<(), Error> {
        if conflicts > 2 {
            let [chance] = self.entropy()?;
            self.inner.env.pause(u32::from(chance) % (1 << conflicts.min(7))).await;
        }
        Ok(())
    }

    /// Catches up after a change notification, or always if none has ever arrived.
    pub(in crate::memory) async fn refresh_if_told(&self) -> Result<(), Error> {
        let hints = self.inner.hints.get();
        if hints > 0 && hints == self.inner.heard.get() {
            return self.check_open();
        }
        self.refresh().await?;
        // Set after the refresh: a concurrent call must not be answered from the old state. Another hint may have
        // arrived.
        self.inner.heard.set(self.inner.heard.get().max(hints));
        Ok(())
    }

    /// Catches up with everything that others have committed before this call.
    pub(in crate::memory) async fn refresh(&self) -> Result<(), Error> {
        self.check_open()?;
        let known = self.inner.state.borrow().revision;
        let current = self.current_revision().await?;
        match current.cmp(&known) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => Err(StoreError::Lost.into()),
            std::cmp::Ordering::Greater => {
                self.catch_up(current).await?;
                let reached = self.inner.state.borrow().revision;
                // The log must reach the revision of the guard; otherwise it was cut off.
                if reached < current { Err(StoreError::Lost.into()) } else { Ok(()) }
            }
        }
    }

    /// Applies the log up to a revision that was observed in the storage, or up to its end. No further: a busy writer
    /// would never let it finish.
    async fn catch_up(&self, until: Revision) -> Result<(), Error> {
        let _turn = self.inner.reads.enter().await;
        loop {
            let (from, head, wants_records) = {
                let state = self.inner.state.borrow();
                (state.revision, state.head, state.shelf.is_some())
            };
            if from >= until {
                return Ok(());
            }
            match self.next_step(from, head, wants_records).await? {
                Some(step) => self.apply_in_slices(&step).await,
                None => return Ok(()),
            }
        }
    }

    /// Applies a step in slices. The caller holds the read lane, so no reader sees a part of the step.
    async fn apply_in_slices(&self, step: &Step) {
        if self.inner.state.borrow().revision != step.from {
            return;
        }
        let mut partial = Partial { state: &self.inner.state, dropped: &self.inner.dropped, done: false };
        partial.state.borrow_mut().begin(step);
        for at in 0..step.docs.len() {
            let taken = self.inner.state.borrow_mut().take(step, at..at + 1);
            self.rest(RECORD + taken).await;
        }
        self.inner.state.borrow_mut().finish(step);
        partial.done = true;
    }

    /// Loads the index unless it is loaded.
    pub(in crate::memory) async fn load_shelf(&self) -> Result<(), Error> {
        let _turn = self.inner.reads.enter().await;
        let (revision, head) = {
            let state = self.inner.state.borrow();
            if state.shelf.as_ref().is_some_and(|shelf| !shelf.is_worn()) {
                return Ok(());
            }
            (state.revision, state.head)
        };
        let with = |shelf: Shelf| State { revision, head, shelf: Some(shelf), ..State::default() };
        let mut fresh = if revision == Revision::default() {
            // Nothing was written yet, so there is nothing to read.
            with(Shelf::default())
        } else if let Some(read) = self.read_segments().await? {
            read
        } else {
            // The records may be newer than `revision`. Applying the log from there is idempotent.
            with(self.read_records(head).await?)
        };
        // Up to the known revision, and no further: see `catch_up`. It includes our own writes in the meantime.
        while fresh.revision < self.inner.state.borrow().revision {
            match self.next_step(fresh.revision, fresh.head, true).await? {
                Some(step) => {
                    fresh.begin(&step);
                    for at in 0..step.docs.len() {
                        let taken = fresh.take(&step, at..at + 1);
                        self.breathe(RECORD + taken).await;
                    }
                    fresh.finish(&step);
                }
                None => return Err(StoreError::Lost.into()),
            }
        }
        // Loading it once more would not help.
        if let Some(shelf) = fresh.shelf.as_mut().filter(|shelf| shelf.is_worn()) {
            shelf.index.tidy();
        }
        // The cached sessions may be older than the new state, so they are dropped.
        *self.inner.state.borrow_mut() = fresh;
        Ok(())
    }

    /// The index, built from all records.
    async fn read_records(&self, head: Head) -> Result<Shelf, Error> {
        let mut shelf = Shelf { unsaved: (sealed(head.seq) > 0).then_some(0), ..Shelf::default() };
        let keys = &self.inner.keys;
        let mut ranges = vec![
            keys.words_of_values(),
            keys.entities(),
            keys.steps(),
            keys.skills(),
            keys.histories(None),
            keys.messages(None),
            keys.entries(),
        ];
        while let Some(range) = ranges.pop() {
            let page = self.page(Space::Records, &range, PAGE).await?;
            for change in self.leaves(page.items, true).await? {
                let taken = shelf.apply(&change, sealed(head.seq) * SPAN);
                self.breathe(RECORD + taken).await;
            }
            ranges.extend(page.next.map(|next| range.from(next)));
        }
        Ok(shelf)
    }

    /// The index changes for these records; records whose body was deleted meanwhile are skipped. Vectors of messages
    /// and histories are read only if `embedded`.
    async fn leaves(&self, records: Vec<(Key, Vec<u8>)>, embedded: bool) -> Result<Vec<DocChange>, Error> {
        let (records, talk): (Vec<_>, Vec<_>) =
            records.into_iter().partition(|(key, _)| self.inner.keys.entries().contains(key));
        let (mut leaves, mut batch) = (Vec::new(), Batch::default());
        let mut vectors = if embedded { self.read_talk_vectors(&talk).await? } else { Vec::new() }.into_iter();
        for (key, bytes) in talk {
            let vector = vectors.next().unwrap_or_default();
            let mut index = |talk: &Talk<'_>| self.write_talk(talk, &mut |doc| batch.push(doc, &mut leaves));
            self.read_talk(&key, &bytes, &vector, &mut index).await?;
            self.breathe(RECORD + bytes.len()).await;
        }
        let read = self.with_contents(records).await?;
        let vectors = self.read_vectors(&read.iter().map(|(record, _)| record).collect::<Vec<_>>()).await?;
        for ((record, content), vector) in read.into_iter().zip(vectors) {
            let Some(content) = content else { continue };
            batch.push(&doc(&record, &self.words(&record.entry, &content), &vector), &mut leaves);
            self.breathe(RECORD + content.len()).await;
        }
        batch.finish(&mut leaves);
        Ok(leaves)
    }

    /// The next part of the log after `from`, with its index changes; `None` at the end of the log.
    pub(super) async fn next_step(
        &self,
        from: Revision,
        head: Head,
        wants_records: bool,
    ) -> Result<Option<Step>, Error> {
        let (mut to, mut after) = (from, head);
        let mut touched: Vec<(Vec<u8>, Change)> = Vec::new();
        let pages = self.page(Space::Log, &self.inner.keys.log_after(from), PAGE).await?;
        for (key, bytes) in &pages.items {
            to = to.next();
            let page = Page::decode(bytes)?;
            // A log that does not continue the known chain is another log: the storage was emptied or replaced (F9).
            if *key != self.inner.keys.log_page(to) || page.before != after {
                return Err(StoreError::Lost.into());
            }
            after = self.head_after(after, &page.links).await;
            touched.extend(page.links.into_iter().map(|link| (link.key, link.change)));
            if touched.len() >= MOST_LINKS {
                break;
            }
        }
        if to == from {
            return Ok(None);
        }
        let touched: Vec<(Named, Change)> =
            touched.into_iter().filter_map(|(suffix, change)| Some((Named::of(&suffix)?, change))).collect();
        let mut step = Step { from, to, head: after, docs: Vec::new(), sessions: Vec::new(), erased: Vec::new() };
        for (named, change) in &touched {
            if let Named::Message(session, _) | Named::History(session, _) | Named::Session(session) = named {
                step.sessions.push((session.clone(), None));
                // A history can be deleted alone; only the link of the session itself deletes everything.
                if *change == Change::Delete && matches!(named, Named::Session(_)) {
                    step.erased.push(session.clone());
                }
            }
        }
        if wants_records {
            step.docs = self.read_touched(touched).await?;
        }
        Ok(Some(step))
    }

    async fn read_touched(&self, touched: Vec<(Named, Change)>) -> Result<Vec<DocChange>, Error> {
        let mut changes = Vec::new();
        let mut wanted = Vec::new();
        // A new record has no vector yet, or the link of its vector follows.
        let embedded = touched.iter().any(|(_, change)| *change == Change::Update);
        for (named, change) in touched {
            let named = named.embedded();
            let Some((kind, id)) = named.doc() else { continue };
            if is_there_after(change) {
                wanted.push(self.inner.keys.named(&named));
            }
            // Deleted, unless the record is found below.
            changes.push(DocChange { kind, id, leaf: None });
        }
        for chunk in wanted.chunks(PAGE) {
            let values = self.fetch(Space::Records, chunk).await?;
            // A missing record was deleted later, as a later link says.
            let there = chunk.iter().zip(values).filter_map(|(key, value)| Some((key.clone(), value?))).collect();
            changes.extend(self.leaves(there, embedded).await?);
        }
        Ok(changes)
    }

    pub(in crate::memory) fn now(&self) -> Result<Timestamp, Error> {
        Ok(self.inner.env.now()?)
    }

    pub(in crate::memory) fn entropy<const N: usize>(&self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.inner.env.entropy(&mut bytes)?;
        Ok(bytes)
    }
}
