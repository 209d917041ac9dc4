// Turns touches and keys into answers, and sends each answer once.

import { sayAgain } from "./again.js";
import { photo } from "./photo.js";
import { Press } from "./press.js";
import { isRefusing, showRefusal } from "./refusal.js";

/** If an answer did not arrive, the pauses before the page sends it again, in milliseconds. */
const RETRIES = [300, 1000, 2000];
/** The maximum time that the page waits for the server and ignores touches, in milliseconds. */
const PATIENCE = 5_000;

const press = new Press();
let isSending = false;
let slideStart = 0;
/** The answer that got no reply, and its key. A repeated answer has the same key, so the server counts it once. */
let unanswered = { answer: "", key: "" };

/** @param {number} time */
export function newScreen(time) {
  press.newScreen(time);
  isSending = false;
}

/** @param {PointerEvent} event @returns {HTMLElement | null} */
function control(event) {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return found instanceof Element ? found.closest("[data-answer]") : null;
}

/** @param {PointerEvent} event */
function point(event) {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return {
    id: event.pointerId, time: event.timeStamp, target: control(event)?.dataset.answer ?? null,
    onThumb: found instanceof Element && found.closest("[data-thumb]") !== null,
    onTrack: found instanceof Element && found.closest(".track") !== null,
  };
}

/** @param {HTMLElement | null} pressed */
function show(pressed) {
  for (const one of document.querySelectorAll("[data-pressed]")) if (one !== pressed) one.removeAttribute("data-pressed");
  pressed?.setAttribute("data-pressed", "");
}

/** @param {number} pixels */
function slide(pixels) {
  const thumb = document.querySelector("[data-thumb]");
  if (!(thumb instanceof HTMLElement)) return;
  thumb.style.setProperty("--slid", `${pixels}px`);
  // The thumb follows the finger. `elementFromPoint` must find the end below the thumb, and not the thumb.
  thumb.toggleAttribute("data-sliding", pixels !== 0);
}

/** @param {boolean} isHidden */
function hideFailure(isHidden) {
  const text = document.querySelector("[data-failed]");
  if (text instanceof HTMLElement) text.hidden = isHidden;
}

/** @param {HTMLElement} pressed */
async function send(pressed) {
  if (isSending || isRefusing()) return;
  if (pressed.dataset.answer === "again") {
    show(null);
    return sayAgain(pressed);
  }
  if (pressed.dataset.answer?.startsWith("photo-")) {
    show(null);
    newScreen(performance.now());
    return photo(pressed);
  }
  isSending = true;
  show(pressed);
  hideFailure(true);
  const { prompt, question, answer } = pressed.dataset;
  const words = JSON.stringify([prompt, question, answer]);
  const key = unanswered.answer === words ? unanswered.key : crypto.randomUUID();
  const body = JSON.stringify({ prompt, question, answer, key });
  const path = question === undefined ? "/answer" : "/question";
  const box = pressed.getBoundingClientRect();
  const abort = new AbortController();
  const { signal } = abort;
  setTimeout(() => abort.abort(), PATIENCE);
  let refusal = "";
  unanswered = { answer: words, key };
  for (const pause of [...RETRIES, null]) {
    try {
      const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
      if (reply.status !== 503) unanswered = { answer: "", key: "" };
      // The server accepted a key, and the screen still shows the same question.
      if (reply.status === 200) {
        isSending = false;
        return show(null);
      }
      // Show the pressed end as pressed until the server sends the next screen.
      if (reply.ok) return;
      // Try again only after the status 503: the server cannot reach the daemon now.
      if (reply.status !== 503) {
        refusal = await reply.text();
        break;
      }
    } catch (error) {
      console.info("the answer did not arrive", error);
    }
    if (pause === null || signal.aborted || !pressed.isConnected) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  isSending = false;
  if (refusal) showRefusal(refusal, prompt ?? "", box.top + box.height / 2);
  if (!pressed.isConnected) return;
  show(null);
  slide(0);
  hideFailure(refusal !== "");
}

export function listen() {
  addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (isSending) return;
    slideStart = event.clientX;
    const target = press.down(point(event));
    show(target === null ? null : control(event));
  });
  addEventListener("pointermove", (event) => {
    if (!isSending && press.isSliding(event.pointerId)) {
      slide(event.clientX - slideStart);
      show(control(event));
    }
  });
  addEventListener("pointerup", (event) => {
    const answer = press.up(point(event));
    if (isSending) return;
    const pressed = control(event);
    if (answer !== null && pressed) {
      send(pressed);
      return;
    }
    show(null);
    slide(0);
  });
  addEventListener("pointercancel", (event) => {
    press.cancel(event.pointerId);
    if (isSending) return;
    show(null);
    slide(0);
  });
  // If the detail of a click is 0, the click comes from a key or from assistive technology, and not from a pointer.
  addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest("[data-answer]") : null;
    if (event.detail === 0 && pressed instanceof HTMLElement) send(pressed);
  });
  addEventListener("contextmenu", (event) => event.preventDefault());
}
