//! One run: the scheduler takes one step after the other, by chance, until every client has had its answers; then everything
//! is read by everybody, and by programs that begin anew.

use super::chance::Chance;
use super::model::{End, Model};
use super::plan::{Call, Plan, Wrong};
use super::world::{Flaw, Machine, Shared, Trouble, World};
use futures::executor::block_on;
use futures::task::{ArcWake, waker};
use keepsake::codec::json::config;
use keepsake::memory::scripted::Scripted;
use keepsake::model::{Json, UserId};
use keepsake::store::{Key, KeyRange, Op, Revision, Space, Store, WriteBatch};
use keepsake::{Config, Error, MemStore, Memory};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

/// More steps than any run needs in which nobody waits for something that never comes.
const STEPS: usize = 60_000;

type Opened = Memory<Machine, Machine>;
type Opening = Pin<Box<dyn Future<Output = Result<Opened, Error>>>>;
type Answering = Pin<Box<dyn Future<Output = Result<Json, Error>>>>;

/// Whether a task was told to go on. Who is never told stands still, as with a real executor.
#[derive(Default)]
struct Flag(AtomicBool);

impl ArcWake for Flag {
    fn wake_by_ref(flag: &Arc<Self>) {
        flag.0.store(true, Ordering::Relaxed);
    }
}

struct Task<F> {
    work: F,
    flag: Arc<Flag>,
}

impl<F: Future + Unpin> Task<F> {
    fn new(work: F) -> Self {
        Self { work, flag: Arc::new(Flag(AtomicBool::new(true))) }
    }

    /// Its outcome, if it was told to go on and came to its end.
    fn go_on(&mut self) -> Option<F::Output> {
        if !self.flag.0.swap(false, Ordering::Relaxed) {
            return None;
        }
        match Pin::new(&mut self.work).poll(&mut Context::from_waker(&waker(Arc::clone(&self.flag)))) {
            Poll::Ready(outcome) => Some(outcome),
            Poll::Pending => None,
        }
    }
}

/// A client and the call that it waits for.
struct Client {
    left: std::vec::IntoIter<Call>,
    under_way: Option<(Call, usize, Task<Answering>)>,
}

struct Program {
    life: usize,
    opening: Option<Task<Opening>>,
    memory: Option<Opened>,
    clients: Vec<Client>,
    frozen_until: usize,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) steps: usize,
    pub(crate) calls: usize,
    pub(crate) crashes: usize,
    pub(crate) lost: usize,
}

struct Run<'a> {
    plan: &'a Plan,
    config: Config,
    world: Shared,
    chance: Chance,
    model: Model,
    programs: Vec<Program>,
    lives: usize,
    step: usize,
    trouble: Option<Trouble>,
    figures: Figures,
}

/// Runs a plan in the order that `seed` gives, on a storage that may have a flaw.
pub(crate) fn run(plan: &Plan, seed: u64, flaw: Option<Flaw>) -> Result<Figures, String> {
    let mut run = Run {
        plan,
        config: config(plan.config()).expect("the settings are in order"),
        world: World::new(seed, flaw),
        chance: Chance::new(seed ^ 0x5C4E_D01E),
        model: Model::new(plan.capped, plan.hints()),
        programs: Vec::new(),
        lives: 0,
        step: 0,
        trouble: None,
        figures: Figures::default(),
    };
    for clients in &plan.calls {
        let clients = clients.iter().map(|calls| Client { left: calls.clone().into_iter(), under_way: None }).collect();
        run.programs.push(Program { life: 0, opening: None, memory: None, clients, frozen_until: 0 });
    }
    (0..run.programs.len()).for_each(|program| run.start(program));
    run.work()?;
    run.read_everything()?;
    run.figures.steps = run.step;
    Ok(run.figures)
}

fn user() -> UserId {
    UserId::new("user", "u-1").expect("it is an id")
}

