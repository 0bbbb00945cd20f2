//! Memories as they are before a run: for each size one, made by the same code that will serve it.

use crate::bucket::{Service, SimBucket, Values};
use crate::dice::Dice;
use crate::engine::{Engine, Way};
use crate::objects::{Rows, Table};
use crate::pattern;
use futures::executor::block_on;
use keepsake::Error;
use keepsake::codec::hex;
use keepsake::memory::Memory;
use keepsake::memory::{Env, EnvError};
use keepsake::model::{Config, Json, Timestamp, UserId};
use keepsake::store::Store;
use keepsake_service::kv::{Claims, KvStore, Native};
use sha2::{Digest, Sha256};
use std::rc::Rc;
use unicode_normalization::UnicodeNormalization;

/// Whose memory each one is: tenants are told apart by whose handle it is.
pub(crate) const USER: &str = "u";
pub(crate) const TOKEN: &str = "token";
/// How long it took to say what was said, at most; a run begins after it.
pub(crate) const PAST_US: u64 = 60 * 86_400 * 1_000_000;
/// The time between two things that are said.
const BETWEEN_US: u64 = 10 * 60 * 1_000_000;
/// How many messages a conversation has.
const TALK: usize = 12;

/// The world around a memory, in simulated time.
#[derive(Debug)]
pub(crate) struct SimEnv(pub(crate) Rc<Service>);

impl Env for SimEnv {
    fn now(&self) -> Result<Timestamp, EnvError> {
        let millis = i64::try_from(self.0.world.millis()).map_err(|_| EnvError::Clock)?;
        Timestamp::from_millis("now", millis).map_err(|_| EnvError::Clock)
    }

    fn entropy(&self, bytes: &mut [u8]) -> Result<(), EnvError> {
        bytes.fill_with(|| self.0.dice.bits() as u8);
        Ok(())
    }

    fn decompose(&self, text: &str) -> String {
        text.nfkd().collect()
    }

    async fn pause(&self, millis: u32) {
        self.0.world.sleep(u64::from(millis) * 1000).await;
    }
}

/// The id of the user.
pub(crate) fn user() -> Result<UserId, Error> {
    Ok(UserId::new("user", USER.to_owned())?)
}

/// What a tenant of a size has in its bucket, with its token.
pub(crate) fn in_bucket(engine: &'static Engine, size: usize) -> Result<Values, Error> {
    let service = Service::new(engine, size as u64, true);
    let bucket = SimBucket { service: Rc::clone(&service), tenant: 0 };
    let prefix = format!("keepsake.{}", &hash(USER)[..32]);
    match engine.way {
        Way::Claims => said(&service, KvStore::<_, Claims>::new(bucket, &prefix), size)?,
        // There nothing could be kept.
        Way::Neither => {}
        _ => said(&service, KvStore::<_, Native>::new(bucket, &prefix), size)?,
    }
    let mut values = service.values(0);
    values.insert(format!("keepsake.token.{}", hash(TOKEN)), Rc::new(USER.as_bytes().to_vec()));
    Ok(values)
}

/// What a tenant of a size has in the database of its object.
pub(crate) fn in_object(engine: &'static Engine, size: usize) -> Result<Table, Error> {
    let service = Service::new(engine, size as u64, true);
    let rows = Rc::new(Rows::new(Table::new(), Rc::clone(&service)));
    said(&service, Rc::clone(&rows), size)?;
    Ok(rows.table())
}

fn said(service: &Rc<Service>, store: impl Store, size: usize) -> Result<(), Error> {
    let dice = Dice::new(size as u64);
    block_on(async {
        let memory = Memory::open(store, SimEnv(Rc::clone(service)), user()?, Config::default()).await?;
        for item in 0..pattern::items(size) {
            service.world.pass(BETWEEN_US);
            let fact = item % 2 == 0;
            let content = ("content", pattern::said(&dice, fact).into());
            if fact {
                memory.call("add", Json::object(vec![content])).await?;
                continue;
            }
            let role = if item % 4 == 1 { "user" } else { "assistant" };
            let messages = Json::Array(vec![Json::object(vec![("role", role.into()), content])]);
            let session = format!("old-{}", item / 2 / TALK).into();
            memory.call("append", Json::object(vec![("session", session), ("messages", messages)])).await?;
        }
        Ok(())
    })
}

fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes()))
}
