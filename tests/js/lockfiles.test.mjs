// What npm installs: lock files with hashes, from the registry, without scripts; and every dependency has its reason.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { directCrates, directDependencies, lint, lintAll } from "../lockfiles.mjs";

test("every lock file of npm is in order", () => {
  const all = lintAll();
  assert.ok(all.length >= 4, "the lock files are found");
  for (const { file, wrong } of all) assert.deepEqual(wrong, [], file);
});

const HASH = `sha512-${"A".repeat(86)}==`;
const locked = (packages) => ({ lockfileVersion: 3, packages });

test("a package without a hash, from elsewhere or with a script is noticed", () => {
  const wrong = (entry, manifest = {}) =>
    lint(locked({ "node_modules/a/node_modules/@x/b": entry }), manifest).wrong;
  assert.deepEqual(wrong({ version: "1.0.0", integrity: HASH }), []);
  const cases = [
    [{ version: "1.0.0" }, /has no `integrity`/],
    [{ version: "1.0.0", optional: true }, /has no `integrity`/],
    [{ version: "1.0.0", integrity: "sha1-aaaa" }, /must be one SHA-512/],
    [{ version: "1.0.0", integrity: `${HASH} sha1-aaaa` }, /must be one SHA-512/],
    [{ integrity: HASH, resolved: "https://evil.example/b.tgz" }, /not to the registry/],
    [{ integrity: HASH, resolved: "https://registry.npmjs.org.evil.example/b.tgz" }, /not to the registry/],
    [{ integrity: HASH, resolved: "git+ssh://git@github.com/x/b.git#abc" }, /not to the registry/],
    [{ link: true, resolved: "../elsewhere" }, /which is no workspace/],
    [{ integrity: HASH, hasInstallScript: true }, /has an install script/],
    [{ integrity: HASH, dependencies: { c: "github:x/c" } }, /c comes from github:x\/c/],
    [{ integrity: HASH, dependencies: { c: "x/c" } }, /not from the registry/],
    [{ integrity: HASH, optionalDependencies: { c: "file:../c" } }, /not from the registry/],
    [{ integrity: HASH, dependencies: { c: "npm:d@git+https://x.example/d.git" } }, /not from the registry/],
  ];
  for (const [entry, problem] of cases) assert.match(wrong(entry).join("\n"), problem, JSON.stringify(entry));
  const named = { allowScripts: { "@x/b": false } };
  assert.deepEqual(wrong({ integrity: HASH, hasInstallScript: true }, named), []);
  assert.deepEqual(
    wrong({ integrity: HASH, dependencies: { c: "npm:@d/c@^1.0.0", e: ">=1 <2 || 3.x" } }),
    [],
  );
});

test("only binaries for one system may lack a hash, and they are named", () => {
  const entry = { version: "1.0.0", optional: true, os: ["darwin"] };
  assert.deepEqual(lint(locked({ "node_modules/a": entry }), {}), {
    wrong: [],
    unhashed: ["node_modules/a"],
  });
});

test("every direct dependency is named in docs/dependencies.md with its reason", async () => {
  const page = await readFile(new URL("../../docs/dependencies.md", import.meta.url), "utf8");
  const named = new Set(
    [...page.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) => cell.match(/`[^`]+`/g) ?? []),
  );
  const known = [...directDependencies(), ...directCrates()];
  assert.ok(
    known.some(({ names }) => names.includes("sha2")) && known.some(({ names }) => names.includes("preact")),
  );
  const missing = known.flatMap(({ file, names }) =>
    names.filter((name) => !named.has(`\`${name}\``)).map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(missing, []);
});
