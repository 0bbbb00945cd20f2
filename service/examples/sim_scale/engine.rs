//! The services: what they say of themselves. Where each figure is from is in `docs/scale.md`; what nobody says is assumed,
//! and says so here.

/// What is asked of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    Read,
    Write,
    Delete,
    Increment,
    Cas,
    Swap,
}

/// Whose limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Of the keys of a partition. Where any key may be moved to a partition of its own, of one key.
    Partition,
    /// Of all keys together.
    Whole,
}

/// What happens to who meets a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It is told to come again.
    Throttle,
    /// It stands in line.
    Queue,
}

/// A limit.
#[derive(Debug)]
pub(crate) struct Limit {
    pub(crate) what: &'static str,
    pub(crate) scope: Scope,
    /// 0: reads, or all if they are not told apart. 1: writes.
    pub(crate) pot: usize,
    pub(crate) per_second: f64,
    pub(crate) then: Then,
}

/// How the manifest is swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// The bucket compares (`keepsake-service-draft2.wasm`).
    Native,
    /// The bucket counts (`keepsake-service-draft.wasm`).
    Claims,
    /// There is no bucket: a Durable Object has a database of its own.
    Object,
    /// The bucket can do neither.
    Neither,
}

/// A service, as whoever speaks to it for the component does.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) name: &'static str,
    pub(crate) way: Way,
    /// Milliseconds: the median, and what 99 % are below.
    pub(crate) read_ms: (f64, f64),
    pub(crate) write_ms: (f64, f64),
    /// How many bytes a millisecond brings.
    pub(crate) bytes_a_ms: f64,
    /// The longest value.
    pub(crate) longest: usize,
    /// How many keys one call takes; 1 means one after the other.
    pub(crate) reads_at_once: usize,
    pub(crate) writes_at_once: usize,
    /// How many times a call is made before it has failed, and the pause before the second one, which doubles.
    pub(crate) attempts: u32,
    pub(crate) pause_ms: f64,
    pub(crate) limits: &'static [Limit],
    /// What an operation on a value of so many stored bytes costs.
    pub(crate) cost: fn(Op, usize) -> [f64; 2],
    /// How many bytes a value takes there.
    pub(crate) stored: fn(&[u8]) -> usize,
    /// What reading several keys costs beside them, on each of so many partitions.
    pub(crate) fan_out: (f64, usize),
}

/// Assumed: a host and its store are in one region, and share 1 Gbit/s with others.
const BYTES_A_MS: f64 = 125_000.0;

const fn limit(what: &'static str, scope: Scope, pot: usize, per_second: f64, then: Then) -> Limit {
    Limit { what, scope, pot, per_second, then }
}

fn as_is(value: &[u8]) -> usize {
    value.len()
}

/// Spin keeps a value in Cosmos DB as a JSON list of numbers.
fn as_numbers(value: &[u8]) -> usize {
    let digits = |byte: &u8| 2 + usize::from(*byte > 9) + usize::from(*byte > 99);
    100 + value.iter().map(digits).sum::<usize>()
}

fn one_each(op: Op, _: usize) -> [f64; 2] {
    // A swap is a script: it reads and writes.
    [if op == Op::Swap { 2.0 } else { 1.0 }, 0.0]
}

/// Strong reads, 4 KB a unit; writes, 1 KB a unit. Spin counts and swaps in transactions, which cost twice, and reads
/// before it counts.
fn dynamodb_cost(op: Op, bytes: usize) -> [f64; 2] {
    let reads = bytes.div_ceil(4096).max(1) as f64;
    let writes = bytes.div_ceil(1024).max(1) as f64;
    match op {
        Op::Read | Op::Cas => [reads, 0.0],
        Op::Write | Op::Delete => [0.0, writes],
        Op::Increment => [1.0, 2.0],
        Op::Swap => [0.0, 2.0 * writes],
    }
}

/// A point read of 1 KB is 1 unit, of 100 KB 10, twice that with strong consistency; a write of 1 KB is 5 units. Assumed: a
/// straight line between them, and of 100 KB 50.
fn cosmos_cost(op: Op, bytes: usize) -> [f64; 2] {
    let more = (bytes as f64 / 1024.0 - 1.0).max(0.0) / 99.0;
    let read = 2.0 * (1.0 + 9.0 * more);
    let write = 5.0 + 45.0 * more;
    // Assumed: to count is to write.
    [if matches!(op, Op::Read | Op::Cas) { read } else { write }, 0.0]
}

/// NATS has no counter: wasmCloud reads, and writes if nobody has since.
fn nats_cost(op: Op, _: usize) -> [f64; 2] {
    [if op == Op::Increment { 2.0 } else { 1.0 }, 0.0]
}

