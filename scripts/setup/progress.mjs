const FRAMES = ["-", "\\", "|", "/"];

/**
 * @param {number} ms
 * @returns {string} for example `12 s`
 */
export function seconds(ms) {
  return ms < 950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/**
 * Shows that something is going on: one line that moves on a terminal, plain lines elsewhere.
 * @param {string} what
 * @param {{ isTTY?: boolean, write(text: string): unknown }} [out]
 * @returns {(result: string) => void} ends it with `done` or `failed`
 */
export function progress(what, out = process.stderr) {
  const begun = Date.now();
  if (!out.isTTY) {
    out.write(`${what} ...\n`);
    return result => void out.write(`${what} ... ${ending(result, begun)}\n`);
  }
  let turn = 0;
  const draw = () =>
    out.write(`\r\x1b[K${FRAMES[turn++ % FRAMES.length]} ${what} ${seconds(Date.now() - begun)}`);
  draw();
  const timer = setInterval(draw, 120);
  return result => {
    clearInterval(timer);
    out.write(`\r\x1b[K${what} ... ${ending(result, begun)}\n`);
  };
}

/**
 * @param {string} result
 * @param {number} begun
 */
function ending(result, begun) {
  return result === "done"
    ? `done in ${seconds(Date.now() - begun)}`
    : `${result} after ${seconds(Date.now() - begun)}`;
}
