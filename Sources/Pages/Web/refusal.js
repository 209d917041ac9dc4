// Shows for some seconds, at the place of the touch, why an answer was refused. During this time, the next screen waits.

/** The time in which the page shows the sentence about the refusal, in milliseconds. */
const NOTICE = 5_000;
/** The minimum distance of the sentence from the upper and lower edges of the display, in pixels. */
const EDGE = 8;

/** @typedef {{html?: string, calls?: string | null}} Waiting */

let prompt = "";
let timer = 0;
/** @type {Waiting | null} the newest screen that arrived while the sentence was visible */
let held = null;
/** @type {(waiting: Waiting | null) => void} */
let end = () => {};

const place = () => document.getElementById("refusal");

/**
 * Sets the function that the page calls when the time of the sentence is over.
 * @param {(waiting: Waiting | null) => void} act a function that receives the screen that waited
 */
export function afterRefusal(act) {
  end = act;
}

/** True while the sentence is visible. The sentence covers the screen, so no touch reaches a control. */
export const isRefusing = () => timer !== 0;

/**
 * Shows the sentence, unless another task calls.
 * @param {string} sentence
 * @param {string} ofPrompt the prompt whose answer was refused
 * @param {number} middle the position of the touch, in pixels from the top
 */
export function showRefusal(sentence, ofPrompt, middle) {
  const shown = place();
  const words = shown?.firstElementChild;
  const calling = document.querySelector("[data-thumb] ~ [data-prompt]")?.getAttribute("data-prompt") ?? ofPrompt;
  if (!shown || !(words instanceof HTMLElement) || calling !== ofPrompt) return;
  clearTimeout(timer);
  prompt = ofPrompt;
  words.textContent = sentence;
  shown.hidden = false;
  const lowest = innerHeight - words.offsetHeight - EDGE;
  words.style.setProperty("--at", `${Math.max(EDGE, Math.min(middle - words.offsetHeight / 2, lowest))}px`);
  timer = setTimeout(() => hideRefusal(true), NOTICE);
}

/**
 * Hides the sentence.
 * @param {boolean} isOver true if the time of the sentence is over; false if another screen is more important
 */
export function hideRefusal(isOver) {
  const shown = place();
  if (!shown || timer === 0) return;
  clearTimeout(timer);
  const waiting = held;
  [timer, held, shown.hidden] = [0, null, true];
  if (isOver) end(waiting);
}

/**
 * Keeps a screen until the sentence disappears. The screen of another task that calls does not wait.
 * @param {Waiting} update
 * @returns {boolean} true if the screen waits
 */
export function holdBack(update) {
  if (timer === 0) return false;
  if (update.calls && update.calls !== prompt) {
    hideRefusal(false);
    return false;
  }
  held = update;
  return true;
}
