//! Futures without a runtime: what a host is asked it answers at once, so every call is done when it is first polled.

use crate::memory::Error;
use crate::store::StoreError;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// The answer of a call that has nothing to wait for. One that has is given up: nobody could ever wake it.
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
