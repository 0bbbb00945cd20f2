//! The end of a run: all see the same, it is what was written, and an index that is made anew is the same as theirs.

use super::calls::Call;
use super::model::Model;
use super::run::{Opened, Run, STEPS};
use super::task::Task;
use keepsake::Error;
use keepsake::model::Json;
use std::collections::BTreeMap;

impl Run<'_> {
    pub(crate) fn read_everything(&mut self) -> Result<(), String> {
        self.model.check_additions()?;
        // Requests of dead programs arrive late, or never do.
        let late: Vec<usize> = self.world.borrow().pending.keys().copied().collect();
        for number in late {
            if self.chance.once_in(2) {
                self.world.borrow_mut().apply(number, None);
            }
            self.world.borrow_mut().pending.remove(&number);
        }
        // All clocks are right again.
        self.world.borrow_mut().skews.clear();
        let fresh = self.opened_anew().map_err(|error| format!("the memory does not open again: {error}"))?;
        let mut answers = BTreeMap::new();
        for call in Model::last_reads(self.seed) {
            let answer = self.asked(&fresh, &call)?;
            let answer = answer.map_err(|error| format!("{:?} fails in the end: {error}", call.what))?;
            self.model.check(&call, &answer, self.step + 1, self.step + 2)?;
            answers.insert(format!("{:?}", call.what), answer.to_string());
        }
        for at in 0..self.programs.len() {
            // A program of the former version has no way to read what newer ones wrote, nor one whose storage is gone.
            let Some(memory) =
                self.programs[at].memory.clone().filter(|_| !self.programs[at].former && !self.programs[at].robbed)
            else {
                continue;
            };
            memory.hint();
            self.compare(&memory, &answers, &format!("program {at}"))?;
        }
        self.world.borrow_mut().drop_index();
        let rebuilt = self.opened_anew().map_err(|error| format!("it does not open without its index: {error}"))?;
        self.compare(&rebuilt, &answers, "a reader that begins without an index")
    }

    fn compare(&mut self, memory: &Opened, answers: &BTreeMap<String, String>, who: &str) -> Result<(), String> {
        for call in Model::last_reads(self.seed) {
            let answer = self.asked(memory, &call)?;
            let answer = answer.map_err(|error| format!("{:?} fails for {who}: {error}", call.what))?.to_string();
            let first = &answers[&format!("{:?}", call.what)];
            if answer != *first {
                let (what, no) = (&call.what, "another answer than the first reader");
                return Err(format!("{what:?} gives {who} {no}:\n  {answer}\n  {first}"));
            }
        }
        Ok(())
    }

    /// A memory of a program that has just begun.
    pub(crate) fn opened_anew(&mut self) -> Result<Opened, Error> {
        let opening = self.opening(false);
        self.alone(opening).expect("an opening comes to its end")
    }

    /// The answer to a call that nothing else happens beside.
    pub(crate) fn asked(&mut self, memory: &Opened, call: &Call) -> Result<Result<Json, Error>, String> {
        let (memory, made) = (memory.clone(), call.clone());
        let answer = self.alone(async move { made.run(&memory).await });
        answer.ok_or_else(|| format!("{:?} waits for ever", call.what))
    }

    /// Runs one future to its end, with every request answered at once.
    pub(crate) fn alone<F: Future>(&mut self, work: F) -> Option<F::Output> {
        let mut task = Task::new(Box::pin(work));
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
