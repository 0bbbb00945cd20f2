//! Synthetic experience: runs of an agent that follows planted procedures, with noise, slips and failures of known cause.

use keepsake::learn::{Step, Trace};
use keepsake::model::Json;

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
        dice.below(2);
        dice
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// How the experience is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) runs: usize,
    pub(crate) tools: usize,
    pub(crate) procedures: usize,
    /// One task type for each procedure, or one for everything.
    pub(crate) typed: bool,
    /// Percent of runs without a procedure.
    pub(crate) noise_runs: usize,
    /// Most noise steps in a run.
    pub(crate) noise_steps: usize,
    /// Percent of runs with a dropped step, and with two swapped.
    pub(crate) slips: usize,
    /// Percent of runs that fail for no reason.
    pub(crate) failures: usize,
    /// Percent of steps that are taken again and again.
    pub(crate) repeats: usize,
    /// Whether some procedures are followed more often than others.
    pub(crate) skewed: bool,
    /// Whether runs with causes of failure are planted.
    pub(crate) causes: bool,
    /// Whether a noise step also fails for the planted causes.
    pub(crate) strict: bool,
}

impl World {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            runs: 500,
            tools: 12,
            procedures: 5,
            typed: false,
            noise_runs: 15,
            noise_steps: 3,
            slips: 10,
            failures: 6,
            repeats: 5,
            skewed: false,
            causes: true,
            strict: true,
        }
    }
}

/// What was planted.
pub(crate) struct Experience {
    pub(crate) procedures: Vec<Vec<String>>,
    pub(crate) traces: Vec<Trace>,
    pub(crate) causes: bool,
    /// The tool that needs another, and the other.
    pub(crate) needs: (String, String),
    /// The tool that gets over its error by another, and the other.
    pub(crate) helps: (String, String),
    /// The tool that fails without its field `region`.
    pub(crate) wants: String,
}

const TOOLS: [&str; 12] =
    ["search", "open", "login", "extract", "save", "mail", "fetch", "parse", "book", "pay", "refresh", "notify"];

pub(crate) fn tool(number: usize) -> String {
    TOOLS.get(number).map_or_else(|| format!("tool_{number}"), |name| (*name).to_owned())
}

fn is_within(short: &[usize], long: &[usize]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|step| rest.any(|other| other == step))
}

/// Procedures of three to six different steps that share steps and pairs of steps; none lies within another.
fn procedures(dice: &mut Dice, world: &World) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    while all.len() < world.procedures {
        let length = 3 + dice.below(4);
        let mut steps = Vec::new();
        if !all.is_empty() && dice.percent(60) {
            let other = &all[dice.below(all.len())];
            let size = 2 + dice.below(2).min(length - 3);
            let from = dice.below(other.len() - size + 1);
            steps.extend_from_slice(&other[from..from + size]);
        }
        while steps.len() < length {
            let step = dice.below(world.tools);
            if !steps.contains(&step) {
                steps.insert(if dice.percent(50) { 0 } else { steps.len() }, step);
            }
        }
        if !all.iter().any(|other| is_within(&steps, other) || is_within(other, &steps)) {
            all.push(steps);
        }
    }
    all
}

pub(crate) fn step(tool: String, dice: &mut Dice) -> Step {
    let words = ["alpha", "beta", "gamma", "delta", "epsilon"];
    let input = Json::object(vec![
        ("id", Json::from(dice.below(10_000))),
        ("query", Json::from(words[dice.below(words.len())])),
        ("region", Json::from(["eu", "us"][dice.below(2)])),
        ("limit", Json::from([10_usize, 20, 50][dice.below(3)])),
    ]);
    Step { tool, action: None, input, error: None, error_type: None, success: true }
}

pub(crate) fn failed(mut step: Step, error: String) -> Step {
    step.error = Some(error);
    step.success = false;
    step
}

fn without_region(mut step: Step) -> Step {
    if let Json::Object(fields) = &mut step.input {
        fields.retain(|(name, _)| name != "region");
    }
    step
}

