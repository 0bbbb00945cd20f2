//! Commits: one transaction each, on the sentinel's connection.

use super::bytes::{range_to_js, to_js};
use super::carried::{carried_by, carrying, strip, takes_records};
use super::connection::Connection;
use super::early_end;
use super::failures::name_of;
use super::guard::{self, Seen, says};
use super::on_sentinel::OnSentinel;
use super::transaction::{Answer, Issued, Source, Transaction, all};
use crate::store::{Durability, Op, Revision, Space, StoreError, WriteBatch};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// The number of requests of a commit that are issued before it waits for their answers: a large batch would block the
/// page.
const GROUP: usize = 256;

/// What became of a batch.
enum Written {
    Done,
    /// Another writer was first. The current revision, if it was read.
    Conflict(Option<Revision>),
    /// Nothing is written, for this reason.
    Failed(JsValue),
}

/// As in `Store`.
pub(super) async fn commit(
    connection: &Rc<Connection>,
    seen: &Seen,
    batch: &WriteBatch,
) -> Result<Revision, StoreError> {
    // The schema is known only after opening.
    connection.open().await?;
    connection.check_writable()?;
    let mut spaces = vec![Space::Meta, Space::Log];
    for op in &batch.ops {
        if !spaces.contains(&op.space()) {
            spaces.push(op.space());
        }
    }
    let plan = Plan::new(batch, connection.is_checked());
    let transaction = connection.begin_write(&spaces, batch.durability).await?;
    match write(transaction, &plan, seen).await {
        Written::Done => {}
        Written::Conflict(Some(current)) => return Err(StoreError::Conflict { current }),
        Written::Conflict(None) => {
            let current = connection.reading(async || current(connection, seen, batch).await).await?;
            return Err(StoreError::Conflict { current });
        }
        Written::Failed(cause) => return Err(connection.failed(&cause)),
    }
    if !plan.adds {
        connection.checked();
    }
    let next = batch.base.next();
    seen.note(&batch.guard, next);
    if early_end::to_be_tried()
        && let Ok(transaction) = connection.begin_write(&[Space::Meta], Durability::Relaxed).await
    {
        wasm_bindgen_futures::spawn_local(early_end::attempt(transaction));
    }
    Ok(next)
}

/// The current revision of a batch's guard.
async fn current(connection: &Rc<Connection>, seen: &Seen, batch: &WriteBatch) -> Result<Revision, StoreError> {
    let guard = super::read::get(connection, seen, Space::Meta, std::slice::from_ref(&batch.guard)).await?;
    Revision::from_bytes(guard.into_iter().next().flatten().as_deref())
}

/// How a batch is written.
struct Plan<'a> {
    batch: &'a WriteBatch,
    /// The place of the log page among the operations.
    page: Option<usize>,
    /// The place of the record that is stored inside the page.
    carried: Option<usize>,
    /// Whether the page is added and nothing is read. The key of a log page is its revision: if the browser accepts it as
    /// a new key, no other writer has committed. That holds only for a database that was checked recently, not for one
    /// that was emptied since.
    adds: bool,
    /// Whether the page implies the guard, which need not be written then.
    tells: bool,
}

impl<'a> Plan<'a> {
    fn new(batch: &'a WriteBatch, is_checked: bool) -> Self {
        let is_page = |op: &Op| matches!(op, Op::Put(Space::Log, ..) | Op::Add(Space::Log, ..));
        let page = batch.ops.iter().position(is_page);
        let adds = is_checked && page.is_some();
        let tells = adds
            && page.is_some_and(|at| match &batch.ops[at] {
                Op::Put(_, key, _) | Op::Add(_, key, _) => says(key, &batch.guard, batch.base.next()),
                _ => false,
            });
        let carried = page.and_then(|_| carried_by(&batch.ops));
        Self { batch, page, carried, adds, tells }
    }

    /// Whether all requests are issued at once, none of which depends on an answer.
    fn is_one_step(&self) -> bool {
        self.adds && self.batch.ops.len() <= GROUP && !self.batch.ops.iter().any(takes_records)
    }

