//! Futures without a runtime: calls to the host are synchronous, so every future is ready at the first poll.

use crate::memory::Error;
use crate::store::StoreError;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The output of a future that is ready at the first poll. A pending one is an error: nothing could ever wake it.
pub(super) fn ready<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => Err(StoreError::Failed("a call had to wait, and a component cannot".into()).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ErrorCode;

    #[test]
    fn answers_come_through_and_waiting_is_an_error() {
        assert_eq!(ready(async { Ok(7) }), Ok(7));
        assert_eq!(ready(async { Err::<(), _>(Error::Closed) }), Err(Error::Closed));
        let endless = ready(std::future::pending::<Result<(), Error>>());
        assert_eq!(endless.unwrap_err().code(), ErrorCode::StorageFailed);
    }
}