/// One node in the region, as `examples/wasmtime` speaks to it.
const REDIS: Engine = Engine {
    name: "redis",
    way: Way::Native,
    // Assumed: a round trip in one zone.
    read_ms: (0.5, 1.5),
    write_ms: (0.5, 1.5),
    bytes_a_ms: BYTES_A_MS,
    longest: 512 << 20,
    reads_at_once: usize::MAX,
    writes_at_once: usize::MAX,
    attempts: 1,
    pause_ms: 0.0,
    limits: &[limit("operations of one node", Scope::Whole, 0, 100_000.0, Then::Queue)],
    cost: one_each,
    stored: as_is,
    fan_out: (0.0, 0),
};

/// A table on demand, as Spin speaks to it with `consistent_read`.
const DYNAMODB: Engine = Engine {
    name: "dynamodb",
    way: Way::Native,
    // "Single-digit milliseconds" on average is all that is said: the rest is assumed.
    read_ms: (3.0, 12.0),
    write_ms: (5.0, 18.0),
    bytes_a_ms: BYTES_A_MS,
    longest: 400 * 1024,
    reads_at_once: 100,
    writes_at_once: 25,
    attempts: 3,
    pause_ms: 50.0,
    limits: &[
        limit("read units of a partition", Scope::Partition, 0, 3_000.0, Then::Throttle),
        limit("write units of a partition", Scope::Partition, 1, 1_000.0, Then::Throttle),
        limit("read units of a table", Scope::Whole, 0, 40_000.0, Then::Throttle),
        limit("write units of a table", Scope::Whole, 1, 40_000.0, Then::Throttle),
    ],
    cost: dynamodb_cost,
    stored: as_is,
    fan_out: (0.0, 0),
};

/// A container whose partition key is the id, with strong consistency, as Spin speaks to it.
const COSMOS: Engine = Engine {
    name: "cosmos",
    way: Way::Native,
    // In one region.
    read_ms: (4.0, 10.0),
    write_ms: (5.0, 10.0),
    bytes_a_ms: BYTES_A_MS,
    longest: 2 << 20,
    reads_at_once: usize::MAX,
    writes_at_once: 1,
    attempts: 10,
    pause_ms: 50.0,
    limits: &[
        limit("units of a partition", Scope::Partition, 0, 10_000.0, Then::Throttle),
        limit("units of a container", Scope::Whole, 0, 1_000_000.0, Then::Throttle),
    ],
    cost: cosmos_cost,
    stored: as_numbers,
    // Several keys are a query of all partitions. Assumed: what it costs each of them, and 20 of them, for a terabyte.
    fan_out: (2.5, 20),
};

/// A bucket with three replicas, as wasmCloud speaks to it.
const NATS: Engine = Engine {
    name: "nats",
    way: Way::Claims,
    // Assumed: a round trip, and for writes one more among the replicas.
    read_ms: (0.7, 2.5),
    write_ms: (1.5, 6.0),
    bytes_a_ms: BYTES_A_MS,
    longest: 1 << 20,
    reads_at_once: usize::MAX,
    writes_at_once: usize::MAX,
    attempts: 1,
    pause_ms: 0.0,
    // Assumed: nobody says how much the leader of a stream does.
    limits: &[limit("operations of one stream's leader", Scope::Whole, 0, 20_000.0, Then::Queue)],
    cost: nats_cost,
    stored: as_is,
    fan_out: (0.0, 0),
};

/// One object a tenant, as `keepsake/cloudflare` does it. Operations are rows of its database.
const DURABLE_OBJECTS: Engine = Engine {
    name: "durable-objects",
    way: Way::Object,
    // Assumed: rows are in the same process, and what an answer waits for is that its writes are safe elsewhere.
    read_ms: (0.01, 0.05),
    write_ms: (6.0, 30.0),
    bytes_a_ms: 1_000_000.0,
    longest: 2 << 20,
    reads_at_once: usize::MAX,
    writes_at_once: usize::MAX,
    attempts: 1,
    pause_ms: 0.0,
    limits: &[limit("requests of one object", Scope::Partition, 0, 1_000.0, Then::Queue)],
    cost: |_, _| [1.0, 0.0],
    stored: as_is,
    fan_out: (0.0, 0),
};

/// Only to be refused: it can neither compare nor count.
const WORKERS_KV: Engine = Engine { name: "workers-kv", way: Way::Neither, limits: &[], ..NATS };

/// All of them.
pub(crate) const ENGINES: [&Engine; 6] = [&REDIS, &DYNAMODB, &COSMOS, &NATS, &DURABLE_OBJECTS, &WORKERS_KV];
