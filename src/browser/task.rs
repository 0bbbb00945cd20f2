//! Work that begins at once and goes on to its end, whoever waits for it.
//!
//! A transaction ends when it has no request left and nobody issues another one in the event of the last. An executor
//! that polls a call later than that would end it too early, and a call that is dropped would leave half of its
//! requests: so each call on the database is a task of its own. Its first poll happens at once, because the requests
//! that it issues then are on their way while the caller computes.

use crate::store::StoreError;
use futures_channel::oneshot;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use wasm_bindgen_futures::spawn_local;

/// Runs `work`. A caller that is dropped does not stop it.
pub(super) fn run<T: 'static>(
    work: impl Future<Output = Result<T, StoreError>> + 'static,
) -> impl Future<Output = Result<T, StoreError>> {
    let mut work = Box::pin(work);
    let begun = match poll_once(work.as_mut()) {
        Poll::Ready(done) => Err(done),
        Poll::Pending => {
            let (tell, told) = oneshot::channel();
            spawn_local(async move {
                // The caller may be gone.
                drop(tell.send(work.await));
            });
            Ok(told)
        }
    };
    async {
        match begun {
            Err(done) => done,
            Ok(told) => told.await.unwrap_or(Err(StoreError::Closed)),
        }
    }
}

/// Polls a future that will be polled again by its own task: what it would issue first is issued now.
pub(super) fn poll_once<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Waits for either of two futures; the second one is polled only if the first is not ready.
pub(super) async fn either<A: Future + Unpin, B: Future + Unpin>(
    one: &mut A,
    other: &mut B,
) -> Either<A::Output, B::Output> {
    std::future::poll_fn(|context| {
        if let Poll::Ready(done) = Pin::new(&mut *one).poll(context) {
            return Poll::Ready(Either::One(done));
        }
        Pin::new(&mut *other).poll(context).map(Either::Other)
    })
    .await
}

/// Which of two futures was ready.
pub(super) enum Either<A, B> {
    One(A),
    Other(B),
}
