// Plays the scripted hour in a page: says its messages one after the other, and looks at the prompt after every tenth.

/** How many messages are said between two looks at the prompt. */
const EVERY = 10;

/** What a prompt shows a model, as one text: instructions, memories, messages, calls and results. */
function shown({ prompt, messages }) {
  const inside = (value) =>
    typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(inside);
  return [prompt, ...messages.flatMap(({ content }) => inside(content))].join("\n");
}

/** Whether `left` names the message, alone or within a range. Ids of the hour are in the order of their names. */
function names(left, id) {
  return left.some(({ ref, range }) => ref === id || (range && range.first <= id && id <= range.last));
}

/** The problems of the prompt after the message `now`. */
async function problemsOf(memory, chat, { planted, budget }, now) {
  const context = await chat.context({ budget });
  const text = shown(context);
  const problems = [];
  if (context.tokens > budget) problems.push(`${now}: ${context.tokens} tokens`);
  const told = planted.filter(({ at }) => at <= now);
  for (const { at, words } of told) {
    if (!text.includes(words) && !names(context.left, at)) problems.push(`${now}: ${at} is lost: ${words}`);
  }
  for (const { ask, replaces, fresh, words } of told.filter(({ replaces }) => replaces)) {
    const block = await memory.longTerm({ agent: "planner" }).retrieve(ask);
    if (!block.includes(fresh) || block.includes(replaces))
      problems.push(`${now}: ${ask} is answered by ${block}`);
    const was = planted.find(({ now }) => now === words)?.words;
    if (was && text.includes(was) && !text.includes(words)) problems.push(`${now}: stale: ${was}`);
  }
  return problems;
}

/**
 * Plays steps from the one at `from` on, up to a crash or the end. Answers where it stopped, how often it looked, and
 * what was wrong.
 */
export async function play(memory, hour, from) {
  const problems = [];
  let [at, looks] = [from, 0];
  for (; at < hour.steps.length; at++) {
    const { say, agent, record, archive, crash } = hour.steps[at];
    if (crash && at > from) break;
    if (say) {
      const chat = memory.session(hour.session, { agent, contextTokens: hour.contextTokens });
      await chat.append(say);
      if (Number(say.id.slice(2)) % EVERY !== 0) continue;
      await chat.idle();
      looks += 1;
      problems.push(...(await problemsOf(memory, chat, hour, say.id)));
    }
    if (record)
      await memory
        .longTerm({ agent: record.agent, session: hour.session })
        .tools[0].call({ content: record.texts });
    if (archive) {
      const active = await memory.files.activate(archive.agent);
      await active.endSession({ date: archive.date, archive: { summary: archive.summary } });
    }
  }
  return { at, looks, problems };
}
