//! Runs the futures of calls. Every poll happens inside `tick`, which JavaScript calls within a `try`: a trap is caught
//! there, and all of its calls are rejected instead of leaving promises that never settle.

use super::{Error, Host, error_json};
use crate::model::Json;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};

/// The kinds of answers: see `Host::settle`.
const FAILED: u32 = 0;
const DONE: u32 = 1;
#[cfg(feature = "full")]
const PARTLY: u32 = 2;

/// The number of items of a long answer that the host gets at once.
#[cfg(feature = "full")]
const PART: usize = 512;

type Task = Pin<Box<dyn Future<Output = ()>>>;

#[derive(Default)]
struct Executor {
    host: RefCell<Option<Rc<Host>>>,
    /// The tasks; a slot is empty while its task is polled, and after it has ended.
    tasks: RefCell<Vec<Option<Task>>>,
    free: RefCell<Vec<usize>>,
    ready: RefCell<VecDeque<usize>>,
    awake: Cell<bool>,
    /// Whether tasks are being polled: tasks that become ready meanwhile are polled without waking the host.
    polling: Cell<bool>,
}

thread_local! {
    static EXECUTOR: Executor = Executor::default();
}

/// A waker with only the slot of its task, because wakers must be `Send`. The slot may have been reused; then another
/// task is polled once too often, which is harmless.
struct Waking(usize);

impl Wake for Waking {
    fn wake(self: Arc<Self>) {
        EXECUTOR.with(|executor| executor.make_ready(self.0));
    }
}

impl Executor {
    fn make_ready(&self, task: usize) {
        self.ready.borrow_mut().push_back(task);
        if !self.polling.get()
            && !self.awake.replace(true)
            && let Some(host) = &*self.host.borrow()
        {
            host.wake();
        }
    }
}

pub(super) fn start(host: Rc<Host>) {
    EXECUTOR.with(|executor| *executor.host.borrow_mut() = Some(host));
}

/// The host, once it is set.
pub(super) fn host() -> Option<Rc<Host>> {
    EXECUTOR.with(|executor| executor.host.borrow().clone())
}

/// Runs `work` and settles `call` with its result. It is polled at once, since JavaScript makes every call within a
/// `try`; unless the call comes from one of our own tasks.
pub(super) fn run(call: u32, work: impl Future<Output = Result<Json, Error>> + 'static) {
    start_task(Box::pin(answering(call, Box::pin(work))));
}

/// One state machine for every kind of call: code size is download size.
async fn answering(call: u32, work: Pin<Box<dyn Future<Output = Result<Json, Error>>>>) {
    let (how, json) = match work.await {
        #[cfg(feature = "full")]
        Ok(Json::Array(items)) => (DONE, last_part(call, items).await.to_string()),
        Ok(answer) => (DONE, answer.to_string()),
        Err(error) => (FAILED, error_json(&error).to_string()),
    };
    if let Some(host) = host() {
        host.settle(call, how, &json);
    }
}

/// Hands over the items of a long array in parts, except for the last part: serialising and parsing all at once would
/// block the page. The small module does not: its code is the first download.
#[cfg(feature = "full")]
async fn last_part(call: u32, mut items: Vec<Json>) -> Json {
    while items.len() > PART {
        let rest = items.split_off(PART);
        let part = Json::Array(std::mem::replace(&mut items, rest)).to_string();
        if let Some(host) = host() {
            host.settle(call, PARTLY, &part);
        }
        crate::memory::Env::pause(&super::env::WebEnv, 0).await;
    }
    Json::Array(items)
}

fn start_task(task: Task) {
    EXECUTOR.with(|executor| {
        let place = {
            let mut tasks = executor.tasks.borrow_mut();
            let place = executor.free.borrow_mut().pop().unwrap_or(tasks.len());
            if place == tasks.len() {
                tasks.push(None);
            }
            tasks[place] = Some(task);
            place
        };
        executor.ready.borrow_mut().push_back(place);
    });
    tick();
}

/// Wakes the task that waits for an answer, and polls. Called by JavaScript within a `try`.
pub(super) fn go_on(waker: Option<Waker>) {
    // The host need not be woken: we poll right here.
    EXECUTOR.with(|executor| executor.awake.set(true));
    if let Some(waker) = waker {
        waker.wake();
    }
    tick();
}

pub(super) fn tick() {
    EXECUTOR.with(|executor| {
        executor.awake.set(false);
        if executor.polling.replace(true) {
            return;
        }
        loop {
            // No borrow is held while a task runs: it may start others, and wake itself.
            let Some(place) = executor.ready.borrow_mut().pop_front() else { break };
            let Some(mut task) = executor.tasks.borrow_mut()[place].take() else { continue };
            let waker = Waker::from(Arc::new(Waking(place)));
            if task.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
                executor.tasks.borrow_mut()[place] = Some(task);
            } else {
                executor.free.borrow_mut().push(place);
            }
        }
        executor.polling.set(false);
    });
}
