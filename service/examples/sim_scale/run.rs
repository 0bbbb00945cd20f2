//! A run: sessions of many tenants at once, on one service.

use crate::bucket::{Service, SimBucket, Values};
use crate::dice::{Dice, Zipf};
use crate::engine::{Engine, Way};
use crate::memories::{self, PAST_US, TOKEN};
use crate::objects::{Objects, Table};
use crate::pattern::{self, Kind, Step};
use crate::world::Task;
use keepsake::Error;
use keepsake::model::Json;
use keepsake_service::api::{self, Request};
use keepsake_service::kv::{Claims, Head, Native};
use std::cell::RefCell;
use std::collections::{BTreeMap, btree_map::Entry};
use std::rc::Rc;

/// Where chance begins. The same in each run, on each service: all are asked the same.
const SEED: u64 = 20_260_101;

/// What the command line says.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) requests: usize,
    pub(crate) tenants: usize,
    /// Requests a second.
    pub(crate) rate: f64,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) micros: u64,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) service: Rc<Service>,
    pub(crate) answers: BTreeMap<Kind, Vec<Answer>>,
    pub(crate) touched: usize,
    pub(crate) busiest_share: f64,
}

/// Who answers.
enum Served {
    Bucket,
    Objects(Objects),
}

/// The memories that were made so far, by their size. Services that swap in the same way begin with the same ones.
#[derive(Default)]
pub(crate) struct Made {
    buckets: BTreeMap<(Way, usize), Values>,
    objects: BTreeMap<usize, Table>,
}

/// Lets tenants talk.
pub(crate) fn run(engine: &'static Engine, asked: &Asked, made: &mut Made) -> Result<Outcome, Error> {
    let (dice, zipf) = (Dice::new(SEED), Zipf::new(asked.tenants));
    let service = Service::new(engine, SEED, false);
    let served = if engine.way == Way::Object { Served::Objects(Objects::default()) } else { Served::Bucket };
    let mut sessions = Vec::new();
    let mut requests = 0;
    let window = asked.requests as f64 / asked.rate * 1e6;
    while requests < asked.requests {
        let (tenant, steps) = (zipf.draw(&dice), seen(pattern::session(&dice), window, &dice));
        if !steps.is_empty() {
            requests += steps.len();
            prepare(engine, &service, &served, made, tenant)?;
            sessions.push((tenant, steps));
        }
    }
    let answers = RefCell::new(BTreeMap::<Kind, Vec<Answer>>::new());
    let tasks = sessions.into_iter().enumerate().map(|(number, (tenant, steps))| {
        let (service, served, answers) = (&service, &served, &answers);
        let talk = async move {
            let session = format!("new-{number}");
            for (at, step) in steps.iter().enumerate() {
                service.world.sleep(step.wait_us).await;
                let answer = match (served, engine.way) {
                    (Served::Objects(objects), _) => objects.ask(service, tenant, &session, step).await,
                    (_, Way::Claims) => ask::<Claims>(service, tenant, &session, at, step).await,
                    _ => ask::<Native>(service, tenant, &session, at, step).await,
                };
                answers.borrow_mut().entry(step.kind).or_default().push(answer);
            }
        };
        (PAST_US, Box::pin(talk) as Task<'_>)
    });
    service.world.run(tasks.collect());
    let touched = if let Served::Objects(objects) = &served { objects.len() } else { service.tenants() };
    let answers = answers.into_inner();
    Ok(Outcome { service: Rc::clone(&service), answers, touched, busiest_share: zipf.busiest() })
}

/// What is seen of a conversation through a window of this many microseconds: some have begun before it, and some go on
/// after it. So there are as many requests at its beginning as in its middle.
fn seen(steps: Vec<Step>, window: f64, dice: &Dice) -> Vec<Step> {
    let lasts = steps.iter().map(|step| step.wait_us).sum::<u64>() as f64;
    let mut time = dice.share() * (window + lasts) - lasts;
    let mut last = 0.0;
    let mut within = Vec::new();
    for step in steps {
        time += step.wait_us as f64;
        if (0.0..window).contains(&time) {
            within.push(Step { wait_us: (time - last) as u64, ..step });
            last = time;
        }
    }
    within
}

/// Gives a tenant what it has said before. Only tenants that are asked for exist.
fn prepare(
    engine: &'static Engine,
    service: &Rc<Service>,
    served: &Served,
    made: &mut Made,
    tenant: usize,
) -> Result<(), Error> {
    let size = pattern::size(tenant);
    match served {
        Served::Objects(objects) if !objects.knows(tenant) => {
            let table = match made.objects.entry(size) {
                Entry::Occupied(made) => made.into_mut(),
                Entry::Vacant(place) => place.insert(memories::in_object(engine, size)?),
            };
            objects.put(tenant, table.clone(), service);
        }
        Served::Bucket if !service.knows(tenant) => {
            let values = match made.buckets.entry((engine.way, size)) {
                Entry::Occupied(made) => made.into_mut(),
                Entry::Vacant(place) => place.insert(memories::in_bucket(engine, size)?),
            };
            service.put(tenant, values.clone());
        }
        _ => {}
    }
    Ok(())
}

/// Asks the API, as a client does: writes have a key, so that they may be sent again.
pub(crate) async fn ask<H: Head<SimBucket>>(
    service: &Rc<Service>,
    tenant: usize,
    session: &str,
    at: usize,
    step: &Step,
) -> Answer {
    let text = || step.text.as_str().into();
    let (target, body) = match step.kind {
        Kind::Append => {
            let message = Json::object(vec![("role", "user".into()), ("content", text())]);
            (format!("/v1/sessions/{session}/messages"), vec![("messages", Json::Array(vec![message]))])
        }
        Kind::Context => (format!("/v1/sessions/{session}/context"), vec![("query", text())]),
        Kind::Search => ("/v1/search".to_owned(), vec![("query", text())]),
        Kind::Add => ("/v1/entries".to_owned(), vec![("content", text())]),
    };
    let mut headers = vec![("authorization".to_owned(), format!("Bearer {TOKEN}").into_bytes())];
    if matches!(step.kind, Kind::Append | Kind::Add) {
        headers.push(("idempotency-key".to_owned(), format!("{session}-{at}").into_bytes()));
    }
    let mut body = Some(Json::object(body).to_string().into_bytes());
    let request = Request { method: "POST".to_owned(), target, headers, body: Box::new(move || body.take()) };
    let bucket = SimBucket { service: Rc::clone(service), tenant };
    let begin = service.world.micros();
    let (response, later) = api::answer::<_, H>(&bucket, request).await;
    let micros = service.world.micros() - begin;
    if let Some(later) = later {
        later.run().await;
    }
    Answer { status: response.status, micros }
}