    /// Issues the request of the operation at this place; `None` if it has none.
    fn issue(&self, transaction: &OnSentinel, at: usize) -> Option<Issued<()>> {
        if self.carried == Some(at) {
            return None;
        }
        Some(match &self.batch.ops[at] {
            Op::Put(Space::Log, key, page) | Op::Add(Space::Log, key, page) if self.page == Some(at) => {
                let key = to_js(key.as_bytes());
                self.stored(page).and_then(|stored| {
                    if self.adds {
                        transaction.add(Space::Log, &stored, &key)
                    } else {
                        transaction.put(Space::Log, &stored, &key)
                    }
                })
            }
            Op::Put(space, key, value) | Op::Add(space, key, value) => {
                transaction.put(*space, &to_js(value), &to_js(key.as_bytes()))
            }
            op => match wanted(op).transpose()? {
                Ok(wanted) => transaction.delete(op.space(), &wanted),
                Err(cause) => Err(cause),
            },
        })
    }

    /// The stored value of the page.
    fn stored(&self, page: &[u8]) -> Result<JsValue, JsValue> {
        match self.carried.map(|at| &self.batch.ops[at]) {
            Some(Op::Add(_, key, value)) => carrying(page, key, value),
            _ => Ok(to_js(page)),
        }
    }
}

/// What an operation deletes.
fn wanted(op: &Op) -> Result<Option<JsValue>, JsValue> {
    match op {
        Op::Delete(_, key) => Ok(Some(to_js(key.as_bytes()))),
        Op::DeleteRange(_, range) => Ok(range_to_js(range)?.map(JsCast::unchecked_into)),
        _ => Ok(None),
    }
}

async fn write(transaction: OnSentinel, plan: &Plan<'_>, seen: &Seen) -> Written {
    let batch = plan.batch;
    if !plan.adds {
        match revision(&transaction, batch, seen).await {
            // Without a request the transaction ends by itself.
            Ok(current) if current != batch.base => return Written::Conflict(Some(current)),
            Ok(_) => {}
            Err(cause) => return Written::of_cause(cause, plan),
        }
    }
    let mut requests: Vec<Answer<()>> = Vec::new();
    let mut stripped: Vec<JsValue> = Vec::new();
    for (at, op) in batch.ops.iter().enumerate() {
        match plan.issue(&transaction, at) {
            None => continue,
            Some(Ok(request)) => requests.push(request),
            Some(Err(cause)) => {
                // Otherwise the requests issued so far would be committed.
                transaction.abort(requests).await;
                return Written::of_cause(cause, plan);
            }
        }
        if takes_records(op)
            && let Ok(Some(wanted)) = wanted(op)
        {
            stripped.push(wanted);
        }
        if requests.len() >= GROUP
            && let Err(cause) = all(std::mem::take(&mut requests)).await
        {
            return Written::of_cause(cause, plan);
        }
    }
    if !plan.tells {
        let next = to_js(&batch.base.next().to_bytes());
        match transaction.put(Space::Meta, &next, &to_js(batch.guard.as_bytes())) {
            Ok(request) => requests.push(request),
            Err(cause) => {
                transaction.abort(requests).await;
                return Written::of_cause(cause, plan);
            }
        }
    }
    if !stripped.is_empty()
        && let Err(cause) = strip(&transaction, &stripped).await
    {
        transaction.abort(requests).await;
        return Written::of_cause(cause, plan);
    }
    match transaction.end(requests, plan.is_one_step() && early_end::is_safe()).await {
        Ok(()) => Written::Done,
        Err(cause) => Written::of_cause(cause, plan),
    }
}

/// The revision of the batch's guard in this transaction.
async fn revision(transaction: &OnSentinel, batch: &WriteBatch, seen: &Seen) -> Result<Revision, JsValue> {
    let held = transaction.get(Source::Of(Space::Meta), to_js(batch.guard.as_bytes()));
    let current = guard::current(transaction, &batch.guard, seen, held).await?;
    Ok(Revision::from_bytes(current.as_deref()).unwrap_or(Revision(u64::MAX)))
}

impl Written {
    /// What a failed request says of its batch.
    fn of_cause(cause: JsValue, plan: &Plan<'_>) -> Self {
        match name_of(&cause).as_str() {
            // The page of this revision exists.
            "ConstraintError" if plan.adds => Self::Conflict(None),
            _ => Self::Failed(cause),
        }
    }
}