impl Experience {
    pub(crate) fn new(world: World) -> Self {
        let mut dice = Dice::new(world.seed);
        // The causes lie in three different procedures, at three different tools.
        let (mut plans, mut needs, mut helps, mut wants);
        loop {
            plans = procedures(&mut dice, &world);
            let needing = &plans[0];
            let at = 1 + dice.below(needing.len() - 1);
            needs = (needing[at], needing[at - 1]);
            let helped = &plans[1];
            helps = (helped[dice.below(helped.len())], dice.below(world.tools));
            let wanting = &plans[2];
            wants = wanting[dice.below(wanting.len())];
            let tools = [needs.0, helps.0, wants];
            let apart = needs.0 != helps.0 && helps.0 != wants && wants != needs.0;
            // Whoever uses the tool that needs another does so in the right order.
            let kept = plans.iter().all(|plan| !plan.contains(&needs.0) || is_within(&[needs.1, needs.0], plan));
            if kept && apart && !tools.contains(&helps.1) && !plans[1].contains(&helps.1) && helps.1 != needs.1 {
                break;
            }
        }
        let mut traces = Vec::new();
        for number in 0..world.runs {
            let which = if world.skewed {
                dice.below(world.procedures).min(dice.below(world.procedures))
            } else {
                dice.below(world.procedures)
            };
            let noise = dice.percent(world.noise_runs);
            let mut plan: Vec<usize> = if noise { Vec::new() } else { plans[which].clone() };
            // A slip that is a cause of failure: the needed step is left out.
            let forgets = world.causes && which == 0 && dice.percent(25);
            if forgets {
                plan.retain(|step| *step != needs.1);
            } else if dice.percent(world.slips) && plan.len() > 2 {
                plan.remove(dice.below(plan.len()));
            }
            if dice.percent(world.slips) && plan.len() > 2 {
                let at = dice.below(plan.len() - 1);
                plan.swap(at, at + 1);
            }
            let extra = if noise { 3 + dice.below(7) } else { dice.below(world.noise_steps + 1) };
            let mut planned: Vec<(usize, bool)> = plan.into_iter().map(|step| (step, false)).collect();
            for _ in 0..extra {
                let at = dice.below(planned.len() + 1);
                planned.insert(at, (dice.below(world.tools), true));
            }
            let breaks = dice.percent(world.failures).then(|| dice.below(planned.len()));
            let mut steps: Vec<Step> = Vec::new();
            let mut success = true;
            for (at, (number, noisy)) in planned.into_iter().enumerate() {
                let mut now = step(tool(number), &mut dice);
                let matters = world.causes && (world.strict || !noisy);
                if breaks == Some(at) {
                    let code = dice.below(1000);
                    steps.push(failed(now, format!("internal error: worker {code} crashed")));
                    success = false;
                    break;
                }
                let done =
                    |steps: &[Step], number: usize| steps.iter().any(|step| step.success && step.tool == tool(number));
                if matters && number == needs.0 && !done(&steps, needs.1) {
                    let code = dice.below(100);
                    steps.push(failed(now, format!("precondition {code} failed")));
                    if dice.percent(70) {
                        success = false;
                        break;
                    }
                    steps.push(step(tool(needs.1), &mut dice));
                    steps.push(step(tool(number), &mut dice));
                    continue;
                }
                if matters && number == helps.0 && dice.percent(16) {
                    let wait = dice.below(60);
                    steps.push(failed(now, format!("rate limit of '{}' reached, wait {wait} s", tool(number))));
                    if dice.percent(50) {
                        steps.push(step(tool(helps.1), &mut dice));
                        steps.push(step(tool(number), &mut dice));
                        continue;
                    }
                    if dice.percent(50) {
                        now = step(tool(number), &mut dice);
                        steps.push(failed(now, format!("rate limit of '{}' reached, wait {wait} s", tool(number))));
                    }
                    success = false;
                    break;
                }
                if matters && number == wants && dice.percent(12) {
                    steps.push(failed(without_region(now), format!("bad request {}", dice.below(1000))));
                    success = false;
                    break;
                }
                let again = dice.percent(world.repeats);
                if again {
                    for _ in 0..1 + dice.below(2) {
                        let code = dice.below(5000);
                        let same = step(tool(number), &mut dice);
                        steps.push(if dice.percent(50) {
                            failed(same, format!("timeout after {code} ms"))
                        } else {
                            same
                        });
                    }
                }
                steps.push(now);
            }
            let task_type = if world.typed { format!("task-{which}") } else { "task".to_owned() };
            traces.push(Trace { id: format!("run-{number}"), task_type, steps, success });
        }
        let names = |steps: &Vec<usize>| steps.iter().map(|step| tool(*step)).collect();
        Self {
            procedures: plans.iter().map(names).collect(),
            traces,
            causes: world.causes,
            needs: (tool(needs.0), tool(needs.1)),
            helps: (tool(helps.0), tool(helps.1)),
            wants: tool(wants),
        }
    }
}
