/** What can be tapped and is smaller than a thumb needs, with its size in pixels; an expression for a page. */
export const TOO_SMALL = `[...document.querySelectorAll("a, button, select, input")]
  .filter(one => one.checkVisibility() && !one.matches(".skip"))
  .map(one => [one, (one.closest("label.activity-shown") ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([one, { width, height }]) => one.outerHTML.slice(0, 60) + ": " + width + " x " + height)`;
