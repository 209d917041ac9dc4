// Tests the clock of the page when the offset, the day or the clock of the browser changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reading } from "../Web/clock.js";

/** The face that the server makes, and the reading `seconds` after it. */
const after = (seconds, utc, ...segments) => {
  const face = {
    now: Date.parse(utc), at: 4_000,
    segments: segments.map(([from, hours, day]) => ({ from_ms: Date.parse(from), offset_seconds: hours * 3_600, day, date: from.slice(0, 10) })),
  };
  return reading(face, 4_000 + seconds * 1_000);
};
const berlinSpring = [["2027-03-28T00:00:00Z", 1, "night"], ["2027-03-28T01:00:00Z", 2, "night"], ["2027-03-28T04:00:00Z", 2, "morning"]];
const berlinAutumn = [["2026-10-25T00:00:00Z", 2, "night"], ["2026-10-25T01:00:00Z", 1, "night"]];

test("the clock goes from 01:59 to 03:00 when summer time begins", () => {
  assert.equal(after(3_599, "2027-03-28T00:00:00Z", ...berlinSpring).time, "01:59");
  assert.equal(after(3_600, "2027-03-28T00:00:00Z", ...berlinSpring).time, "03:00");
});

test("the clock shows 02:00 to 02:59 twice when summer time ends", () => {
  const shown = [0, 3_599, 3_600, 7_199, 7_200].map((seconds) => after(seconds, "2026-10-25T00:00:00Z", ...berlinAutumn).time);
  assert.deepEqual(shown, ["02:00", "02:59", "02:00", "02:59", "03:00"]);
});

test("the words change with their segment, to the millisecond", () => {
  assert.equal(after(3 * 3_600 + 3_599.999, "2027-03-28T00:00:00Z", ...berlinSpring).day, "night");
  assert.equal(after(4 * 3_600, "2027-03-28T00:00:00Z", ...berlinSpring).day, "morning");
});

test("a zone with an odd offset, and a time west of Greenwich across midnight", () => {
  assert.equal(after(0, "2026-11-26T18:20:00Z", ["2026-11-26T00:00:00Z", 5.75, "night"]).time, "00:05");
  assert.equal(after(60, "2026-11-26T04:59:30Z", ["2026-11-26T00:00:00Z", -5, "night"]).time, "00:00");
});

test("after the last segment the clock goes on with the last words", () => {
  assert.equal(after(40 * 3_600, "2026-10-25T00:00:00Z", ...berlinAutumn).time, "17:00");
});

test("before the first segment the first words count, and without a segment there is no time", () => {
  assert.equal(after(0, "2026-10-25T00:00:00Z", ["2026-10-25T00:00:01Z", 2, "night"]).day, "night");
  assert.equal(after(0, "2026-10-25T00:00:00Z"), null);
});

test("the browser's own clock and zone do not matter", () => {
  const before = Date.now;
  try {
    Date.now = () => 0;
    assert.equal(new Date(0).getHours(), 9, "run.sh runs the tests in Tokyo");
    assert.equal(after(0, "2026-10-25T00:00:00Z", ...berlinAutumn).time, "02:00");
  } finally {
    Date.now = before;
  }
});
