// A disk that is full, under a real browser: said as what it is, in writes and reads, and over once there is room again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../www/serve.mjs";
import { BROWSER, launchPersistent } from "./support/browser.mjs";

/** A disk of 60 MB, or why there can be none. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), "keepsake-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=60m", "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmdirSync(folder);
    return { reason: "this user may not mount a disk to fill" };
  }
  const unmount = () => {
    execFileSync("umount", ["-l", folder]);
    rmdirSync(folder);
  };
  return { folder, unmount };
}

test("X2 F5 F9 a full disk is quota-exceeded, with its event, and nothing is lost once there is room", async (context) => {
  if (BROWSER !== "chromium") return context.skip("only Chromium is given a profile folder here");
  const disk = smallDisk();
  if (disk.reason) return context.skip(disk.reason);
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const headers = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" };
  const server = await serve({ folder: root, port: 0, headers });
  const browser = await launchPersistent(join(disk.folder, "profile"));
  const filler = join(disk.folder, "filler");
  try {
    const page = await browser.newPage();
    await page.goto(new URL("/tests/e2e/support/page.html", server.url).href);
    await page.evaluate(async () => {
      const { openMemory } = await import("keepsake");
      globalThis.code = (promise) =>
        promise.then(
          () => "ok",
          (error) => error.code,
        );
      globalThis.memory = await openMemory({ name: "full", user: "u-1" });
      globalThis.events = [];
      memory.on("quota", () => events.push("quota"));
      await memory.add("Hoa trinkt Tee", { id: "tea" });
    });
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    const full = await page.evaluate(async () => {
      const writes = [];
      for (let at = 0; at < 200 && writes.at(-1) !== "quota-exceeded"; at += 1) {
        writes.push(await code(memory.add(`Note ${at} ${"x".repeat(4000)}`)));
      }
      return { kinds: [...new Set(writes)], read: await code(memory.get("tea")), events };
    });
    assert.deepEqual(
      full.kinds.filter((kind) => kind !== "ok"),
      ["quota-exceeded"],
    );
    // Chromium closes a database that it cannot write to, and cannot open it again either.
    assert.ok(["ok", "quota-exceeded"].includes(full.read), full.read);
    assert.ok(full.events.includes("quota"));
    rmSync(filler);
    const after = await page.evaluate(async () => {
      const added = await code(memory.add("Da ist wieder Platz", { id: "room" }));
      const { ok, problems } = await memory.verify();
      return { added, ok, problems, tea: (await memory.get("tea"))?.content };
    });
    assert.deepEqual(after, { added: "ok", ok: true, problems: [], tea: "Hoa trinkt Tee" });
  } finally {
    await browser.close();
    await server.close();
    disk.unmount();
  }
});

test("F5 F9 in Rust a full disk is quota-exceeded, and nothing is lost once there is room", async (context) => {
  if (BROWSER !== "chromium") return context.skip("only Chromium is given a profile folder here");
  const disk = smallDisk();
  if (disk.reason) return context.skip(disk.reason);
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const headers = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'" };
  const server = await serve({ folder: root, port: 0, headers });
  const browser = await launchPersistent(join(disk.folder, "profile"));
  const filler = join(disk.folder, "filler");
  try {
    const page = await browser.newPage();
    await page.goto(new URL("/tests/e2e/support/page.html", server.url).href);
    await page.evaluate(async () => {
      const { open } = await import("/tests/e2e/support/worlds-page.mjs");
      await open("rust", "full");
      globalThis.code = (promise) =>
        promise.then(
          () => "ok",
          (error) => error.message,
        );
      await world.add("tea", "Hoa trinkt Tee");
    });
    const { bavail, bsize } = statfsSync(disk.folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    const full = await page.evaluate(async () => {
      const writes = [];
      for (let at = 0; at < 200 && writes.at(-1) !== "quota-exceeded"; at += 1) {
        writes.push(await code(world.add(`n${at}`, `Note ${at} ${"x".repeat(4000)}`)));
      }
      return { kinds: [...new Set(writes)], written: writes.filter((write) => write === "ok").length };
    });
    assert.deepEqual(
      full.kinds.filter((kind) => kind !== "ok"),
      ["quota-exceeded"],
    );
    rmSync(filler);
    const after = await page.evaluate(async () => {
      const added = await code(world.add("room", "Da ist wieder Platz"));
      const { count, has, verify } = world;
      return { added, count: await count(), tea: await has("tea"), problems: await verify() };
    });
    assert.deepEqual(after, { added: "ok", count: full.written + 2, tea: true, problems: [] });
  } finally {
    await browser.close();
    await server.close();
    disk.unmount();
  }
});
