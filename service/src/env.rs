//! Time and chance, from where the bucket has them.

use crate::kv::Bucket;
use keepsake::memory::{Env, EnvError};
use keepsake::model::Timestamp;
use unicode_normalization::UnicodeNormalization;

/// The world around a memory on a bucket.
#[derive(Debug)]
pub(crate) struct BucketEnv<B>(pub B);

impl<B: Bucket> Env for BucketEnv<B> {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let millis = i64::try_from(self.0.now()).map_err(|_| EnvError::Clock)?;
        Timestamp::from_millis("now", millis).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        for chunk in bytes.chunks_mut(16) {
            chunk.copy_from_slice(&self.0.chance()[..chunk.len()]);
        }
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    async fn pause(&self, millis: u32) {
        self.0.pause(millis).await;
    }
}
