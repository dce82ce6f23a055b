export { stop as default } from "./one-browser.mjs";
