// @ts-check
/**
 * Puts the secret of the QR code into the form for a new phone.
 *
 * The secret is in the fragment of the address. A browser never sends the fragment to a server. The
 * person must still press the button. Otherwise, a program that only follows links could use up the
 * invitation.
 */
const field = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=code]"));
const secret = location.hash.slice(1);
if (field && /^[0-9a-f]{32}$/.test(secret)) {
  field.value = secret;
  field.hidden = true;
  for (const element of document.querySelectorAll("[data-typed]")) element.setAttribute("hidden", "");
  for (const element of document.querySelectorAll("[data-scanned]")) element.removeAttribute("hidden");
  history.replaceState(null, "", location.pathname);
}
