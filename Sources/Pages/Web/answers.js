// Turns touches and keys into answers, and sends each answer once.

import { sayAgain } from "./again.js";
import { photo } from "./photo.js";
import { Press } from "./press.js";
import { isRefusing, showRefusal } from "./refusal.js";

/** The times after which the page sends an answer again that did not arrive, in milliseconds. */
const RETRIES = [300, 1000, 2000];
/** The time after which a touch counts again although the server has not answered, in milliseconds. */
const PATIENCE = 5_000;

const press = new Press();
let isSending = false;
let slideStart = 0;
/** The answer that got no reply, and its key. The same answer has the same key, so it counts once. */
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
  // The thumb follows the finger, and must not hide the end below it from `elementFromPoint`.
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
      // A key was taken, and the same question goes on.
      if (reply.status === 200) {
        isSending = false;
        return show(null);
      }
      // The server sends the next screen. Until then the pressed end stays pressed.
      if (reply.ok) return;
      // Only a server that cannot reach the daemon is worth another try.
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
  // A click with the detail 0 comes from a key or from assistive technology, not from a pointer.
  addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest("[data-answer]") : null;
    if (event.detail === 0 && pressed instanceof HTMLElement) send(pressed);
  });
  addEventListener("contextmenu", (event) => event.preventDefault());
}
