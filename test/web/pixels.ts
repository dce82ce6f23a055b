import type { Page } from "playwright-core";

/** How much of the width of the first plot has a line above it, 0 to 1. */
export const lined = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector(".gauge canvas");
    const { width, height } = canvas;
    const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const line = getComputedStyle(document.documentElement).getPropertyValue("--accent").match(/\\w\\w/g).map(x => parseInt(x, 16));
    let columns = 0;
    for (let x = 0; x < width; x++) {
      let isLined = false;
      for (let y = 0; y < height && !isLined; y++) {
        const i = (y * width + x) * 4;
        isLined = data[i + 3] > 150 && line.every((part, k) => Math.abs(data[i + k] - part) < 12);
      }
      if (isLined) columns++;
    }
    return columns / width;
  })()`);
