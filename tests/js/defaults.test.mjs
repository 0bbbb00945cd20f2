// Every optional option of the public API says in its own comment, which editors show, what its default is, or why it has none.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = JSON.parse(await readFile(join(root, "pkg/package.json"), "utf8"));
const entries = [...new Set(typesOf(exports))];
const compiler = new API({ cwd: root });
after(() => compiler.close());

/** The declarations that a part of `exports` names. */
function typesOf(part) {
  if (typeof part !== "string") return Object.values(part).flatMap(typesOf);
  return part.endsWith(".d.ts") ? [join(root, "pkg", part)] : [];
}

/** The declarations of this package behind the exports of an entry. */
function exported(snapshot, entry) {
  const project = snapshot.getDefaultProjectForFile(entry);
  const { checker } = project;
  const symbols = checker.getExportsOfModule(
    checker.getSymbolAtLocation(project.program.getSourceFile(entry)),
  );
  const nodes = symbols.flatMap((symbol) => {
    const isAlias = symbol.declarations.some(({ kind }) => kind === SyntaxKind.ExportSpecifier);
    const { declarations } = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    return declarations.map((handle) => ({ name: symbol.name, node: handle.resolve(project) }));
  });
  return nodes.filter(({ node }) => relative(root, node.getSourceFile().fileName).startsWith("pkg"));
}

/**
 * The optional options in a declaration, with their comments. An option is `name?: T | undefined`: an app may pass
 * `undefined`. A field of an answer is `name?: T`.
 */
function optionsOf({ name, node }) {
  const found = [];
  const visit = (inner, path) => {
    let at = path;
    if (inner.kind === SyntaxKind.PropertySignature) {
      at = `${path}.${inner.name.getText()}`;
      const isOptional = inner.postfixToken?.kind === SyntaxKind.QuestionToken;
      if (isOptional && /\| undefined;?$/.test(inner.getText())) {
        found.push([at, (inner.jsDoc ?? []).map((comment) => comment.getText()).join(" ")]);
      }
    }
    inner.forEachChild((child) => {
      visit(child, at);
    });
  };
  visit(node, `${relative(root, node.getSourceFile().fileName)}: ${name}`);
  return found;
}

test("every optional option says its default, or why it has none", () => {
  const snapshot = compiler.updateSnapshot({ openFiles: entries });
  const options = new Map(entries.flatMap((entry) => exported(snapshot, entry).flatMap(optionsOf)));
  const silent = [...options].filter(
    ([, comment]) => !/\b(D|d|No d)efault: \S/.test(comment.replace(/\s*\n\s*\*\s*/g, " ")),
  );
  assert.ok(options.size > 400, `${options.size} options`);
  assert.deepEqual(
    silent.map(([name, comment]) => `${name} ${comment}`),
    [],
  );
});
