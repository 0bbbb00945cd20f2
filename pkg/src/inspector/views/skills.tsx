// Skills: when each is used, its steps, and its success rate. Learned skills show their evidence.

import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Skill } from "../../wire/procedural.js";
import { useInside } from "../inside.js";
import { Share } from "../parts/bar.js";
import { useLive } from "../parts/live.js";
import { marked } from "../parts/markdown.js";
import { Ref } from "../parts/ref.js";
import { Answer, Empty } from "../parts/state.js";

export function SkillsPane(): VNode {
  const { say } = useInside();
  const skills = useLive("skills", (memory) => memory.procedural.list());
  return (
    <Answer of={skills}>
      {(all) => (
        <>
          <h2 class="unseen">{say("skills")}</h2>
          {all.length === 0 ? (
            <Empty call="memory.procedural.addSkill({ … })">{say("noSkills")}</Empty>
          ) : (
            <SkillCards skills={all} />
          )}
        </>
      )}
    </Answer>
  );
}

export function SkillCards({ skills }: { skills: readonly Skill[] }): VNode {
  return (
    <div class="cards">
      {skills.map((skill) => (
        <SkillCard key={skill.id} skill={skill} />
      ))}
    </div>
  );
}

function SkillCard({ skill }: { skill: Skill }): VNode {
  const { say, percent, label, hints, target } = useInside();
  const box = useRef<HTMLElement>(null);
  const isPointed = target?.kind === "skill" && target.id === skill.id;
  useEffect(() => {
    if (isPointed) box.current?.scrollIntoView({ block: "nearest" });
  }, [target]);
  return (
    <article ref={box} class={isPointed ? "card on" : "card"}>
      {/* The library's own text for it is an English sentence around the name of the task. */}
      <h3>{marked(skill.learned && skill.kind === "sop" ? (skill.taskType ?? "") : skill.use_when)}</h3>
      <p class="facts dim">
        <span class="tag">{say(skill.kind)}</span>
        {skill.learned && <span class="tag">{say("learned")}</span>}
        {skill.demoted && <span class="tag bad">{say("demoted")}</span>}
        {skill.taskType !== undefined && <span>{skill.taskType}</span>}
      </p>
      {skill.tool_sops.length > 0 && (
        <ol class="steps">
          {skill.tool_sops.map(({ tool, action }, at) => (
            <li key={at}>
              <code>{label(tool)}</code> {action}
            </li>
          ))}
        </ol>
      )}
      {skill.preferences !== undefined && <p class="text">{skill.preferences}</p>}
      {skill.successRate === undefined ? (
        <p class="dim">{say("unused")}</p>
      ) : (
        <>
          <Share value={skill.successRate} label={say("successRate")} />
          <p class="dim">{say("uses", { n: skill.uses })}</p>
        </>
      )}
      {skill.learned && (
        <p class="facts dim">
          <span>{say("support", { n: skill.support ?? 0 })}</span>
          {skill.confidence !== undefined && (
            <span>{say("confidence", { part: percent(skill.confidence) })}</span>
          )}
          {(skill.traces ?? []).map((id, at) => (
            <Ref key={id} to={{ kind: "trace", id }}>
              {hints ? id : say("run", { n: at + 1 })}
            </Ref>
          ))}
        </p>
      )}
    </article>
  );
}
