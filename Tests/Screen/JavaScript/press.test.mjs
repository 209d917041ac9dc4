// Replays touches without a browser. Some touches are accidents and must not answer; the other touches must answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GRACE, Press, SHORTEST } from "../Web/press.js";

const at = (time, target = "complete", more = {}) => ({ id: 1, time, target, onThumb: false, onTrack: true, ...more });

/** A press with a screen that has been visible for 10 s. */
function press() {
  const one = new Press();
  one.newScreen(0);
  return { one, start: 10_000 };
}

test("the limits are those of SCREEN.md", () => {
  assert.equal(SHORTEST, 60);
  assert.equal(GRACE, 700);
});

test("a tap answers", () => {
  const { one, start } = press();
  assert.equal(one.down(at(start)), "complete");
  assert.equal(one.up(at(start + SHORTEST)), "complete");
});

test("a touch shorter than 60 ms does not answer", () => {
  for (let length = 0; length < 60; length += 1) {
    const { one, start } = press();
    one.down(at(start));
    assert.equal(one.up(at(start + length)), null, `${length} ms`);
  }
});

test("a touch that begins within 700 ms of a new screen does not answer, however long it is", () => {
  for (const [wait, answer] of [[0, null], [350, null], [699.9, null], [700, "complete"]]) {
    const one = new Press();
    one.newScreen(5_000);
    one.down(at(5_000 + wait));
    assert.equal(one.up(at(5_000 + wait + 3_000)), answer, `${wait} ms`);
  }
});

test("a touch that was in progress when the screen changed does not answer", () => {
  const { one, start } = press();
  one.down(at(start));
  one.newScreen(start + 100);
  assert.equal(one.up(at(start + 2_000)), null);
  one.down(at(start + 3_000));
  assert.equal(one.up(at(start + 3_100)), "complete", "the next touch counts");
});

test("two or more fingers do not answer, in whichever order they come and go", () => {
  for (let fingers = 2; fingers <= 5; fingers += 1) {
    for (let first = 1; first <= fingers; first += 1) {
      const { one, start } = press();
      for (let id = 1; id <= fingers; id += 1) one.down(at(start + id, "complete", { id }));
      const order = Array.from({ length: fingers }, (_, index) => (index + first) % fingers + 1);
      for (const id of order) assert.equal(one.up(at(start + 500 + id, "complete", { id })), null);
      one.down(at(start + 1_000));
      assert.equal(one.up(at(start + 1_100)), "complete", "one finger counts again");
    }
  }
});

test("a finger that leaves the end before it comes up does not answer", () => {
  const { one, start } = press();
  one.down(at(start));
  assert.equal(one.up(at(start + 500, null)), null);
  one.down(at(start + 1_000, null));
  assert.equal(one.up(at(start + 1_500, "complete")), null, "it came down elsewhere");
  one.down(at(start + 2_000, "delay"));
  assert.equal(one.up(at(start + 2_500, "complete")), null, "it wandered from LATER to DONE");
});

test("a slide of the thumb answers at an end, and not if it turns back", () => {
  for (const [goal, answer] of [["complete", "complete"], ["delay", "delay"], [null, null]]) {
    const { one, start } = press();
    assert.equal(one.down(at(start, null, { onThumb: true })), null);
    assert.ok(one.isSliding(1));
    assert.equal(one.up(at(start + 400, goal)), answer);
    assert.ok(!one.isSliding(1));
  }
});

test("a slide of the thumb that ends at a button outside of the track does not answer", () => {
  const { one, start } = press();
  one.down(at(start, null, { onThumb: true }));
  assert.equal(one.up(at(start + 400, "again", { onTrack: false })), null);
});

test("a slide with a second finger on the glass does not answer", () => {
  const { one, start } = press();
  one.down(at(start, null, { onThumb: true }));
  one.down(at(start + 50, null, { id: 2 }));
  assert.ok(!one.isSliding(1));
  assert.equal(one.up(at(start + 400, "complete")), null);
});

test("a touch that the browser takes away does not answer, and the next one does", () => {
  const { one, start } = press();
  one.down(at(start));
  one.cancel(1);
  assert.equal(one.up(at(start + 500)), null);
  one.down(at(start + 1_000));
  one.cancel(1);
  one.down(at(start + 2_000, "complete", { id: 2 }));
  assert.equal(one.up(at(start + 2_100, "complete", { id: 2 })), "complete");
});

test("if the browser takes one of two fingers away, the other one does not answer", () => {
  const { one, start } = press();
  one.down(at(start));
  one.down(at(start + 10, "complete", { id: 2 }));
  one.cancel(2);
  assert.equal(one.up(at(start + 500)), null);
});

test("a finger that comes up twice answers once", () => {
  const { one, start } = press();
  one.down(at(start));
  assert.equal(one.up(at(start + 100)), "complete");
  assert.equal(one.up(at(start + 200)), null);
});