impl Run<'_> {
    fn start(&mut self, program: usize) {
        self.lives += 1;
        let machine = Machine { world: Rc::clone(&self.world), life: self.lives };
        let opening = Memory::open(machine.clone(), machine, user(), self.config.clone());
        let program = &mut self.programs[program];
        program.life = self.lives;
        program.memory = None;
        program.opening = Some(Task::new(Box::pin(opening)));
    }

    fn work(&mut self) -> Result<(), String> {
        let mut mishaps = self.plan.mishaps.clone().into_iter().peekable();
        while self.is_busy() {
            self.step += 1;
            if self.step > STEPS {
                return Err(format!("somebody waits for ever: {}", self.who_waits()));
            }
            while let Some(mishap) = mishaps.next_if(|mishap| mishap.at <= self.step) {
                self.suffer(&mishap.what)?;
            }
            self.happen();
            self.go_on()?;
        }
        Ok(())
    }

    fn is_busy(&self) -> bool {
        let client = |client: &Client| client.under_way.is_some() || client.left.len() > 0;
        self.programs.iter().any(|program| program.clients.iter().any(client))
    }

    fn who_waits(&self) -> String {
        let under_way =
            self.programs.iter().flat_map(|program| &program.clients).filter_map(|one| one.under_way.as_ref());
        under_way.map(|(call, ..)| format!("w{} {:?}; ", call.token, call.what)).collect()
    }

    fn is_frozen(&self, life: usize) -> bool {
        self.programs.iter().any(|program| program.life == life && program.frozen_until > self.step)
    }

    /// One thing of the world happens: a request arrives, or an answer does.
    fn happen(&mut self) {
        let world = self.world.borrow();
        let can =
            |(_, pending): &(&usize, &super::world::Pending)| !pending.is_applied() || !self.is_frozen(pending.life);
        let ready: Vec<usize> = world.pending.iter().filter(can).map(|(number, _)| *number).collect();
        drop(world);
        if ready.is_empty() {
            return;
        }
        let number = self.chance.of(&ready);
        let mut world = self.world.borrow_mut();
        let pending = &world.pending[&number];
        let lives = self.programs.iter().any(|program| program.life == pending.life);
        if !pending.is_applied() {
            // Only the answer of a commit is lost; a read that fails in the same way is another fault.
            let hits = self.trouble.take_if(|trouble| *trouble != Trouble::LosesAnswer || pending.is_commit());
            world.apply(number, hits);
            if !lives {
                world.pending.remove(&number);
            }
        } else if lives {
            world.answer(number);
        } else {
            world.pending.remove(&number);
        }
    }

    /// Everybody who was told to go on does.
    fn go_on(&mut self) -> Result<(), String> {
        for at in 0..self.programs.len() {
            if self.programs[at].frozen_until > self.step {
                continue;
            }
            if let Some(opened) = self.programs[at].opening.as_mut().and_then(Task::go_on) {
                self.programs[at].opening = None;
                match opened {
                    Ok(memory) => self.programs[at].memory = Some(memory),
                    // The trouble was the storage's: the app tries again.
                    Err(Error::Store(_)) => self.start(at),
                    Err(error) => return Err(format!("a memory does not open: {error}")),
                }
            }
            // Until nobody has more to do: what one client does may be what another waits for.
            loop {
                let before = self.figures.calls;
                let mut told = false;
                for client in 0..self.programs[at].clients.len() {
                    told |= self.begin(at, client);
                    let Some((call, began, task)) = &mut self.programs[at].clients[client].under_way else { continue };
                    let Some(outcome) = task.go_on() else { continue };
                    let (call, began) = (call.clone(), *began);
                    self.programs[at].clients[client].under_way = None;
                    self.figures.calls += 1;
                    let end = outcome.as_ref().map_or_else(|error| End::Error(error.code()), End::Answer);
                    self.model.ended(&call, began, self.step, &end)?;
                }
                let waits = |client: &Client| {
                    client.under_way.as_ref().is_some_and(|(.., task)| task.flag.0.load(Ordering::Relaxed))
                };
                if !told && before == self.figures.calls && !self.programs[at].clients.iter().any(waits) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Begins a client's next call, some time after it has had its last answer.
    fn begin(&mut self, program: usize, client: usize) -> bool {
        let program = &mut self.programs[program];
        let (Some(memory), client) = (&program.memory, &mut program.clients[client]) else { return false };
        if client.under_way.is_some() || !self.chance.once_in(4) {
            return false;
        }
        let Some(call) = client.left.next() else { return false };
        self.model.begins(&call, self.step);
        let (memory, verb, args) = (memory.clone(), call.verb(), call.args());
        let work: Answering = Box::pin(async move { memory.call(verb, args).await });
        client.under_way = Some((call, self.step, Task::new(work)));
        true
    }

    fn suffer(&mut self, wrong: &Wrong) -> Result<(), String> {
        match wrong {
            Wrong::Crash { program } => {
                self.figures.crashes += 1;
                let life = self.programs[*program].life;
                for client in 0..self.programs[*program].clients.len() {
                    if let Some((call, began, _)) = self.programs[*program].clients[client].under_way.take() {
                        self.figures.lost += 1;
                        self.model.ended(&call, began, self.step, &End::Lost)?;
                    }
                }
                self.programs[*program].opening = None;
                self.programs[*program].frozen_until = 0;
                // Half of what was on its way never arrives.
                let mut world = self.world.borrow_mut();
                let chance = &mut self.chance;
                world.pending.retain(|_, pending| pending.life != life || pending.is_commit() && chance.once_in(2));
                drop(world);
                self.start(*program);
            }
            Wrong::Freeze { program, steps } => self.programs[*program].frozen_until = self.step + steps,
            Wrong::Wait { millis } => self.world.borrow_mut().now += millis,
            Wrong::Skew { program, millis } => {
                let life = self.programs[*program].life;
                self.world.borrow_mut().skews.insert(life, *millis);
            }
            Wrong::Request(trouble) => self.trouble = Some(trouble.clone()),
            Wrong::DropIndex => drop_index(&self.world.borrow().disk),
            Wrong::Hint => {
                for memory in self.programs.iter().filter_map(|program| program.memory.as_ref()) {
                    memory.hint();
                }
            }
        }
        Ok(())
    }

    /// In the end all see the same, it is what was written, and an index that is made anew is the same as theirs.
    fn read_everything(&mut self) -> Result<(), String> {
        self.model.check_additions()?;
        // Requests of dead programs arrive late, or never do.
        let late: Vec<usize> = self.world.borrow().pending.keys().copied().collect();
        for number in late {
            if self.chance.once_in(2) {
                self.world.borrow_mut().apply(number, None);
            }
            self.world.borrow_mut().pending.remove(&number);
        }
        let disk = self.world.borrow().disk.connect();
        let now = self.world.borrow().now;
        let config = self.config.clone();
        let open = |disk: MemStore| block_on(Memory::open(disk, Scripted::new(now, 1), user(), config.clone()));
        let fresh = open(disk.connect()).map_err(|error| format!("the memory does not open again: {error}"))?;
        let mut answers = BTreeMap::new();
        for call in Model::last_reads() {
            let answer = block_on(fresh.call(call.verb(), call.args()));
            let answer = answer.map_err(|error| format!("{:?} fails in the end: {error}", call.what))?;
            self.model.check(&call, &answer, self.step + 1, self.step + 2)?;
            answers.insert(format!("{:?}", call.what), answer.to_string());
        }
        let same = |call: &Call, answer: Result<Json, Error>, who: &str| {
            let answer = answer.map_err(|error| format!("{:?} fails for {who}: {error}", call.what))?.to_string();
            let first = &answers[&format!("{:?}", call.what)];
            if answer == *first {
                return Ok(());
            }
            Err(format!("{:?} gives {who} another answer than the first reader:\n  {answer}\n  {first}", call.what))
        };
        for at in 0..self.programs.len() {
            let Some(memory) = self.programs[at].memory.clone() else { continue };
            // All clocks are right again, and all are told.
            self.world.borrow_mut().skews.clear();
            memory.hint();
            for call in Model::last_reads() {
                let mut task = Task::new(Box::pin({
                    let (memory, call) = (memory.clone(), call.clone());
                    async move { memory.call(call.verb(), call.args()).await }
                }));
                let answer = self.alone(&mut task).ok_or_else(|| format!("{:?} waits for ever", call.what))?;
                same(&call, answer, &format!("program {at}"))?;
            }
        }
        drop_index(&disk);
        let rebuilt = open(disk).map_err(|error| format!("the memory does not open without its index: {error}"))?;
        for call in Model::last_reads() {
            same(&call, block_on(rebuilt.call(call.verb(), call.args())), "who begins without an index")?;
        }
        Ok(())
    }

    /// Runs one task to its end, with every request answered at once.
    fn alone<F: Future + Unpin>(&mut self, task: &mut Task<F>) -> Option<F::Output> {
        for _ in 0..STEPS {
            if let Some(outcome) = task.go_on() {
                return Some(outcome);
            }
            let number = *self.world.borrow().pending.keys().next()?;
            let mut world = self.world.borrow_mut();
            world.apply(number, None);
            world.answer(number);
        }
        None
    }
}

/// Takes away what can be derived. No commit of a memory's does this: the guard belongs to nobody.
fn drop_index(disk: &MemStore) {
    let guard = Key::from_bytes(b"simulation".to_vec());
    let base = block_on(disk.get(Space::Meta, std::slice::from_ref(&guard))).expect("it is in memory");
    let base = Revision::from_bytes(base[0].as_deref()).expect("it was written here");
    let ops = vec![Op::DeleteRange(Space::Index, KeyRange::prefix(Key::default()))];
    block_on(disk.commit(WriteBatch { guard, base, ops, durability: Default::default() }))
        .expect("nobody else uses it");
}
