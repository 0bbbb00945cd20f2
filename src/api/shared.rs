//! Memories for the threads of an async server. A [`Memory`] belongs to one thread; here a thread of its own has it, and
//! handles that any thread may clone and use send it their calls.

#![allow(clippy::disallowed_methods, reason = "a door has the threads of the operating system")]

use super::{DefaultEnv, Memory};
use crate::memory::{Env, Error};
use crate::store::Store;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::thread;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinSet, LocalSet, spawn_local};

/// A thread that owns memories. It ends when its last handle and the last handle to a memory on it are dropped, after the
/// calls that are under way.
///
/// One thread serves many memories: a call of one of them runs while the others wait for their storage. Start several, and
/// divide the users among them, if searches use up one processor.
#[derive(Clone)]
pub struct MemoryThread {
    jobs: mpsc::UnboundedSender<Job>,
}

/// Starts something on the thread.
type Job = Box<dyn FnOnce() + Send>;

/// A handle to one memory, for any number of tasks on any thread.
///
/// ```
/// use keepsake::{LongTerm, MemStore, Memory, MemoryThread};
///
/// # #[tokio::main(flavor = "multi_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let thread = MemoryThread::start()?;
/// let memory = thread.open(|| Memory::open(MemStore::new(), "u-42")).await?;
///
/// let handle = memory.clone();
/// let task = tokio::spawn(async move {
///     handle.try_run(|memory| memory.add("Deploy keys rotate on Mondays").namespace(LongTerm)).await
/// });
/// task.await??;
/// let hits = memory.try_run(|memory| memory.search("When do deploy keys change?").limit(5)).await?;
/// assert_eq!(hits.len(), 1);
/// memory.close().await?;
/// # Ok(()) }
/// ```
pub struct SharedMemory<S, E = DefaultEnv> {
    requests: mpsc::UnboundedSender<Request<S, E>>,
    /// Keeps the thread alive.
    _thread: MemoryThread,
}

enum Request<S, E> {
    Call(Call<S, E>),
    Close(oneshot::Sender<Result<(), Error>>),
}

/// Begins a call, as a task in this set.
type Call<S, E> = Box<dyn FnOnce(Memory<S, E>, &mut JoinSet<()>) + Send>;

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The memory refused it.
    Memory(Error),
    /// The call panicked. It may have done a part of its work; other calls go on.
    Panicked,
    /// The memory was closed before the call began.
    Closed,
}

impl MemoryThread {
    /// Starts a thread without memories.
    pub fn start() -> io::Result<Self> {
        // With the timers and sockets of the program's tokio, for calls that use them.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (jobs, waiting) = mpsc::unbounded_channel();
        thread::Builder::new().name("keepsake-memory".into()).spawn(move || serve_jobs(&runtime, waiting))?;
        Ok(Self { jobs })
    }

    /// Opens a memory on the thread: `open` is called there.
    pub async fn open<S, E, F, Opening>(&self, open: F) -> Result<SharedMemory<S, E>, CallError>
    where
        S: Store + 'static,
        E: Env + 'static,
        F: FnOnce() -> Opening + Send + 'static,
        Opening: IntoFuture<Output = Result<Memory<S, E>, Error>> + 'static,
    {
        let (reply, opened) = oneshot::channel();
        let job = move || {
            spawn_local(async move {
                let requests = open().await.map(|memory| {
                    let (requests, waiting) = mpsc::unbounded_channel();
                    spawn_local(serve_calls(memory, waiting));
                    requests
                });
                // Without a receiver the memory closes at once: nobody has a handle to it.
                let _ = reply.send(requests);
            });
        };
        // The thread receives for as long as this handle exists; only a panic of `open` drops the reply.
        self.jobs.send(Box::new(job)).map_err(|_| CallError::Closed)?;
        let requests = opened.await.map_err(|_| CallError::Panicked)??;
        Ok(SharedMemory { requests, _thread: self.clone() })
    }
}

