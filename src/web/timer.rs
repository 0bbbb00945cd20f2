//! Waiting, and not waiting too long.

use super::host::{promise, set_timeout};
use js_sys::futures::JsFuture;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// Waits about this long.
#[cfg_attr(not(feature = "testing"), allow(unreachable_pub, reason = "tests wait too"))]
pub async fn sleep(millis: u32) {
    let elapsed = promise(|resolve, _| {
        set_timeout(&resolve, millis);
    });
    // Nothing rejects it.
    let _ = JsFuture::from(elapsed).await;
}

/// What comes first: the answer, or the end of patience.
pub(super) async fn first<A, B>(answer: impl Future<Output = A>, patience: impl Future<Output = B>) -> Result<A, B> {
    let mut answer = pin!(answer);
    let mut patience = pin!(patience);
    poll_fn(|context| {
        if let Poll::Ready(answer) = answer.as_mut().poll(context) {
            return Poll::Ready(Ok(answer));
        }
        patience.as_mut().poll(context).map(Err)
    })
    .await
}
