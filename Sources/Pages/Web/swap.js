// Replaces the screen. This is the only module that converts text from the server to HTML.

const policy = globalThis.trustedTypes?.createPolicy("prompter", { createHTML: (/** @type {string} */ html) => html });

/**
 * The layouts of the style sheet, the best layout first. The first number says which parts the screen leaves out. The
 * second number is the size of the label: 0 is the largest size. From size 3, a line can break inside of a word. The page
 * uses the sizes 4 and 5 only for a label that does not fit otherwise.
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

/** Shows the screen "not connected". The page contains this screen from the beginning. */
export function showNotConnected() {
  const template = document.getElementById("not-connected");
  const screen = document.getElementById("screen");
  if (template instanceof HTMLTemplateElement && screen) screen.replaceChildren(template.content.cloneNode(true));
}

/** Chooses the parts that the screen without a task leaves out: as few as possible, so that all other parts fit. */
function fitIdle() {
  const idle = document.querySelector(".idle");
  if (!(idle instanceof HTMLElement)) return;
  for (const crowded of ["0", "1", "2", "3"]) {
    idle.dataset.crowded = crowded;
    if (idle.scrollHeight <= idle.clientHeight) return;
  }
}

/**
 * Chooses the largest size at which the whole label is visible. If the texts are long, the page leaves out the picture.
 * If the label still does not fit, the page also leaves out the instructions.
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
