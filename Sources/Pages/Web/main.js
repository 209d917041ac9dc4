// Connects the parts of the screen. The page decides nothing: the server says which screen it is.

import { reportFrames } from "./alive.js";
import { listen, newScreen } from "./answers.js";
import { paintClock, setClock } from "./clock.js";
import { follow } from "./live.js";
import { closeCamera } from "./photo.js";
import { afterRefusal, hideRefusal, holdBack } from "./refusal.js";
import { fit, showHTML, showNotConnected } from "./swap.js";

/** The screen that is visible; empty while the first page is. */
let key = "";
let html = "";

/** @param {import("./live.js").Update} update */
function take(update) {
  if (update.html !== undefined && update.key !== undefined) {
    if (holdBack(update)) {
      setClock(update.clock);
      return;
    }
    if (update.key !== key) newScreen(performance.now());
    const isOther = update.key !== key;
    if (update.html !== html) {
      closeCamera();
      showHTML(update.html);
    }
    if (isOther) reportSeen();
    ({ key, html } = /** @type {{key: string, html: string}} */ (update));
    document.documentElement.dataset.theme = update.theme ?? "day";
  } else if (key === "stale") {
    return;  // The stream begins with a whole screen, which comes next.
  }
  if (setClock(update.clock)) fit();
}

/** Shows the time, and makes place for it: the words of a day can be longer than those of the day before. */
function tick() {
  if (paintClock()) fit();
}

/** Reports a task that calls after the browser has painted it. */
function reportSeen() {
  const prompt = document.querySelector("[data-seen]")?.getAttribute("data-seen");
  if (!prompt) return;
  // The first callback comes before the frame is painted, the second one after it.
  requestAnimationFrame(() => requestAnimationFrame(async () => {
    try {
      await fetch("/seen", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ prompt }),
      });
    } catch (error) {
      console.info("the report of the painted task did not arrive", error);
    }
  }));
}

function stale() {
  if (key === "stale") return;
  [key, html] = ["stale", ""];
  newScreen(performance.now());
  hideRefusal(false);
  closeCamera();
  showNotConnected();
  tick();
}

afterRefusal((waiting) => {
  newScreen(performance.now());
  if (waiting) take(/** @type {import("./live.js").Update} */ (waiting));
});
listen();
fit();
setInterval(tick, 1_000);
reportFrames();
follow(take, stale);
