//! A bucket that a service might be: values in memory, and for each operation the time, the cost and the refusals that the
//! service is known for.

use crate::dice::Dice;
use crate::engine::{Engine, Op, Way};
use crate::meter::{Bill, EVERY, Meter};
use crate::world::World;
use keepsake_service::kv::{Bucket, BucketError, Swapped};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Values by their keys.
pub(crate) type Values = BTreeMap<String, Rc<Vec<u8>>>;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) engine: &'static Engine,
    pub(crate) world: World,
    pub(crate) dice: Dice,
    pub(crate) meter: Meter,
    /// Each tenant's keys. No two tenants have a key in common: which tenant it is stands for what is different in them.
    tenants: RefCell<BTreeMap<usize, Values>>,
    /// Nothing costs time: that is how memories are made before a run.
    free: bool,
}

impl Service {
    pub(crate) fn new(engine: &'static Engine, seed: u64, free: bool) -> Rc<Self> {
        let (world, meter, tenants) = (World::default(), Meter::default(), RefCell::default());
        Rc::new(Self { engine, world, dice: Dice::new(seed), meter, tenants, free })
    }

    pub(crate) fn knows(&self, tenant: usize) -> bool {
        self.tenants.borrow().contains_key(&tenant)
    }

    pub(crate) fn put(&self, tenant: usize, values: Values) {
        self.tenants.borrow_mut().insert(tenant, values);
    }

    pub(crate) fn values(&self, tenant: usize) -> Values {
        self.tenants.borrow().get(&tenant).cloned().unwrap_or_default()
    }

    pub(crate) fn tenants(&self) -> usize {
        self.tenants.borrow().len()
    }
}

/// A handle on the keys of one tenant.
#[derive(Clone, Debug)]
pub(crate) struct SimBucket {
    pub(crate) service: Rc<Service>,
    pub(crate) tenant: usize,
}

impl SimBucket {
    fn find(&self, key: &str) -> Option<Rc<Vec<u8>>> {
        self.service.tenants.borrow().get(&self.tenant)?.get(key).cloned()
    }

    fn insert(&self, key: String, value: Vec<u8>) {
        self.service.tenants.borrow_mut().entry(self.tenant).or_default().insert(key, Rc::new(value));
    }

    fn bill<'a>(&self, op: Op, key: &'a str, value: Option<&[u8]>) -> Bill<'a> {
        let engine = self.service.engine;
        let bytes = value.map_or(0, engine.stored);
        self.service.meter.count(op, bytes);
        Bill { key, tenant: self.tenant, units: (engine.cost)(op, bytes) }
    }

    /// One call to the service: what is refused for now is asked for again. It is in the middle of the answer's way that it
    /// happens; what is left of the way is returned.
    async fn call(&self, op: Op, bills: &[Bill<'_>], bytes: usize) -> Result<u64, BucketError> {
        let Service { engine, world, dice, meter, free, .. } = &*self.service;
        if *free {
            return Ok(0);
        }
        let (p50, p99) = if matches!(op, Op::Read | Op::Cas) { engine.read_ms } else { engine.write_ms };
        for attempt in 0..engine.attempts {
            if let Some(wait) = meter.admit(engine, world, bills) {
                let way = dice.latency(p50, p99) + bytes as f64 / engine.bytes_a_ms;
                let way = (way * 1000.0) as u64;
                world.sleep(wait + way / 2).await;
                return Ok(way / 2);
            }
            let pause = engine.pause_ms * f64::from(1 << attempt) * dice.share();
            world.sleep((pause * 1000.0) as u64).await;
        }
        Err(BucketError("throttled".into()))
    }

    async fn back(&self, micros: u64) {
        if !self.service.free {
            self.service.world.sleep(micros).await;
        }
    }

    fn check(&self, value: &[u8]) -> Result<(), BucketError> {
        let fits = (self.service.engine.stored)(value) <= self.service.engine.longest;
        if fits { Ok(()) } else { Err(BucketError("the value is too long".into())) }
    }

    fn atomic(&self) -> Result<(), BucketError> {
        let can = self.service.engine.way != Way::Neither;
        if can { Ok(()) } else { Err(BucketError("this store can neither compare nor count".into())) }
    }
}

impl Bucket for SimBucket {
    type Cas = (String, Option<Rc<Vec<u8>>>);

