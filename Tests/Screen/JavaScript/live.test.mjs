// Tests the stream of screens: lines that arrive in pieces, a stream that ends, and a stream that stays open but
// sends nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { STALE, follow } from "../Web/live.js";

const encoder = new TextEncoder();
const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, fetch: globalThis.fetch };

/** Waits until the code under test waits for a timer or for the stream. */
async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs `follow` with replies and timers of the test.
 * @param {(controller: ReadableStreamDefaultController, signal: AbortSignal) => void} begin fills the stream of a connection
 */
async function following(begin, work) {
  const timers = new Map();
  let now = 0;
  let next = 1;
  globalThis.setTimeout = (call, wait = 0) => (timers.set(next, { call, at: now + wait }), next++);
  globalThis.clearTimeout = (id) => timers.delete(id);
  const seen = { updates: [], stale: 0, connections: 0 };
  globalThis.fetch = async (_, { signal }) => {
    seen.connections += 1;
    const body = new ReadableStream({ start: (controller) => {
      signal.addEventListener("abort", () => { try { controller.error(signal.reason); } catch { /* it has ended already */ } });
      begin(controller, seen.connections);
    } });
    return new Response(body);
  };
  const pass = async (milliseconds) => {
    const end = now + milliseconds;
    for (;;) {
      await settle();
      const due = [...timers].filter(([, timer]) => timer.at <= end).sort((one, two) => one[1].at - two[1].at)[0];
      if (!due) break;
      timers.delete(due[0]);
      now = due[1].at;
      due[1].call();
    }
    now = end;
  };
  try {
    follow((update) => seen.updates.push(update), () => { seen.stale += 1; });
    await work(seen, pass);
  } finally {
    Object.assign(globalThis, real);
  }
}

test("a line is an update, also if it arrives in pieces and if a letter is divided", async () => {
  const bytes = encoder.encode('{"key":"ä","clock":null}\n{"clock":1}\n{"clo');
  await following((stream, connection) => {
    if (connection > 1) return;
    for (const byte of bytes) stream.enqueue(new Uint8Array([byte]));
  }, async (seen, pass) => {
    await pass(100);
    assert.deepEqual(seen.updates, [{ key: "ä", clock: null }, { clock: 1 }]);
  });
});

test("after 20 s without a line the screen is stale, and not before", async () => {
  assert.equal(STALE, 20_000);
  await following((stream, connection) => { if (connection === 1) stream.enqueue(encoder.encode('{"clock":1}\n')); }, async (seen, pass) => {
    await pass(STALE - 1);
    assert.equal(seen.stale, 0);
    await pass(1);
    assert.equal(seen.stale, 1);
  });
});

test("bytes without the end of a line are no sign of life for the screen", async () => {
  await following((stream) => stream.enqueue(encoder.encode("{")), async (seen, pass) => {
    await pass(STALE);
    assert.equal(seen.stale, 1);
  });
});

test("a stream that ends is opened again after a second", async () => {
  await following((stream) => stream.close(), async (seen, pass) => {
    await pass(10_500);
    assert.equal(seen.connections, 11);
  });
});

test("a stream without a byte for 20 s is opened again", async () => {
  await following(() => {}, async (seen, pass) => {
    await pass(STALE + 1_000);
    assert.equal(seen.connections, 2);
  });
});

test("a refused connection is tried again", async () => {
  await following(() => {}, async (seen, pass) => {
    globalThis.fetch = async () => { seen.connections += 1; throw new TypeError("refused"); };
    await pass(STALE + 5_000);
    assert.ok(seen.connections >= 4, `${seen.connections} connections`);
    assert.equal(seen.stale, 1);
  });
});
