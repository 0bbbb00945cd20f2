//! Sleep without a runtime: one thread for the process wakes all sleepers.

#![allow(clippy::disallowed_methods, reason = "a door has the clock and the threads of the operating system")]

use super::answer::{Answer, Promise, promise};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

type Sleeper = (Instant, Promise<()>);

/// `None` if the thread could not be started.
static TIMER: OnceLock<Option<Sender<Sleeper>>> = OnceLock::new();

/// Resolves after `duration`, or at once if this process cannot start a thread.
pub(super) fn sleep(duration: Duration) -> Answer<()> {
    let (sleeper, answer) = promise();
    let timer = TIMER.get_or_init(|| {
        let (sender, sleepers) = channel();
        let thread = thread::Builder::new().name("keepsake-timer".into()).spawn(move || wake_all(&sleepers));
        thread.is_ok().then_some(sender)
    });
    if let Some(timer) = timer {
        // Otherwise the promise is dropped, which wakes the sleeper.
        let _ = timer.send((Instant::now() + duration, sleeper));
    }
    answer
}

fn wake_all(sleepers: &Receiver<Sleeper>) {
    // The count distinguishes sleepers with the same time.
    let mut waiting: BTreeMap<(Instant, u64), Promise<()>> = BTreeMap::new();
    let mut count = 0;
    loop {
        let next = match waiting.first_key_value() {
            None => sleepers.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(((due, _), _)) => sleepers.recv_timeout(due.saturating_duration_since(Instant::now())),
        };
        match next {
            Ok((due, sleeper)) => {
                waiting.insert((due, count), sleeper);
                count += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        while let Some(first) = waiting.first_entry() {
            if first.key().0 > now {
                break;
            }
            first.remove().send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use futures::future::join_all;

    #[test]
    fn every_sleeper_wakes_and_none_before_its_time() {
        let begun = Instant::now();
        let sleeps = [60u64, 20, 0, 40, 20].map(|millis| {
            let sleeping = sleep(Duration::from_millis(millis));
            async move {
                assert_eq!(sleeping.await, Some(()));
                assert!(begun.elapsed() >= Duration::from_millis(millis), "{millis} ms are not over");
            }
        });
        block_on(join_all(sleeps));
    }
}
