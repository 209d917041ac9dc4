// Shows the time of the daemon in the zone of the home. The clock and the zone of the browser are never used.

/**
 * @typedef {object} Segment A period with the same words and the same offset.
 * @property {number} from_ms
 * @property {number} offset_seconds
 * @property {string} day
 * @property {string} date
 */

/** @type {{now: number, at: number, segments: Segment[]} | null} */
let face = null;

/** @param {{now_ms: number, segments: Segment[]} | null} sent */
export function setClock(sent) {
  if (sent) face = { now: sent.now_ms, at: performance.now(), segments: sent.segments };
  paintClock();
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/** @returns {{time: string, day: string, date: string} | null} */
function reading() {
  if (!face) return null;
  const now = face.now + performance.now() - face.at;
  const segment = face.segments.findLast((one) => one.from_ms <= now) ?? face.segments[0];
  if (!segment) return null;
  const minutes = Math.floor((now / 1000 + segment.offset_seconds) / 60);
  return { time: `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`, day: segment.day, date: segment.date };
}

/** Writes the time into the page. */
export function paintClock() {
  const now = reading();
  if (!now) return;
  for (const place of document.querySelectorAll("[data-clock]")) {
    if (!(place instanceof HTMLElement)) continue;
    const text = now[/** @type {"time" | "day" | "date"} */ (place.dataset.clock)];
    if (place.textContent !== text) place.textContent = text;
  }
  // The picture moves a little each minute, so that a display that is always on does not keep a trace of it.
  const minute = Number(now.time.slice(3));
  document.documentElement.style.setProperty("--shift-x", `${(minute % 5) * 2 - 4}px`);
  document.documentElement.style.setProperty("--shift-y", `${(minute % 3) * 2 - 2}px`);
}
