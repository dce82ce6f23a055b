import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../test/helpers/clock.ts";
import { connectConsole } from "./console.ts";
import { createOutputFilter } from "./console-link/output-filter.ts";

/** A connected console of a game that hides lines that begin with `#`. */
function connected() {
  const [input, output, printed] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const clock = new ManualClock();
  let typed = "";
  const read: string[] = [];
  const filter = createOutputFilter({
    take: line => line.startsWith("#"),
    isSecret: () => false,
    isAwaited: () => false,
  });
  const console = connectConsole({
    game: {
      output: [output],
      write(bytes) {
        typed += String(Buffer.from(bytes));
        return true;
      },
      onRead: () => undefined,
      pid: 1,
      ended: Promise.resolve(0),
      isRunning: () => true,
      kill: () => undefined,
    },
    input,
    output: printed,
    reader: { ...filter, typed: lines => read.push(lines) },
    clock,
  });
  let shown = "";
  printed.on("data", bytes => (shown += String(bytes)));
  return { input, output, clock, console, read, typed: () => typed, shown: () => shown };
}

describe("the console of a game under launch", () => {
  it("prints an unfinished line within 250 ms", async () => {
    const { output, clock, shown } = connected();
    output.write("#hidden\n\nContinue? ");
    await turn();
    expect(shown()).toBe("");
    clock.advance(250);
    await turn();
    await turn();
    expect(shown()).toBe("Continue? ");
  });

  it("prints an unfinished line at the end of the output", async () => {
    const { output, shown } = connected();
    output.end("last");
    await turn();
    await turn();
    expect(shown()).toBe("last");
  });

  it("gets the link's lines between those of the owner, never within one", async () => {
    const { input, console, typed, read } = connected();
    input.write("say a\nsay ");
    await turn();
    console.type("link 1\n");
    input.write("b\n");
    await turn();
    expect(typed()).toBe("say a\nlink 1\nsay b\n");
    expect(read.join("")).toBe("say a\nsay b\n");
  });
});
