//! Mishaps: programs end, stop for a while or are upgraded, clocks jump, the disk forgets or is emptied.

use super::model::End;
use super::plan::Wrong;
use super::run::Run;

impl Run<'_> {
    pub(crate) fn suffer(&mut self, wrong: &Wrong) -> Result<(), String> {
        match wrong {
            Wrong::Crash { program } => self.crash(*program)?,
            Wrong::Upgrade { program } => {
                self.programs[*program].former = false;
                self.crash(*program)?;
            }
            Wrong::PowerCut { keeps } => {
                let kept_until = self.world.borrow_mut().cut_power(*keeps);
                self.model.power_cut(kept_until);
                for program in 0..self.programs.len() {
                    self.crash(program)?;
                }
                // Nothing is on its way from a machine that was off.
                self.world
                    .borrow_mut()
                    .pending
                    .retain(|_, pending| self.programs.iter().any(|it| it.life == pending.life));
            }
            Wrong::Emptied => self.empty_the_disk()?,
            Wrong::Freeze { program, steps } => self.programs[*program].frozen_until = self.step + steps,
            Wrong::Wait { millis } => self.world.borrow_mut().now += millis,
            Wrong::Skew { program, millis } => {
                let life = self.programs[*program].life;
                self.world.borrow_mut().skews.insert(life, *millis);
            }
            Wrong::Request(trouble) => self.trouble = Some(trouble.clone()),
            Wrong::DropIndex => self.world.borrow_mut().drop_index(),
            Wrong::Hint => {
                for memory in self.programs.iter().filter_map(|program| program.memory.as_ref()) {
                    memory.hint();
                }
            }
        }
        Ok(())
    }

    /// A program ends, and begins anew; not if it has ended already and waits.
    pub(crate) fn crash(&mut self, program: usize) -> Result<(), String> {
        if self.programs[program].waits {
            return Ok(());
        }
        self.figures.crashes += 1;
        let robbed = self.programs[program].robbed;
        self.end(program)?;
        if robbed {
            self.programs[program].waits = true;
        } else {
            self.start(program);
        }
        Ok(())
    }

    /// A program ends with everything that it waits for.
    pub(crate) fn end(&mut self, program: usize) -> Result<(), String> {
        let life = self.programs[program].life;
        for client in 0..self.programs[program].clients.len() {
            if let Some((call, began, _)) = self.programs[program].clients[client].under_way.take() {
                self.figures.lost += 1;
                self.model.ended(&call, began, self.step, &End::Lost)?;
            }
        }
        self.programs[program].opening = None;
        self.programs[program].memory = None;
        self.programs[program].frozen_until = 0;
        self.programs[program].robbed = false;
        // Half of what was on its way never arrives.
        let mut world = self.world.borrow_mut();
        let chance = &mut self.chance;
        world.pending.retain(|_, pending| pending.life != life || pending.is_commit() && chance.once_in(2));
        Ok(())
    }

    /// The browser takes the storage away from programs that use it. Each of them must notice at its next call.
    ///
    /// No program begins anew before all have noticed: one that finds the very revision that it knows, in another log,
    /// can not tell.
    fn empty_the_disk(&mut self) -> Result<(), String> {
        self.world.borrow_mut().empty();
        self.model.emptied(self.step);
        for at in 0..self.programs.len() {
            let program = &mut self.programs[at];
            // One that began with nothing may have planned its first write then, which an empty disk takes.
            program.robbed = program.memory.is_some() && program.found_something;
            if !program.robbed {
                self.end(at)?;
                self.programs[at].waits = true;
            }
        }
        let mut world = self.world.borrow_mut();
        let programs = &self.programs;
        world
            .pending
            .retain(|_, pending| programs.iter().any(|program| program.robbed && program.life == pending.life));
        world.close_connections();
        Ok(())
    }
}
