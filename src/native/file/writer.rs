//! The thread that writes a file. Batches that wait at the same time share one transaction, and so one flush of the disk,
//! which is nearly all that a commit costs.

use super::database::DatabaseFile;
use super::error::FileError;
use crate::native::answer::Promise;
use crate::store::{Revision, StoreError, WriteBatch};
use std::sync::mpsc::Receiver;

/// At most so many batches share a transaction: the first of them waits for the last.
const MOST: usize = 64;

pub(super) type Committed = Result<Revision, StoreError>;

pub(super) enum Request {
    Commit(WriteBatch, Promise<Committed>),
    Compact(Promise<Result<(), FileError>>),
}

/// Serves the requests of all handles until the last of them is gone.
pub(super) fn write(file: &DatabaseFile, requests: &Receiver<Request>) {
    let mut next = requests.recv().ok();
    while let Some(request) = next.take() {
        match request {
            Request::Compact(promise) => promise.send(file.compact()),
            Request::Commit(batch, promise) => {
                let (mut batches, mut promises) = (vec![batch], vec![promise]);
                while batches.len() < MOST && next.is_none() {
                    match requests.try_recv() {
                        Ok(Request::Commit(batch, promise)) => {
                            batches.push(batch);
                            promises.push(promise);
                        }
                        Ok(other) => next = Some(other),
                        Err(_) => break,
                    }
                }
                for (promise, committed) in promises.into_iter().zip(committed(file, &batches)) {
                    promise.send(committed);
                }
            }
        }
        next = next.or_else(|| requests.recv().ok());
    }
}

/// The answer to each batch. If they fail together, each is tried alone: one of them may be the reason.
fn committed(file: &DatabaseFile, batches: &[WriteBatch]) -> Vec<Committed> {
    match file.commit(batches) {
        Ok(answers) => answers,
        Err(error) if batches.len() == 1 => vec![Err(error)],
        Err(_) => batches.iter().flat_map(|batch| committed(file, std::slice::from_ref(batch))).collect(),
    }
}
