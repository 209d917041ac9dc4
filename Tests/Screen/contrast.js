// Measures the contrast between each part of a control and the colour beside this part. The
// contrast must be at least 3:1 (WCAG 2.2, SC 1.4.11).
() => {
  const faults = [];
  const light = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map(Number).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, two) => {
    const [low, high] = [light(one), light(two)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  const parts = [
    [".end", "backgroundColor"], [".undo", "backgroundColor"], [".thumb", "backgroundColor"], [".track", "borderTopColor"],
    ["progress", "borderTopColor"], ["button:not([aria-pressed=true])", "backgroundColor"], ["[aria-pressed=true]", "color"],
  ];
  let count = 0;
  for (const [selector, property] of parts) for (const element of document.querySelectorAll(`#screen ${selector}`)) {
    count += 1;
    const value = contrast(getComputedStyle(element)[property], ground);
    if (value < 3) faults.push(`${selector} ${property} has a contrast of ${value.toFixed(1)}:1`);
  }
  return { faults, count };
}
