// Models that answer in place of the demo agent: endpoints that the user names, tried against one that speaks their wire
// formats, and fails in their ways.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { say, settled } from "./support/demo-page.mjs";
import { demoOfThisFile } from "./support/demo-tabs.mjs";
import { modelServer } from "./support/model-server.mjs";

const { tab, complaints } = demoOfThisFile();
let model;
before(async () => {
  model = await modelServer();
});
after(() => model?.close());

/** Chooses an endpoint in the settings. */
async function choose(page, name, { url, key = "", keep = false }) {
  await page.locator("header [data-tour=settings]").click();
  await page.getByLabel(name).check();
  await page.getByLabel("Base URL").fill(url);
  await page.getByLabel("Model", { exact: true }).fill("m-1");
  await page.getByLabel("API key", { exact: true }).fill(key);
  await page.getByLabel("Store the key on this device").setChecked(keep);
  await page.keyboard.press("Escape");
}

/** The model waits before the end of its answer, until the function that this answers is called. */
function hold() {
  let release;
  model.plan.hold = new Promise((resolve) => {
    release = resolve;
  });
  return () => {
    model.plan.hold = undefined;
    release();
  };
}

const problem = (page, text) => page.locator(".problem", { hasText: text }).waitFor();

/** Sends a text, and waits until it is kept: by then what went wrong before is told no longer. */
async function send(page, text) {
  await page.locator("#message").fill(text);
  await page.keyboard.press("Enter");
  await page.locator(".message.user", { hasText: text }).waitFor();
}

for (const [name, path, keyOf] of [
  ["OpenAI-compatible endpoint", "/v1/chat/completions", ({ authorization }) => authorization?.slice(7)],
  ["Anthropic endpoint", "/v1/messages", (headers) => headers["x-api-key"]],
]) {
  test(`${name}: the memory's prompt goes there, and the answer streams back`, async () => {
    const page = await tab();
    await say(page, "Remember that the deploy keys rotate on Mondays");
    await choose(page, name, { url: model.url, key: "k-1" });
    Object.assign(model.plan, { words: ["On ", "Mondays", ", <b>always</b>."], fail: undefined });
    assert.equal(await say(page, "When do the deploy keys rotate?"), "On Mondays, <b>always</b>.");
    assert.equal(await page.locator(".log .said b").count(), 0);
    const { url, headers, body } = model.requests.at(-1);
    assert.equal(url, path);
    assert.equal(keyOf(headers), "k-1");
    assert.equal(body.model, "m-1");
    assert.equal(body.stream, true);
    assert.match(JSON.stringify(body), /deploy keys rotate on Mondays/);
    await page.locator(".references button", { hasText: "deploy keys" }).last().waitFor();
    // The key was not to be stored.
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes("k-1"));
    await page.context().close();
  });
}

test("an answer is the same however its stream is cut into pieces", async () => {
  const page = await tab();
  for (const name of ["OpenAI-compatible endpoint", "Anthropic endpoint"]) {
    await choose(page, name, { url: model.url, key: "k-1" });
    Object.assign(model.plan, { words: ["Thứ hai, ", "月曜日", " 🌞\ndata: x"], fail: undefined, pieces: 5 });
    assert.equal(await say(page, `When is the deploy, ${name}?`), "Thứ hai, 月曜日 🌞\ndata: x");
    assert.equal(await page.getByText("The answer was cut off.").count(), 0, name);
  }
  model.plan.pieces = undefined;
  await page.context().close();
});

test("what goes wrong with an endpoint is said in words, and what came is kept", async () => {
  const page = await tab();
  await choose(page, "OpenAI-compatible endpoint", { url: model.url, key: "wrong" });
  model.plan.fail = "key";
  await send(page, "Hello?");
  await problem(page, "refused the API key");
  await problem(page, "Incorrect key provided");
  model.plan.fail = "busy";
  await send(page, "And now?");
  await problem(page, "Too many requests");
  model.plan.fail = "cut";
  model.plan.words = ["Half of an", " answer"];
  const release = hold();
  await send(page, "Once more?");
  await page.locator(".coming .said", { hasText: "Half of an answer" }).waitFor();
  release();
  await problem(page, "The part that arrived is kept");
  await page
    .locator(".message.assistant", { hasText: "Half of an" })
    .getByText("The answer was cut off.")
    .waitFor();
  model.plan.fail = undefined;
  await choose(page, "OpenAI-compatible endpoint", { url: "http://127.0.0.1:1/v1" });
  await send(page, "Anybody there?");
  await problem(page, "could not be reached");
  for (const url of ["not an address", "http://example.com/v1", "javascript:alert(1)"]) {
    await choose(page, "OpenAI-compatible endpoint", { url });
    await send(page, `Where is ${url}?`);
    await problem(page, "must begin with https://");
  }
  await choose(page, "Anthropic endpoint", { url: model.url, key: "" });
  await send(page, "Without a key?");
  await problem(page, "needs an API key");
  // The browser itself writes these to its console; the page does nothing wrong.
  const expected = /Failed to load resource|net::ERR_/;
  assert.deepEqual(
    complaints.splice(0).filter((line) => !expected.test(line)),
    [],
  );
  await page.context().close();
});

test("a stream is stopped at once, and a key is stored only if that was ticked", async () => {
  const page = await tab();
  await choose(page, "Anthropic endpoint", { url: model.url, key: "k-2", keep: true });
  const release = hold();
  model.plan.words = ["It goes", " on"];
  await send(page, "Tell me a long story");
  await page.locator(".coming .said", { hasText: "It goes on" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".message.assistant", { hasText: "Stopped by you." }).waitFor();
  release();
  await page.reload();
  await settled(page);
  await page.locator("header [data-tour=settings]").click();
  assert.equal(await page.getByLabel("API key", { exact: true }).inputValue(), "k-2");
  await page.getByLabel("Store the key on this device").uncheck();
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes("k-2"));
  await page.context().close();
});
