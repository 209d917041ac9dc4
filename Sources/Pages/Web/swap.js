// Replaces the screen. This is the only module that turns text of the server into HTML.

const policy = globalThis.trustedTypes?.createPolicy("prompter", { createHTML: (/** @type {string} */ html) => html });

/**
 * What the style sheet offers, from the best to the last: the first number says what is left out, the second is the size
 * of the label, from the largest to the smallest. Lines break inside of a word from size 3 on. The sizes 4 and 5 are only
 * for a label that does not fit otherwise.
 */
const FITS = ["0", "1", "2"].flatMap((crowded) => ["0", "1", "2", "3", "4", "5"].map((size) => [crowded, size]))
  .filter(([crowded, size]) => size < "4" || crowded === "2");

/** @param {string} html */
export function showHTML(html) {
  const screen = document.getElementById("screen");
  if (!screen) return;
  screen.innerHTML = /** @type {string} */ (/** @type {unknown} */ (policy ? policy.createHTML(html) : html));
  fit();
}

/** Shows the screen "not connected", which is in the page from the beginning. */
export function showNotConnected() {
  const template = document.getElementById("not-connected");
  const screen = document.getElementById("screen");
  if (template instanceof HTMLTemplateElement && screen) screen.replaceChildren(template.content.cloneNode(true));
}

/** Chooses what the screen without a task leaves out, so that the rest is whole: as little as possible. */
function fitIdle() {
  const idle = document.querySelector(".idle");
  if (!(idle instanceof HTMLElement)) return;
  for (const crowded of ["0", "1", "2", "3"]) {
    idle.dataset.crowded = crowded;
    if (idle.scrollHeight <= idle.clientHeight) return;
  }
}

/**
 * Chooses the largest size at which the whole label is visible. Long texts take the place of the picture. Only if the
 * label does not fit otherwise are the instructions left out.
 */
export function fit() {
  fitIdle();
  const what = document.querySelector("[data-fit]");
  const words = what?.querySelector(".words");
  if (!(what instanceof HTMLElement) || !words) return;
  for (const [crowded, size] of FITS) {
    [what.dataset.crowded, what.dataset.fit] = [crowded, size];
    if (words.scrollHeight <= what.clientHeight && words.scrollWidth <= words.clientWidth) return;
  }
}
