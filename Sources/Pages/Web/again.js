// The button "say it again". It changes no task, so it never keeps an answer waiting.

import { fit } from "./swap.js";

/** The time for which a press shows, and no further press counts, in milliseconds. */
const PAUSE = 1_000;
/** The time for which the page says that it did not work, in milliseconds. */
const NOTICE = 8_000;
/** The time after which the page no longer waits for the server, in milliseconds. */
const PATIENCE = 5_000;

/** @param {HTMLElement} button */
export async function sayAgain(button) {
  if (button.hasAttribute("data-asking")) return;
  button.setAttribute("data-asking", "");
  const body = JSON.stringify({ prompt: button.dataset.prompt, answer: "again", key: crypto.randomUUID() });
  const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
  let isSaid = false;
  let why = "";
  const abort = new AbortController();
  const limit = setTimeout(() => abort.abort(), PATIENCE);
  try {
    const reply = await fetch("/answer", {
      method: "POST", headers: { "Content-Type": "application/json" }, body, signal: abort.signal,
    });
    isSaid = reply.ok;
    if (reply.status !== 503) why = await reply.text();
  } catch (error) {
    console.info("the request to say it again did not arrive", error);
  }
  clearTimeout(limit);
  notice(isSaid, why);
  await pause;
  button.removeAttribute("data-asking");
}

/** @param {boolean} isSaid @param {string} [why] the reason of the server; empty if it gave none */
function notice(isSaid, why = "") {
  const text = document.querySelector("[data-again-failed]");
  if (!(text instanceof HTMLElement) || text.hidden === isSaid) return;
  text.hidden = isSaid;
  text.dataset.words ??= text.textContent ?? "";
  text.textContent = why || text.dataset.words;
  fit();
  if (!isSaid) setTimeout(() => notice(true), NOTICE);
}
