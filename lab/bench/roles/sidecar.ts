import { pathToFileURL } from "node:url";
import { SIDECAR } from "../../scale/built.ts";
import { serve } from "../worker.ts";
import { meter } from "./meter.ts";

/** The sidecar as it is built, with a meter beside it. */
export async function playSidecar(args: readonly string[]): Promise<void> {
  serve(meter);
  process.argv = [process.execPath, SIDECAR, ...args];
  await import(pathToFileURL(SIDECAR).href);
}
