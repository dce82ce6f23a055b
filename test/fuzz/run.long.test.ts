import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { runFuzz } from "../../lab/fuzz/run.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/sidecar/main.js", import.meta.url));
/** `npm run fuzz` sends as many as it is told. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 3_000);

describe("odd inputs to all three doors", () => {
  it(`are answered as described, ${INPUTS} of them, and the sidecar stays well`, async () => {
    const { faults, inputs, counts } = await runFuzz({ program: PROGRAM, seed: 1, from: 0, inputs: INPUTS });
    expect(faults).toEqual([]);
    expect(inputs).toBe(INPUTS);
    expect([...counts.keys()].sort()).toEqual([
      "bridge, damaged message",
      "bridge, message",
      "chat, damaged upgrade",
      "chat, frames",
      "public, call",
      "public, damaged call",
    ]);
  }, 900_000);
});
