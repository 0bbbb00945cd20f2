// The manifest for Spin: its fields are those of Spin's reference, and the component in it is one that the build writes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { blocks, pageText } from "../js/support/pages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = join(root, "examples/spin/spin.toml");

/** As much TOML as the manifest has: tables, and texts, numbers and lists of texts, which are all JSON as well. */
function parsed(text) {
  const tables = { "": {} };
  let table = tables[""];
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const header = line.match(/^\[\[([\w.-]+)\]\]$/) ?? line.match(/^\[([\w.-]+)\]$/);
    const pair = line.match(/^(\w+) = (.+)$/);
    assert.ok(header || pair, `spin.toml:${at + 1}: neither a table nor a field`);
    if (header) {
      assert.ok(!(header[1] in tables), `spin.toml:${at + 1}: the table is there twice`);
      table = {};
      tables[header[1]] = table;
    } else {
      assert.ok(!(pair[1] in table), `spin.toml:${at + 1}: the field is there twice`);
      table[pair[1]] = JSON.parse(pair[2]);
    }
  }
  return tables;
}

/** The fields that Spin's reference has for each table, and those that must be there. */
const KNOWN = {
  "": { may: ["spin_manifest_version"], must: ["spin_manifest_version"] },
  application: { may: ["name", "version", "description", "authors"], must: ["name"] },
  "trigger.http": { may: ["id", "component", "route", "executor"], must: ["component", "route"] },
  component: {
    may: ["description", "source", "key_value_stores", "allowed_outbound_hosts", "environment", "files"],
    must: ["source"],
  },
};

test("the manifest has the fields of version 2, and no others", async () => {
  const manifest = parsed(await readFile(file, "utf8"));
  assert.equal(manifest[""].spin_manifest_version, 2);
  for (const [name, table] of Object.entries(manifest)) {
    const known = KNOWN[name.startsWith("component.") ? "component" : name];
    assert.ok(known, `[${name}] is no table of a manifest`);
    for (const field of Object.keys(table))
      assert.ok(known.may.includes(field), `[${name}] has no field ${field}`);
    for (const field of known.must) assert.ok(field in table, `[${name}] needs ${field}`);
  }
});

test("every path goes to a component that has the store which the component opens", async () => {
  const manifest = parsed(await readFile(file, "utf8"));
  const { route, component } = manifest["trigger.http"];
  assert.equal(route, "/...");
  const { key_value_stores: stores } = manifest[`component.${component}`];
  const bucket = await readFile(join(root, "service/src/wasi/bucket.rs"), "utf8");
  const [, opened] = bucket.match(/NAMES: \[&str; 2\] = \["(\w+)", ""\]/) ?? [];
  assert.deepEqual(stores, [opened]);
});

test("the component is one that the build has written, for the store that can compare", async () => {
  const manifest = parsed(await readFile(file, "utf8"));
  const source = resolve(dirname(file), manifest["component.keepsake"].source);
  assert.equal(relative(root, dirname(source)), "target/component");
  assert.ok((await readFile(source)).includes("wasi:keyvalue/atomics@0.2.0-draft2"));
});

test("the README's commands name the component of the manifest, and keys and fields that the service reads", async () => {
  const manifest = parsed(await readFile(file, "utf8"));
  const page = "examples/spin/README.md";
  const commands = blocks(page, await pageText(page)).filter(({ language }) => language === "sh");
  const all = commands.map(({ code }) => code).join("\n");
  const built = relative(root, resolve(dirname(file), manifest["component.keepsake"].source));
  assert.ok(all.includes(`# writes ${built}`), built);
  assert.ok(all.includes(`cd ${relative(root, dirname(file))}`));

  const service = await readFile(join(root, "service/src/api/tenant.rs"), "utf8");
  for (const [, key] of all.matchAll(/keepsake(\.\w+)/g)) assert.ok(service.includes(`{ROOT}${key}`), key);
  const [, settings] = all.match(/keepsake\.config=(\{.*\})'/) ?? [];
  for (const field of Object.keys(JSON.parse(settings))) assert.ok(service.includes(`("${field}")`), field);
});
