//! One run: the scheduler takes one step after the other, by chance, until every client has had its answers; then everything
//! is read by everybody, and by programs that begin anew.

use super::calls::Call;
use super::chance::Chance;
use super::model::{End, Model};
use super::plan::Plan;
use super::task::Task;
use super::world::{Flaw, Machine, Pending, Shared, Trouble, World};
use keepsake::codec::json::config;
use keepsake::memory::Memory;
use keepsake::model::{Json, UserId};
use keepsake::store::StoreError;
use keepsake::{Config, Error};
use std::pin::Pin;
use std::rc::Rc;

/// More steps than any run needs in which nobody waits for something that never comes.
pub(crate) const STEPS: usize = 60_000;

pub(crate) type Opened = Memory<Machine, Machine>;
pub(crate) type Opening = Pin<Box<dyn Future<Output = Result<Opened, Error>>>>;
type Answering = Pin<Box<dyn Future<Output = Result<Json, Error>>>>;

/// A client and the call that it waits for.
pub(crate) struct Client {
    left: std::vec::IntoIter<Call>,
    pub(crate) under_way: Option<(Call, usize, Task<Answering>)>,
}

impl Client {
    fn is_busy(&self) -> bool {
        self.under_way.is_some() || self.left.len() > 0
    }
}

#[derive(Default)]
pub(crate) struct Program {
    pub(crate) life: usize,
    pub(crate) opening: Option<Task<Opening>>,
    pub(crate) memory: Option<Opened>,
    pub(crate) clients: Vec<Client>,
    pub(crate) frozen_until: usize,
    /// Whether it is of the version before this one.
    pub(crate) former: bool,
    /// Whether there were commits when it began.
    pub(crate) found_something: bool,
    /// Whether its storage was emptied, and it was not told yet.
    pub(crate) robbed: bool,
    /// Whether it waits for others to notice that.
    pub(crate) waits: bool,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) steps: usize,
    pub(crate) calls: usize,
    pub(crate) crashes: usize,
    pub(crate) lost: usize,
}

pub(crate) struct Run<'a> {
    plan: &'a Plan,
    pub(crate) seed: u64,
    config: Config,
    pub(crate) world: Shared,
    pub(crate) chance: Chance,
    pub(crate) model: Model,
    pub(crate) programs: Vec<Program>,
    lives: usize,
    pub(crate) step: usize,
    pub(crate) trouble: Option<Trouble>,
    pub(crate) figures: Figures,
}

/// Runs a plan in the order that `seed` gives, on a storage that may have a flaw.
pub(crate) fn run(plan: &Plan, seed: u64, flaw: Option<Flaw>) -> Result<Figures, String> {
    let mut run = Run::new(plan, seed, flaw);
    run.work()?;
    run.read_everything()?;
    run.figures.steps = run.step;
    Ok(run.figures)
}

fn user() -> UserId {
    UserId::new("user", "u-1").expect("it is an id")
}

impl<'a> Run<'a> {
    pub(crate) fn new(plan: &'a Plan, seed: u64, flaw: Option<Flaw>) -> Self {
        let mut run = Self {
            plan,
            seed,
            config: config(plan.config()).expect("the settings are in order"),
            world: World::new(seed, flaw),
            chance: Chance::new(seed ^ 0x5C4E_D01E),
            model: Model::new(plan),
            programs: Vec::new(),
            lives: 0,
            step: 0,
            trouble: None,
            figures: Figures::default(),
        };
        for clients in &plan.calls {
            let client = |calls: &Vec<Call>| Client { left: calls.clone().into_iter(), under_way: None };
            let clients = clients.iter().map(client).collect();
            run.programs.push(Program { clients, former: plan.former, ..Program::default() });
        }
        (0..run.programs.len()).for_each(|program| run.start(program));
        run
    }

    pub(crate) fn start(&mut self, program: usize) {
        let opening = self.opening(self.programs[program].former);
        let program = &mut self.programs[program];
        program.life = self.lives;
        program.memory = None;
        program.opening = Some(Task::new(opening));
    }

    /// The opening of a new life.
    pub(crate) fn opening(&mut self, former: bool) -> Opening {
        self.lives += 1;
        let machine = Machine { world: Rc::clone(&self.world), life: self.lives, former };
        Box::pin(Memory::open(machine.clone(), machine, user(), self.config.clone()))
    }

    pub(crate) fn work(&mut self) -> Result<(), String> {
        let mut mishaps = self.plan.mishaps.clone().into_iter().peekable();
        while self.is_busy() {
            self.step += 1;
            if self.step > STEPS {
                return Err(format!("somebody waits for ever: {}", self.who_waits()));
            }
            self.world.borrow_mut().step = self.step;
            while let Some(mishap) = mishaps.next_if(|mishap| mishap.at <= self.step) {
                self.suffer(&mishap.what)?;
            }
            self.happen();
            self.go_on()?;
        }
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.programs.iter().any(|program| program.clients.iter().any(Client::is_busy))
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
        let can = |(_, pending): &(&usize, &Pending)| !pending.is_applied() || !self.is_frozen(pending.life);
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
            self.begin_anew(at);
            if let Some(opened) = self.programs[at].opening.as_mut().and_then(Task::go_on) {
                self.programs[at].opening = None;
                match opened {
                    Ok(memory) => {
                        self.programs[at].found_something = memory.revision() > 0;
                        self.programs[at].memory = Some(memory);
                    }
                    // The trouble was the storage's: the app tries again, in its newest version if it is too old.
                    Err(Error::Store(error)) => {
                        self.programs[at].former &= error != StoreError::Superseded;
                        self.start(at);
                    }
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
                    let end = outcome.as_ref().map_or_else(End::Error, End::Answer);
                    self.model.ended(&call, began, self.step, &end)?;
                    self.notices(at, &call, began, outcome.err())?;
                }
                let waits = |client: &Client| client.under_way.as_ref().is_some_and(|(.., task)| task.is_told());
                if !told && before == self.figures.calls && !self.programs[at].clients.iter().any(waits) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A program whose storage is gone, or was written by a newer version, begins anew. And no call of the model
    /// may be answered from a storage that was emptied.
    fn notices(&mut self, at: usize, call: &Call, began: usize, error: Option<Error>) -> Result<(), String> {
        let gone = error == Some(Error::Store(StoreError::Lost));
        if error == Some(Error::Store(StoreError::Superseded)) {
            self.programs[at].former = false;
            return self.crash(at);
        }
        if gone {
            self.end(at)?;
            self.programs[at].waits = true;
        } else if error.is_none() && self.programs[at].robbed && self.model.must_notice(call, began) {
            return Err(format!("w{} {:?} was answered from a storage that was emptied", call.token, call.what));
        }
        Ok(())
    }

    /// Starts a program whose storage was emptied, once all others have noticed or have nothing left to do.
    fn begin_anew(&mut self, at: usize) {
        let busy = |program: &Program| program.robbed && program.clients.iter().any(Client::is_busy);
        if self.programs[at].waits && !self.programs.iter().any(busy) {
            self.programs[at].waits = false;
            self.start(at);
        }
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
        let (memory, made) = (memory.clone(), call.clone());
        let work: Answering = Box::pin(async move { made.run(&memory).await });
        client.under_way = Some((call, self.step, Task::new(work)));
        true
    }
}
