//! The JSON of watched calls: a verb that runs under a number, and the verbs that query it.

use super::verb::Calls;
use crate::codec::json::Fields;
use crate::memory::engine::slices::Work;
use crate::memory::engine::{Env, Error, Memory};
use crate::model::Json;
use crate::store::Store;
use std::rc::Rc;

impl<S: Store, E: Env> Memory<S, E> {
    /// Verbs about other calls.
    pub(super) async fn call_verbs(&self, verb: Calls, args: Json) -> Result<Json, Error> {
        match verb {
            Calls::Watch => self.watch(args).await,
            Calls::Progress => self.progress(args).await,
            Calls::Stop => self.stop(args),
            Calls::Once => self.once(args).await,
        }
    }

    /// Runs a verb under the number `work`. Answers `{answer}`, or `{}` if it was stopped.
    async fn watch(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("args", args);
        let number = fields.count("work").unwrap_or(0);
        let (verb, args) = (fields.required_text("verb"), fields.value("args").unwrap_or_default());
        fields.finish()?;
        let work = Rc::new(Work::default());
        self.inner.watched.borrow_mut().push((number, Rc::clone(&work)));
        let answer = self.watched(&work, Box::pin(self.call(&verb, args))).await;
        self.inner.watched.borrow_mut().retain(|(_, known)| !Rc::ptr_eq(known, &work));
        Ok(Json::object(answer?.map(|answer| vec![("answer", answer)]).unwrap_or_default()))
    }

    /// Waits for progress beyond what was seen: `{done, total}`, or null once the call has ended.
    async fn progress(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("args", args);
        let number = fields.count("work").unwrap_or(0);
        let seen = (fields.count("done").unwrap_or(0), fields.count("total").unwrap_or(0));
        fields.finish()?;
        let Some(work) = self.work(number) else { return Ok(Json::Null) };
        let moved = work.moved(seen).await;
        let told = |(done, total): (usize, usize)| Json::object(vec![("done", done.into()), ("total", total.into())]);
        Ok(moved.map_or(Json::Null, told))
    }

    fn stop(&self, args: Json) -> Result<Json, Error> {
        let mut fields = Fields::of("args", args);
        let number = fields.count("work").unwrap_or(0);
        fields.finish()?;
        if let Some(work) = self.work(number) {
            work.stop();
        }
        Ok(Json::Null)
    }

    fn work(&self, number: usize) -> Option<Rc<Work>> {
        let watched = self.inner.watched.borrow();
        watched.iter().find(|(known, _)| *known == number).map(|(_, work)| Rc::clone(work))
    }
}
