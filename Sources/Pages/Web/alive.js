// Tells the server that the browser still paints. If these reports stop, BrowserWatch.swift restarts the browser.

/** The time between two reports, in milliseconds. */
const PAUSE = 10_000;

/** Requests a frame, reports it after the browser has painted it, and repeats this without an end. */
export function reportFrames() {
  // The browser calls the first callback before it paints the frame, and the second callback after that.
  requestAnimationFrame(() => requestAnimationFrame(async () => {
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(), PAUSE);
    try {
      await fetch("/alive", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", signal: abort.signal,
      });
    } catch (error) {
      console.info("the report of a painted frame did not arrive", error);
    }
    clearTimeout(limit);
    setTimeout(reportFrames, PAUSE);
  }));
}
