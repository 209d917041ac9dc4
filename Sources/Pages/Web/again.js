// The button "say it again". The button changes no task, so a press never delays an answer.

import { fit } from "./swap.js";

/** The time in which the page shows a press and ignores further presses, in milliseconds. */
const PAUSE = 1_000;
/** The time in which the page shows that the request failed, in milliseconds. */
const NOTICE = 8_000;
/** The maximum time that the page waits for the reply of the server, in milliseconds. */
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

/** @param {boolean} isSaid @param {string} [why] the reason that the server sent; empty if it sent no reason */
function notice(isSaid, why = "") {
  const text = document.querySelector("[data-again-failed]");
  if (!(text instanceof HTMLElement) || text.hidden === isSaid) return;
  text.hidden = isSaid;
  text.dataset.words ??= text.textContent ?? "";
  text.textContent = why || text.dataset.words;
  fit();
  if (!isSaid) setTimeout(() => notice(true), NOTICE);
}
