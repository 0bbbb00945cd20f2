//! Whether a skill is still reliable, by its latest outcomes.

/// Whether a skill is offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It is offered.
    #[default]
    Trusted,
    /// It is not offered, because it has started to fail.
    Demoted,
}

/// The thresholds of demotion and of recovery: see [`standing`].
const FALL: u32 = 10;
const RECOVERY: u32 = 6;

/// The standing after these outcomes, the latest last.
///
/// A sum of evidence for a change, which never falls below zero (CUSUM): unlike the share of all uses, it does not take
/// a hundred failures to outweigh a hundred old successes, and unlike the share of the last few it has no fixed window.
/// A failure weighs 3 and a success 2: the log-likelihood ratios between a skill that works in four of ten uses and one
/// that works in eight. Four failures in a row, or five of seven, demote; three successes in a row reinstate. A skill
/// that works nine times in ten is almost never demoted.
pub fn standing(outcomes: &[bool]) -> Standing {
    let mut standing = Standing::Trusted;
    let mut evidence = 0_u32;
    for went_well in outcomes {
        let against = *went_well == (standing == Standing::Trusted);
        let weight = if *went_well { 2 } else { 3 };
        evidence = if against { evidence.saturating_sub(weight) } else { evidence + weight };
        let (needed, next) = match standing {
            Standing::Trusted => (FALL, Standing::Demoted),
            Standing::Demoted => (RECOVERY, Standing::Trusted),
        };
        if evidence >= needed {
            (standing, evidence) = (next, 0);
        }
    }
    standing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(outcomes: &str) -> Standing {
        standing(&outcomes.bytes().map(|outcome| outcome == b'+').collect::<Vec<_>>())
    }

    #[test]
    fn b25_a_skill_that_starts_to_fail_is_demoted_and_one_that_recovers_is_reinstated() {
        for trusted in ["", "-", "---", "+++++++++", "+-+-+-+", "++++---++", "----+++", "++++++++----+++", "-+--+++-+"]
        {
            assert_eq!(of(trusted), Standing::Trusted, "{trusted}");
        }
        for demoted in ["----", "++++++++++++++++++++++----", "--+--", "----++", "----++-+", "----+++----"] {
            assert_eq!(of(demoted), Standing::Demoted, "{demoted}");
        }
    }
}
