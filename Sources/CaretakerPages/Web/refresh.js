// Replaces the main part of the page by a newer one. This is the only module that turns text of the server into HTML.

const policy = globalThis.trustedTypes?.createPolicy("prompter", { createHTML: (/** @type {string} */ html) => html });

/** @param {string} html */
export function parse(html) {
  const text = /** @type {string} */ (/** @type {unknown} */ (policy ? policy.createHTML(html) : html));
  return new DOMParser().parseFromString(text, "text/html");
}

/** True if somebody types in the page now. Then the page stays as it is. */
function isTyping() {
  return document.activeElement?.matches("#main input, #main textarea, #main select") ?? false;
}

/** @param {HTMLElement} main */
function hasTypedText(main) {
  return [...main.querySelectorAll("input, textarea, select")].some((one) => {
    if (one instanceof HTMLSelectElement) return [...one.options].some((choice) => choice.selected !== choice.defaultSelected && choice.index > 0);
    if (!(one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement) || one.type === "hidden") return false;
    return one.value !== one.defaultValue || one instanceof HTMLInputElement && one.checked !== one.defaultChecked;
  });
}

/**
 * Replaces the whole main part. If the page has a form in which somebody typed, it replaces only the parts beside it.
 * @param {HTMLElement} main
 * @param {HTMLElement} fresh
 * @returns {boolean} false if nothing was replaced
 */
function replace(main, fresh) {
  if (!isTyping() && !hasTypedText(main)) {
    main.replaceChildren(...fresh.childNodes);
    return true;
  }
  const parts = [...main.querySelectorAll("[data-part]")].filter((part) => !part.contains(document.activeElement));
  for (const part of parts) {
    const same = [...fresh.querySelectorAll("[data-part]")].find((one) => one.id === part.id);
    if (same) part.replaceWith(same);
  }
  return parts.length > 0;
}

/** What marks a control, so that the same control of the new page gets the focus. */
function mark(/** @type {Element | null} */ element) {
  if (!element?.closest("#main")) return undefined;
  return element.id || element.getAttribute("aria-label") || element.closest("[id]")?.id;
}

/** @param {string | undefined} wanted */
function focusAgain(wanted) {
  if (!wanted) return;
  const same = [...document.querySelectorAll("#main a, #main button, #main summary")]
    .find((element) => mark(element) === wanted);
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

/**
 * Gets the page again, and replaces its main part.
 * @returns {Promise<number | undefined>} the version of the new page; undefined if the page stays as it was
 */
export async function refresh() {
  const main = document.getElementById("main");
  if (!main || !("live" in main.dataset)) return undefined;
  const reply = await fetch(location.href, { headers: { Accept: "text/html" } });
  const page = parse(await reply.text());
  const [fresh, offline] = [page.getElementById("main"), page.getElementById("offline")];
  if (!fresh || !("live" in fresh.dataset)) return undefined;
  const opened = [...main.querySelectorAll("details[open]")].map((one) => one.id);
  const focus = mark(document.activeElement);
  if (!replace(main, fresh)) return undefined;
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  focusAgain(focus);
  document.title = page.title;
  const shown = document.getElementById("offline");
  if (shown && offline) shown.textContent = offline.textContent;
  return Number(fresh.dataset.version);
}
