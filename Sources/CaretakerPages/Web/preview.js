// Shows what the daemon understands of a form while a person types. Without this script, a button does the same.

import { parse } from "./refresh.js";

/** The time without a key after which the preview is asked for, in milliseconds. */
const PAUSE = 400;

const editor = document.querySelector("[data-preview]");
const form = editor?.querySelector("form");
const target = document.getElementById("preview");
let timer = 0;
let asked = 0;

async function ask() {
  if (!(form instanceof HTMLFormElement) || !target) return;
  asked += 1;
  const own = asked;
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const reply = await fetch(editor?.getAttribute("data-preview") ?? "", { method: "POST", body });
    const page = parse(await reply.text());
    if (own === asked && reply.ok) target.replaceChildren(...page.body.childNodes);
  } catch (error) {
    console.info("the preview did not arrive", error);
  }
}

form?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
