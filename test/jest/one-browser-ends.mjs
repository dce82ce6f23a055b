import { stop } from "./one-browser.mjs";

/** Milliseconds that Jest may take from the last test to its end. */
const ENDS_WITHIN_MS = 10_000;

/** A program that a test has left behind would hold Jest up as long as it likes; and that is a failure, whatever the tests say. */
export default async function end() {
  await stop();
  setTimeout(() => process.exit(1), ENDS_WITHIN_MS).unref();
}
