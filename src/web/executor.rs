//! Runs the futures of calls. Every poll happens inside `tick`, which JavaScript enters within a `try`: a trap is caught
//! there with all the calls it takes down, instead of leaving promises that never settle.

use super::{Error, Host, error_json};
use crate::model::Json;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Wake, Waker};

/// How an answer is handed over: see `Host::settle`.
const FAILED: u32 = 0;
const DONE: u32 = 1;
#[cfg(feature = "full")]
const PARTLY: u32 = 2;

/// How many items of an answer the host gets in one go.
#[cfg(feature = "full")]
const PART: usize = 512;

type Task = Pin<Box<dyn Future<Output = ()>>>;

#[derive(Default)]
struct Executor {
    host: RefCell<Option<Rc<Host>>>,
    /// A task that is being polled, or has ended, is not in its place.
    tasks: RefCell<Vec<Option<Task>>>,
    free: RefCell<Vec<usize>>,
    ready: RefCell<VecDeque<usize>>,
    awake: Cell<bool>,
    /// Whether tasks are being polled just now: whatever gets ready meanwhile has its turn without being called for.
    polling: Cell<bool>,
}

thread_local! {
    static EXECUTOR: Executor = Executor::default();
}

/// Knows a task by its place alone, so that it can be sent anywhere, as wakers must. A place may have been given to
/// another task since; that one is then polled once too often, which is fine.
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

/// The host, once there is one.
pub(super) fn host() -> Option<Rc<Host>> {
    EXECUTOR.with(|executor| executor.host.borrow().clone())
}

/// Runs `work` and hands its outcome to the host as the answer to `call`. It begins at once, since whoever calls in from
/// JavaScript does that within a `try` as well; unless it was one of our own tasks that called out before.
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

/// Hands over the items of a long list a part at a time, but for the last part: to write and to read it in one go would block
/// the page. The small module does not: its code is the first download.
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

/// Goes on at once with what waited for something that has come. Who calls is JavaScript, within a `try`.
pub(super) fn go_on(waker: Option<Waker>) {
    // Nobody need be called: here we are.
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