    async fn get(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, BucketError> {
        let mut found = Vec::with_capacity(keys.len());
        let (each, partitions) = self.service.engine.fan_out;
        for keys in keys.chunks(self.service.engine.reads_at_once) {
            let seen: Vec<_> = keys.iter().map(|key| self.find(key)).collect();
            let bytes = seen.iter().flatten().map(|value| value.len()).sum();
            let value = |at: usize| seen[at].as_ref().map(|value| value.as_slice());
            let mut bills: Vec<Bill<'_>> =
                keys.iter().enumerate().map(|(at, key)| self.bill(Op::Read, key, value(at))).collect();
            if keys.len() > 1 && partitions > 0 {
                bills.push(Bill { key: EVERY, tenant: 0, units: [each, 0.0] });
            }
            let rest = self.call(Op::Read, &bills, bytes).await?;
            found.extend(keys.iter().map(|key| self.find(key).map(|value| value.to_vec())));
            self.back(rest).await;
        }
        Ok(found)
    }

    async fn set(&self, items: Vec<(String, Vec<u8>)>) -> Result<(), BucketError> {
        for items in items.chunks(self.service.engine.writes_at_once) {
            items.iter().try_for_each(|(_, value)| self.check(value))?;
            let bills: Vec<_> = items.iter().map(|(key, value)| self.bill(Op::Write, key, Some(value))).collect();
            let bytes = items.iter().map(|(_, value)| value.len()).sum();
            let rest = self.call(Op::Write, &bills, bytes).await?;
            items.iter().for_each(|(key, value)| self.insert(key.clone(), value.clone()));
            self.back(rest).await;
        }
        Ok(())
    }

    async fn delete(&self, keys: &[String]) -> Result<(), BucketError> {
        for keys in keys.chunks(self.service.engine.writes_at_once) {
            let gone: Vec<_> = keys.iter().map(|key| self.find(key)).collect();
            let value = |at: usize| gone[at].as_ref().map(|value| value.as_slice());
            let bills: Vec<_> =
                keys.iter().enumerate().map(|(at, key)| self.bill(Op::Delete, key, value(at))).collect();
            let rest = self.call(Op::Delete, &bills, 0).await?;
            if let Some(values) = self.service.tenants.borrow_mut().get_mut(&self.tenant) {
                keys.iter().for_each(|key| drop(values.remove(key)));
            }
            self.back(rest).await;
        }
        Ok(())
    }

    async fn keys(&self) -> Result<Vec<String>, BucketError> {
        // All keys of all tenants, over a network: nothing that is done for a request may need it.
        Err(BucketError("a listing of a million tenants".into()))
    }

    async fn increment(&self, key: &str, by: u64) -> Result<u64, BucketError> {
        self.atomic()?;
        let bill = self.bill(Op::Increment, key, Some(&[0; 8]));
        let rest = self.call(Op::Increment, &[bill], 8).await?;
        let text = self.find(key).and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let now = text.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) + by;
        self.insert(key.to_owned(), now.to_string().into_bytes());
        self.back(rest).await;
        Ok(now)
    }

    async fn cas(&self, key: &str) -> Result<(Self::Cas, Option<Vec<u8>>), BucketError> {
        self.atomic()?;
        let seen = self.find(key);
        let bill = self.bill(Op::Cas, key, seen.as_ref().map(|value| value.as_slice()));
        let rest = self.call(Op::Cas, &[bill], seen.map_or(0, |value| value.len())).await?;
        let seen = self.find(key);
        self.back(rest).await;
        let value = seen.as_ref().map(|value| value.to_vec());
        Ok(((key.to_owned(), seen), value))
    }

    async fn swap(&self, (key, seen): Self::Cas, value: Vec<u8>) -> Result<Swapped, BucketError> {
        self.atomic()?;
        self.check(&value)?;
        let bill = self.bill(Op::Swap, &key, Some(&value));
        let rest = self.call(Op::Swap, &[bill], value.len()).await?;
        let mine = self.find(&key) == seen;
        if mine {
            self.insert(key, value);
        } else {
            *self.service.meter.lost_swaps.borrow_mut() += 1;
        }
        self.back(rest).await;
        Ok(if mine { Swapped::Yes } else { Swapped::No })
    }

    async fn pause(&self, millis: u32) {
        self.back(u64::from(millis) * 1000).await;
    }

    fn now(&self) -> u64 {
        self.service.world.millis()
    }

    fn chance(&self) -> [u8; 16] {
        (u128::from(self.service.dice.bits()) << 64 | u128::from(self.service.dice.bits())).to_be_bytes()
    }
}
