//! Learning from experience: planted procedures and causes of failure are found, and chance leaves nothing behind.

#[path = "shared/experience.rs"]
mod experience;

use experience::{Experience, World};
use keepsake::learn::{Cause, Condition, Learned, Rule, Settings, mine};

fn sequences(learned: &Learned) -> Vec<(String, Vec<String>)> {
    let steps = |skill: &keepsake::learn::LearnedSkill| skill.steps.iter().map(|step| step.tool.clone()).collect();
    learned.skills.iter().map(|skill| (skill.task_type.clone(), steps(skill))).collect()
}

fn rules(experience: &Experience, learned: &Learned) -> (Vec<String>, Vec<String>) {
    let planted = |rule: &Rule| match &rule.cause {
        Cause::Before { check } => (&rule.tool, check) == (&experience.needs.0, &experience.needs.1),
        Cause::After { then } => (&rule.tool, then) == (&experience.helps.0, &experience.helps.1),
        Cause::When { field, is: Condition::Missing } => rule.tool == experience.wants && field == "region",
        _ => false,
    };
    let kind = |rule: &&Rule| match rule.cause {
        Cause::Before { .. } => 0,
        Cause::After { .. } => 1,
        _ => 2,
    };
    let found: Vec<i32> = learned.rules.iter().filter(|rule| planted(rule)).map(|rule| kind(&rule)).collect();
    let lacking = (0..3).filter(|kind| !found.contains(kind)).map(|kind| kind.to_string()).collect();
    let spurious = learned
        .rules
        .iter()
        .filter(|rule| !planted(rule))
        .map(|rule| format!("{} {} {} {:.2}", rule.text(), rule.support, rule.against, rule.confidence))
        .collect();
    (lacking, spurious)
}

#[test]
fn rates() {
    for (name, change) in [
        ("one type", (|_| {}) as fn(&mut World)),
        ("typed", |world| world.typed = true),
        ("skewed", |world| world.skewed = true),
        ("typed skewed", |world| (world.typed, world.skewed) = (true, true)),
        ("20% noise runs, 20% slips", |world| (world.noise_runs, world.slips) = (20, 20)),
        ("plain failures", |world| (world.causes, world.failures) = (false, 20)),
        ("many repeats", |world| world.repeats = 20),
        ("lenient", |world| world.strict = false),
        ("100 runs", |world| world.runs = 100),
    ] {
        let (mut failed, mut all) = (0, 0);
        let (mut lacked, mut lies, mut worst_lies) = (0, 0, 0);
        let (mut missed, mut wrong, mut worst) = (0, 0, 0);
        let start = std::time::Instant::now();
        let mut time = std::time::Duration::ZERO;
        for seed in 0..std::env::var("SEEDS").unwrap_or_default().parse().unwrap_or(50) {
            let mut world = World::new(seed);
            change(&mut world);
            let experience = Experience::new(world);
            failed += experience.traces.iter().filter(|t| !t.success).count();
            all += experience.traces.len();
            let start = std::time::Instant::now();
            let learned = mine(&experience.traces, &Settings::default());
            time += start.elapsed();
            let found = sequences(&learned);
            if world.causes {
                let (lacking, spurious) = rules(&experience, &learned);
                lacked += lacking.len();
                lies += spurious.len();
                worst_lies = worst_lies.max(spurious.len());
                if std::env::var("SHOW").is_ok() && lacking.len() + spurious.len() > 0 {
                    println!(
                        "{name} {seed}: lacking {lacking:?} spurious {spurious:?}; {:?} {:?} {}",
                        experience.needs, experience.helps, experience.wants
                    );
                }
            }
            let lost: Vec<_> = experience.procedures.iter().filter(|p| !found.iter().any(|(_, f)| f == *p)).collect();
            let extra: Vec<_> = found
                .iter()
                .enumerate()
                .filter(|(_, (t, f))| {
                    !experience
                        .procedures
                        .iter()
                        .enumerate()
                        .any(|(at, p)| p == f && (t == "task" || *t == format!("task-{at}")))
                })
                .map(|(at, f)| (f, learned.skills[at].support))
                .collect();
            missed += lost.len();
            wrong += extra.len();
            worst = worst.max(extra.len());
            if (!lost.is_empty() || !extra.is_empty()) && std::env::var("SHOW").is_ok() {
                println!("{name} {seed}: lost {lost:?} extra {extra:?} of {:?}", experience.procedures);
            }
        }
        println!(
            "{name}: failed {failed}/{all} missed {missed}/250, false {wrong} (worst {worst}), rules missed {lacked}/150 false {lies} (worst {worst_lies}), {:?} each, {:?}",
            time / 50,
            start.elapsed()
        );
    }
}
#[test]
fn one() {
    let world = World::new(std::env::var("SEED").unwrap_or_default().parse().unwrap_or(13));
    let experience = Experience::new(world);
    println!("{:?}", experience.procedures);
    let learned = mine(&experience.traces, &Settings::default());
    for s in &learned.skills {
        println!("{} {}", s.title, s.support)
    }
    // wanted patterns checked by name through a probe
}
#[test]
fn noise() {
    for (typed, failures) in [(false, 0), (false, 20), (true, 20)] {
        let (mut skills, mut rules) = (0, 0);
        for seed in 0..100 {
            let mut world = World::new(seed + 1000);
            world.noise_runs = 100;
            world.causes = false;
            world.failures = failures;
            world.typed = typed;
            let learned = mine(&Experience::new(world).traces, &Settings::default());
            skills += learned.skills.len();
            rules += learned.rules.len();
            for rule in &learned.rules { println!("{} {} {}", rule.text(), rule.support, rule.against) }
            for skill in &learned.skills { println!("{}", skill.text()) }
        }
        println!("noise typed {typed} failures {failures}: {skills} skills {rules} rules");
    }
}
