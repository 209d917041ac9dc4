// Shows the time of the daemon in the zone of the home. The page never uses the wall clock and the time zone of the browser.

/**
 * @typedef {object} Segment A period in which the words and the UTC offset do not change.
 * @property {number} from_ms
 * @property {number} offset_seconds
 * @property {string} day
 * @property {string} date
 */

/**
 * @typedef {object} Face
 * @property {number} now the time of the daemon, in milliseconds
 * @property {number} at the time of the browser's monotonic clock at `now`, in milliseconds
 * @property {Segment[]} segments
 */

/** @type {Face | null} */
let present = null;

/**
 * Sets the clock, and writes its time into the page.
 * @param {{now_ms: number, segments: Segment[]} | null} sent
 * @returns {boolean} true if a text changed
 */
export function setClock(sent) {
  if (sent) present = { now: sent.now_ms, at: performance.now(), segments: sent.segments };
  return paintClock();
}

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/**
 * Returns the texts that the clock shows. The function reads no clock, so that tests can choose the time.
 * @param {Face} face
 * @param {number} at the present time of the browser's monotonic clock, in milliseconds
 * @returns {{time: string, day: string, date: string} | null}
 */
export function reading(face, at) {
  const now = face.now + at - face.at;
  const segment = face.segments.filter((one) => one.from_ms <= now).at(-1) ?? face.segments[0];
  if (!segment) return null;
  const minutes = Math.floor((now / 1000 + segment.offset_seconds) / 60);
  return { time: `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`, day: segment.day, date: segment.date };
}

/**
 * Writes the time into the page.
 * @returns {boolean} true if a text changed
 */
export function paintClock() {
  const now = present && reading(present, performance.now());
  if (!now) return false;
  let isChanged = false;
  for (const place of document.querySelectorAll("[data-clock]")) {
    if (!(place instanceof HTMLElement)) continue;
    const text = now[/** @type {"time" | "day" | "date"} */ (place.dataset.clock)];
    if (place.textContent === text) continue;
    place.textContent = text;
    isChanged = true;
  }
  // Move the picture a little each minute. Otherwise, a display that is always on could keep a trace of the picture.
  const minute = Number(now.time.slice(3));
  document.documentElement.style.setProperty("--shift-x", `${(minute % 5) * 2 - 4}px`);
  document.documentElement.style.setProperty("--shift-y", `${(minute % 3) * 2 - 2}px`);
  return isChanged;
}
