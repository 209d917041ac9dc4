// Measures the visible screen, and returns a list of faults.
(mm) => {
  const faults = [];
  for (const image of document.images) if (image.complete && image.naturalWidth === 0) faults.push(`${image.src} is missing`);
  const screen = document.getElementById("screen");
  const cap = 0.729;  // DejaVu Sans: the height of a capital letter, as a part of the size of the font.
  // A patient is farther away from a large display than from a small display. Therefore, the text on a large display
  // must be larger.
  const [time, day, text] = innerWidth < 1100 || screen.querySelector(".question") ? [18, 8, 4.5] : [28, 11.5, 6.4];
  const least = (element) => element.closest(".time") ? time : element.closest(".day") ? day : text;
  const walker = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("[hidden]")) continue;
    if (element.getClientRects().length === 0) continue;
    const height = parseFloat(getComputedStyle(element).fontSize) * cap / mm;
    if (height < least(element)) faults.push(`"${walker.currentNode.data.trim().slice(0, 40)}" has capitals of ${height.toFixed(2)} mm`);
  }
  for (const button of screen.querySelectorAll("button")) {
    if (button.closest("[hidden]")) continue;
    const box = button.getBoundingClientRect();
    const what = button.innerText.replace(/\s+/g, " ");
    if (button.disabled) continue;
    const [width, height] = button.matches(".say") ? [20, 20] : button.closest(".camera") ? [40, 24] : !button.matches(".key") ? [60, 24] : button.closest("[data-layout=letters] .keys") ? [14, 14] : [20, 20];
    if (box.width / mm < width - 0.1 || box.height / mm < height - 0.1) faults.push(`${what} is ${(box.width / mm).toFixed(1)} x ${(box.height / mm).toFixed(1)} mm`);
    const edge = Math.min(box.left, box.top, innerWidth - box.right, innerHeight - box.bottom) / mm;
    if (edge < 5) faults.push(`${what} is ${edge.toFixed(1)} mm from the edge`);
    // The corners of a button are round. Therefore, check only points in the middle of its box.
    for (let x = 0.2; x <= 0.8; x += 0.1) for (let y = 0.2; y <= 0.8; y += 0.1) {
      const hit = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
      if (hit?.closest("button") !== button) faults.push(`something covers ${what} at ${x.toFixed(1)}, ${y.toFixed(1)}`);
    }
  }
  for (const element of [document.documentElement, document.body, screen, ...screen.querySelectorAll("*")]) {
    if (element.closest("[hidden]") || element.getClientRects().length === 0) continue;
    // Skip this question. The person has already read the complete question on the previous page.
    if (element.matches(".long h1")) continue;
    const name = `${element.tagName} ${element.className}`;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) faults.push(`${name} is cut off at the side`);
    if (element.scrollHeight > element.clientHeight + 1 && element.clientHeight > 0
      && !["H1", "H2", "P", "SPAN"].includes(element.tagName)) faults.push(`${name} is cut off below`);
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1) faults.push(`${name} is outside of the display`);
  }
  return [...new Set(faults)];
}