impl<S: Store + 'static, E: Env + 'static> SharedMemory<S, E> {
    /// Runs `call` with the memory, on its thread, and returns what it returns. Calls that overlap run at the same time, as
    /// those of one memory do, and begin in the order in which they were first polled.
    ///
    /// A call whose future is dropped has no effect if it has not begun, and otherwise runs to its end.
    pub async fn run<T, F, Calling>(&self, call: F) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: FnOnce(Memory<S, E>) -> Calling + Send + 'static,
        Calling: IntoFuture<Output = T> + 'static,
    {
        let (reply, result) = oneshot::channel();
        let begin = move |memory: Memory<S, E>, calls: &mut JoinSet<()>| {
            calls.spawn_local(async move {
                if reply.is_closed() {
                    return;
                }
                // The caller may be gone meanwhile.
                let _ = reply.send(caught(async move { call(memory).await }).await);
            });
        };
        self.requests.send(Request::Call(Box::new(begin))).map_err(|_| CallError::Closed)?;
        result.await.map_err(|_| CallError::Closed)?
    }

    /// Like [`run`](Self::run), for a call that can fail: its error is [`CallError::Memory`].
    pub async fn try_run<T, F, Calling>(&self, call: F) -> Result<T, CallError>
    where
        T: Send + 'static,
        F: FnOnce(Memory<S, E>) -> Calling + Send + 'static,
        Calling: IntoFuture<Output = Result<T, Error>> + 'static,
    {
        Ok(self.run(call).await??)
    }

    /// Waits for the calls that have begun, then closes the memory. Later calls of every handle fail with
    /// [`CallError::Closed`]; closing twice is fine.
    pub async fn close(&self) -> Result<(), CallError> {
        let (reply, closed) = oneshot::channel();
        if self.requests.send(Request::Close(reply)).is_err() {
            return Ok(());
        }
        Ok(closed.await.unwrap_or(Ok(()))?)
    }
}

fn serve_jobs(runtime: &Runtime, mut waiting: mpsc::UnboundedReceiver<Job>) {
    let tasks = LocalSet::new();
    tasks.block_on(runtime, async {
        while let Some(start) = waiting.recv().await {
            start();
        }
    });
    // What has begun runs to its end, even if nobody waits for it.
    runtime.block_on(tasks);
}

async fn serve_calls<S: Store, E: Env>(memory: Memory<S, E>, mut waiting: mpsc::UnboundedReceiver<Request<S, E>>) {
    let mut calls = JoinSet::new();
    let mut closing = Vec::new();
    while let Some(request) = waiting.recv().await {
        // Otherwise the set would keep every call that has ended.
        while calls.try_join_next().is_some() {}
        match request {
            Request::Call(begin) => begin(memory.clone(), &mut calls),
            Request::Close(reply) => {
                closing.push(reply);
                break;
            }
        }
    }
    waiting.close();
    while let Ok(request) = waiting.try_recv() {
        if let Request::Close(reply) = request {
            closing.push(reply);
        }
    }
    while calls.join_next().await.is_some() {}
    if !closing.is_empty() {
        let closed = memory.close().await;
        for reply in closing {
            let _ = reply.send(closed.clone());
        }
    }
}

/// The result of a call, or that it panicked.
async fn caught<T>(call: impl Future<Output = T>) -> Result<T, CallError> {
    let mut call = std::pin::pin!(call);
    poll_fn(|context| {
        // After a panic the call is not polled again, so nothing that it left half done is seen by it.
        match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
            Err(_) => Poll::Ready(Err(CallError::Panicked)),
        }
    })
    .await
}

impl<S, E> Clone for SharedMemory<S, E> {
    fn clone(&self) -> Self {
        Self { requests: self.requests.clone(), _thread: self._thread.clone() }
    }
}

impl<S, E> fmt::Debug for SharedMemory<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedMemory").field("closed", &self.requests.is_closed()).finish()
    }
}

impl fmt::Debug for MemoryThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryThread")
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Panicked => f.write_str("the call panicked; the memory and its other calls go on"),
            Self::Closed => f.write_str("the memory is closed: open it again"),
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Memory(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        match error {
            Error::Closed => Self::Closed,
            error => Self::Memory(error),
        }
    }
}
