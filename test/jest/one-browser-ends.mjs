import { stop } from "./one-browser.mjs";

/** Milliseconds that Jest may take from the last test to its end. */
const ENDS_WITHIN_MS = 10_000;

/** A program that a test has left running would keep Jest from ending; that is a failure, regardless of the tests. */
export default async function end() {
  await stop();
  setTimeout(() => process.exit(1), ENDS_WITHIN_MS).unref();
}
