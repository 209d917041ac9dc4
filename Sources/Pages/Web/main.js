// Connects the parts of the screen. The server decides which screen the page shows.

import { reportFrames } from "./alive.js";
import { listen, newScreen } from "./answers.js";
import { paintClock, setClock } from "./clock.js";
import { follow } from "./live.js";
import { closeCamera } from "./photo.js";
import { afterRefusal, hideRefusal, holdBack } from "./refusal.js";
import { fit, showHTML, showNotConnected } from "./swap.js";

/** The key of the visible screen; empty until the server has sent the first screen. */
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
    return;  // Wait for the whole screen: a new stream begins with it.
  }
  if (setClock(update.clock)) fit();
}

/** Shows the time. Fits the texts again if the words changed, because the name of a new day can be longer. */
function tick() {
  if (paintClock()) fit();
}

/** Reports that the browser has painted a task that calls. */
function reportSeen() {
  const prompt = document.querySelector("[data-seen]")?.getAttribute("data-seen");
  if (!prompt) return;
  // The browser calls the first callback before it paints the frame, and the second callback after that.
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
