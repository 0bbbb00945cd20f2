//! Learning from experience: planted procedures and causes of failure are found, and chance leaves nothing behind.

#[path = "shared/experience.rs"]
mod experience;

use experience::{Dice, Experience, World, failed, step, tool};
use keepsake::learn::{Cause, Condition, Learned, Rule, Settings, Trace, mine};
use keepsake::model::Json;

/// What went wrong in learning from one world.
#[derive(Debug, Default)]
struct Misses {
    procedures: Vec<Vec<String>>,
    false_skills: Vec<String>,
    causes: Vec<&'static str>,
    false_rules: Vec<String>,
}

fn learn(traces: &[Trace]) -> Learned {
    mine(traces, &Settings::default())
}

fn misses(experience: &Experience, learned: &Learned) -> Misses {
    let steps = |at: usize| learned.skills[at].steps.iter().map(|step| step.tool.clone()).collect::<Vec<_>>();
    let found: Vec<Vec<String>> = (0..learned.skills.len()).map(steps).collect();
    let planted = |at: usize| {
        let number = experience.procedures.iter().position(|procedure| *procedure == found[at]);
        let task = &learned.skills[at].task_type;
        number.is_some_and(|number| task == "task" || *task == format!("task-{number}"))
    };
    let cause = |rule: &Rule| match &rule.cause {
        Cause::Before { check } if (&rule.tool, check) == (&experience.needs.0, &experience.needs.1) => Some("needs"),
        Cause::After { then } if (&rule.tool, then) == (&experience.helps.0, &experience.helps.1) => Some("helps"),
        Cause::When { field, is: Condition::Missing } if rule.tool == experience.wants && field == "region" => {
            Some("wants")
        }
        _ => None,
    };
    let causes: Vec<_> = learned.rules.iter().filter_map(cause).collect();
    let wanted: &[&str] = if experience.causes { &["needs", "helps", "wants"] } else { &[] };
    Misses {
        procedures: experience.procedures.iter().filter(|procedure| !found.contains(procedure)).cloned().collect(),
        false_skills: (0..found.len()).filter(|at| !planted(*at)).map(|at| learned.skills[at].text()).collect(),
        causes: wanted.iter().copied().filter(|wanted| !causes.contains(wanted)).collect(),
        false_rules: learned.rules.iter().filter(|rule| cause(rule).is_none()).map(Rule::text).collect(),
    }
}

#[test]
fn b25_every_planted_procedure_and_cause_is_found() {
    for seed in 0..4 {
        for typed in [false, true] {
            let experience = Experience::new(World { typed, ..World::new(seed) });
            let learned = learn(&experience.traces);
            let misses = misses(&experience, &learned);
            assert!(misses.procedures.is_empty() && misses.causes.is_empty(), "{seed} {typed}: {misses:?}");
            assert!(misses.false_skills.len() <= 1 && misses.false_rules.len() <= 1, "{seed} {typed}: {misses:?}");
            for skill in &learned.skills {
                assert!(skill.support >= 3 && skill.successes <= skill.support && skill.confidence >= 0.6);
                assert!((1..=20).contains(&skill.traces.len()));
            }
        }
    }
}

#[test]
fn b25_chance_teaches_nothing() {
    for seed in 0..4 {
        for typed in [false, true] {
            let noise = World { noise_runs: 100, causes: false, failures: 20, typed, ..World::new(seed) };
            let learned = learn(&Experience::new(noise).traces);
            assert_eq!(learned, Learned::default(), "{seed} {typed}");
        }
    }
}

