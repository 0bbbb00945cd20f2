// Finding 6: programs and handles that write to one storage at once take turns, and none of their writes is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonl, openMemory } from "keepsake";
import { newPath, program } from "./jsonl.mjs";

/** Everything that the programs said was added is in the file, and nothing was refused. */
async function allThere(path, programs) {
  const said = programs.flatMap(({ said }) => said);
  assert.deepEqual(
    said.filter((line) => !line.startsWith("added ")),
    [],
  );
  const memory = await openMemory({ user: "u-1", storage: jsonl(path) });
  const there = new Set((await memory.list()).map(({ id }) => id));
  for (const line of said) assert.ok(there.has(line.slice("added ".length)), `${line}, and it is gone`);
  // Of a program that was killed, one write for each call under way may be there that it could not tell of.
  assert.ok(there.size - said.length <= 8, `${there.size} entries, ${said.length} acknowledged`);
  assert.equal((await memory.log.verify()).ok, true);
  await memory.close();
}

test("beside a program that adds eight at a time, the single writes of another are not refused", async () => {
  const path = await newPath();
  const busy = program(path, "take", "busy", 8);
  await busy.saidSoMany(50);
  const single = program(path, "take", "single", 1, 40, 5);
  assert.equal(await single.ended, 0);
  busy.child.kill("SIGKILL");
  await busy.ended;
  await allThere(path, [busy, single]);
});

test("four busy programs on one file: no write is refused", async () => {
  const path = await newPath();
  const programs = [0, 1, 2, 3].map((n) => program(path, "take", `program-${n}`, 1, 60));
  for (const { ended } of programs) assert.equal(await ended, 0);
  await allThere(path, programs);
});