/// Rates over many worlds: `KEEPSAKE_WORLDS=60 cargo test --release --features testing --test learn rates -- --nocapture`.
/// Few are enough to notice that a change has made it worse.
#[test]
#[allow(clippy::disallowed_methods, reason = "how many worlds is asked of who runs the tests")]
fn b25_rates_over_many_worlds() {
    let worlds = std::env::var("KEEPSAKE_WORLDS").ok().and_then(|count| count.parse().ok()).unwrap_or(1);
    type Variant = (&'static str, fn(u64) -> World);
    let variants: [Variant; 10] = [
        ("one task type", World::new),
        ("one for each procedure", |seed| World { typed: true, ..World::new(seed) }),
        ("skewed", |seed| World { skewed: true, ..World::new(seed) }),
        ("typed, skewed", |seed| World { typed: true, skewed: true, ..World::new(seed) }),
        ("20 % noise, 20 % slips", |seed| World { noise_runs: 20, slips: 20, ..World::new(seed) }),
        ("failures without cause", |seed| World { causes: false, failures: 20, ..World::new(seed) }),
        ("many repeats", |seed| World { repeats: 20, ..World::new(seed) }),
        ("noise steps never fail", |seed| World { strict: false, ..World::new(seed) }),
        ("100 runs", |seed| World { runs: 100, ..World::new(seed) }),
        ("noise only", |seed| World { noise_runs: 100, causes: false, failures: 20, ..World::new(seed) }),
    ];
    for (name, world) in variants {
        let mut sum = [0; 4];
        let mut worst = [0; 4];
        for seed in 0..worlds {
            let experience = Experience::new(world(seed));
            let learned = learn(&experience.traces);
            let misses = misses(&experience, &learned);
            let counts =
                [misses.procedures.len(), misses.false_skills.len(), misses.causes.len(), misses.false_rules.len()];
            for (at, count) in counts.into_iter().enumerate() {
                sum[at] += count;
                worst[at] = worst[at].max(count);
            }
        }
        println!(
            "{name}: of {} procedures {} missed, {} false (worst {}); of {} causes {} missed, {} false (worst {})",
            5 * worlds,
            sum[0],
            sum[1],
            worst[1],
            3 * worlds,
            sum[2],
            sum[3],
            worst[3],
        );
        assert!(worst[1] <= 1 && worst[3] <= 1, "{name}: at most one false skill and one false rule a world");
        if !["skewed", "100 runs", "noise only"].iter().any(|hard| name.contains(hard)) {
            assert_eq!(sum[0], 0, "{name}: every procedure is found");
        }
    }
}

fn trace(id: usize, tools: &[&str], success: bool) -> Trace {
    let mut dice = Dice::new(id as u64);
    let steps = tools.iter().map(|tool| step((*tool).to_owned(), &mut dice)).collect();
    Trace { id: id.to_string(), task_type: "t".into(), steps, success }
}

#[test]
fn b25_a_few_runs_are_enough_if_they_agree() {
    let mut runs: Vec<Trace> = (0..3).map(|id| trace(id, &["search", "open", "save"], true)).collect();
    runs.iter_mut().flat_map(|run| &mut run.steps).for_each(|step| step.input = Json::Null);
    let learned = learn(&runs);
    assert_eq!(learned.skills.len(), 1);
    let skill = &learned.skills[0];
    assert_eq!((skill.title.as_str(), skill.support, skill.successes), ("search → open → save", 3, 3));
    assert_eq!(skill.traces, ["0", "1", "2"]);
    assert_eq!(skill.text(), "For `t`: `search`, then `open`, then `save`. It went well in 3 of 3 runs.");
    assert!(learn(&runs[..2]).skills.is_empty());
}

#[test]
fn b25_steps_taken_again_are_one_step() {
    let runs: Vec<Trace> = (0..12)
        .map(|id| {
            let mut tools = vec!["search"; 1 + id % 4];
            tools.extend(["open", "save"]);
            trace(id, &tools, true)
        })
        .collect();
    assert_eq!(
        learn(&runs).skills.iter().map(|skill| skill.title.as_str()).collect::<Vec<_>>(),
        ["search → open → save"]
    );
}

#[test]
fn b25_a_tool_used_for_different_things_is_told_apart_by_its_action() {
    let run = |id: usize| {
        let mut run = trace(id, &["http", "http", "http"], true);
        for (step, action) in run.steps.iter_mut().zip([format!("get user {id}"), "check stock".into(), "order".into()])
        {
            step.action = Some(action);
        }
        run
    };
    let learned = learn(&(0..8).map(run).collect::<Vec<_>>());
    let steps: Vec<_> =
        learned.skills[0].steps.iter().map(|step| (step.tool.as_str(), step.action.as_deref())).collect();
    assert_eq!(steps, [("http", Some("get user <…>")), ("http", Some("check stock")), ("http", Some("order"))]);
}

/// The procedure of runs whose calls are tools with inputs.
fn procedure(runs: &[Vec<(&str, Json)>]) -> Vec<(String, Option<String>)> {
    let mut traces = Vec::new();
    for (id, calls) in runs.iter().enumerate() {
        let tools: Vec<&str> = calls.iter().map(|(tool, _)| *tool).collect();
        let mut run = trace(id, &tools, true);
        for (step, (_, input)) in run.steps.iter_mut().zip(calls) {
            step.input = input.clone();
        }
        traces.push(run);
    }
    let learned = learn(&traces);
    assert_eq!(learned.skills.len(), 1, "{learned:?}");
    learned.skills[0].steps.iter().map(|step| (step.tool.clone(), step.action.clone())).collect()
}

#[test]
fn b19_a_procedure_keeps_its_commands_apart_and_its_arguments() {
    let told = |steps: &[(String, Option<String>)]| -> Vec<String> {
        steps.iter().map(|(tool, action)| format!("{tool}: {}", action.as_deref().unwrap_or("-"))).collect()
    };
    for runs in [3, 4, 30] {
        let run = |_| -> Vec<(&str, Json)> {
            let commands = ["npm install", "npm run build", "npm test", "vercel deploy"];
            let repo = ("create_repo", Json::from("create repo from template nextjs"));
            [repo].into_iter().chain(commands.map(|command| ("run_cmd", command.into()))).collect()
        };
        let steps = procedure(&(0..runs).map(run).collect::<Vec<_>>());
        assert_eq!(
            told(&steps),
            [
                "create_repo: create repo from template nextjs",
                "run_cmd: npm install",
                "run_cmd: npm run build",
                "run_cmd: npm test",
                "run_cmd: vercel deploy",
            ],
            "{runs}"
        );
    }
    // A query that is another one each time is one step, however often it is asked.
    let searches = (0..12_usize)
        .map(|id| {
            let mut run: Vec<(&str, Json)> = Vec::new();
            for number in 0..=id % 3 {
                run.push(("search", Json::from(format!("question {} about {}", id * 7 + number, id + number))));
            }
            run.push(("answer", Json::object(vec![("tone", "kind".into()), ("id", id.into())])));
            run
        })
        .collect::<Vec<_>>();
    let steps = procedure(&searches);
    assert_eq!(told(&steps), ["search: question <…>", "answer: {\"tone\":\"kind\",\"id\":\"<id>\"}"]);
}

#[test]
fn b25_support_is_enough_for_whole_runs_if_it_is_asked_for() {
    let one = [trace(0, &["search", "open", "save"], true), trace(1, &["search", "open"], false)];
    let whole = Settings { min_support: 1, whole_runs: true, ..Settings::default() };
    let learned = mine(&one, &whole);
    assert_eq!(learned.skills.iter().map(|skill| skill.title.as_str()).collect::<Vec<_>>(), ["search → open → save"]);
    assert_eq!((learned.skills[0].support, learned.skills[0].successes), (1, 1));
    assert_eq!(mine(&one, &Settings { min_support: 1, ..Settings::default() }).skills, []);
    assert_eq!(mine(&one, &Settings { min_support: 2, ..whole }).skills, []);
}

#[test]
fn b28_two_failures_are_enough_if_the_message_names_the_cause() {
    let settings = Settings { min_support: 2, ..Settings::default() };
    let mut runs = vec![trace(0, &["login", "pay"], true), trace(1, &["login", "pay"], true)];
    for id in 2..4 {
        let mut run = trace(id, &["pay"], false);
        run.steps[0] = failed(run.steps[0].clone(), format!("not allowed: Login first (request {id})"));
        runs.push(run);
    }
    let learned = mine(&runs, &settings);
    assert_eq!(learned.rules.len(), 1);
    let rule = &learned.rules[0];
    assert_eq!(rule.cause, Cause::Before { check: "login".into() });
    assert_eq!((rule.support, rule.against, rule.task_type.as_deref()), (2, 0, Some("t")));
    assert_eq!(rule.traces, ["2", "3"]);
    assert_eq!(
        rule.text(),
        "Before `pay`, use `login`: without it `pay` fails with “not allowed: Login first (request #)”."
    );
    // Nothing to compare with: all that can be said is that it fails.
    let learned = mine(&runs[2..], &settings);
    assert_eq!(learned.rules.iter().map(|rule| &rule.cause).collect::<Vec<_>>(), [&Cause::Always]);
}

#[test]
fn b28_values_and_forms_of_fields_are_causes() {
    let mut dice = Dice::new(1);
    let mut run = |id: usize, bad: bool, field: &str, value: Json| {
        let mut run = trace(id, &["book"], !bad);
        let input =
            Json::object(vec![("when", Json::object(vec![(field, value)])), ("id", Json::from(dice.below(900)))]);
        run.steps[0].input = input;
        if bad {
            run.steps[0] = failed(run.steps[0].clone(), format!("bad request {id}"));
        }
        run
    };
    let mut runs: Vec<Trace> = (0..40)
        .map(|id| {
            let day = if id % 4 == 0 {
                format!("{}/{}/2025", id % 12 + 1, id % 28)
            } else {
                format!("2025-0{}-1{}", id % 9, id % 10)
            };
            run(id, id % 4 == 0, "day", day.as_str().into())
        })
        .collect();
    let cause = |runs: &[Trace]| learn(runs).rules.iter().map(Rule::text).collect::<Vec<_>>();
    assert_eq!(cause(&runs), ["`book` fails with “bad request #” when `when.day` is written like `\"0/0/0\"`."]);
    runs = (0..40).map(|id| run(id, id % 4 == 0, "seats", (id % 4).into())).collect();
    assert_eq!(cause(&runs), ["`book` fails with “bad request #” when `when.seats` is `0`."]);
}

#[test]
fn b28_a_run_that_fails_without_an_error_fails_at_its_end() {
    let runs: Vec<Trace> =
        (0..40)
            .map(|id| {
                if id % 3 == 0 {
                    trace(id, &["find", "buy"], false)
                } else {
                    trace(id, &["find", "check", "buy"], true)
                }
            })
            .collect();
    let rules = learn(&runs).rules;
    assert_eq!(
        rules.iter().map(Rule::text).collect::<Vec<_>>(),
        ["Before `buy`, use `check`: without it `buy` fails."]
    );
}

#[test]
fn hostile_traces_take_bounded_time() {
    let mut dice = Dice::new(7);
    let long: String = "x'\"é".repeat(200_000);
    let mut traces: Vec<Trace> = (0..10_000)
        .map(|id| {
            let steps = (0..8).map(|_| step(tool(dice.below(1_000)), &mut dice)).collect();
            Trace { id: id.to_string(), task_type: format!("t{}", id % 3), steps, success: id % 5 > 0 }
        })
        .collect();
    let all = (0..10_000).map(|number| step(tool(number % 7), &mut dice)).collect();
    traces.push(Trace { id: long.clone(), task_type: long.clone(), steps: all, success: true });
    for number in 0..8 {
        let mut big = step(if number % 2 == 0 { String::new() } else { long.clone() }, &mut dice);
        big.action = Some(long.clone());
        big.input = Json::Object((0..2_000).map(|field| (format!("f{field}"), Json::from(long.get(..50)))).collect());
        big.error = Some(long.clone());
        traces.push(Trace {
            id: String::new(),
            task_type: String::new(),
            steps: vec![big; 4],
            success: number % 3 == 0,
        });
    }
    traces.extend((0..10).map(|_| Trace::default()));
    learn(&traces);
    let greedy = Settings {
        min_support: 0,
        whole_runs: true,
        min_confidence: -1.0,
        min_evidence: 0,
        min_steps: 0,
        max_steps: usize::MAX,
        max_gap: usize::MAX,
        max_skills: usize::MAX,
        max_rules: usize::MAX,
        max_traces: 100,
    };
    mine(&traces, &greedy);
    mine(&traces[9_900..], &Settings { min_confidence: f64::NAN, max_traces: usize::MAX, ..greedy });
    mine(&[], &Settings { max_traces: 0, ..Settings::default() });
}
