import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createOutputFilter } from "./output-filter.ts";

/** A filter that hides lines that begin with `#`, and parts that contain `secret`. */
function filter(isAwaited = () => false) {
  const taken: string[] = [];
  const made = createOutputFilter({
    take(line) {
      taken.push(line);
      return line.startsWith("#");
    },
    isSecret: part => part.includes("secret"),
    isAwaited,
  });
  return {
    taken,
    push: (text: string): string => Buffer.from(made.push(Buffer.from(text))).toString(),
    flush: (): string => Buffer.from(made.flush()).toString(),
    made,
  };
}

describe("the filter of the game's output", () => {
  it("takes out hidden lines, and the blank line behind each", () => {
    const { push, taken } = filter();
    expect(push("a\n#b\n\n\nc\n#d\r\n\r\n#e\n\0\n#f\ng\n")).toBe("a\n\nc\ng\n");
    expect(taken).toEqual(["a", "#b", "", "", "c", "#d", "", "#e", "\0", "#f", "g"]);
  });

  it("reads a line in parts, and prints it once it is complete", () => {
    const { push } = filter();
    expect([push("a"), push("b\n#c"), push("d\n"), push("\ne\n")]).toEqual(["", "ab\n", "", "e\n"]);
  });

  it("prints an unfinished line when asked, and the rest of it then, whatever that is", () => {
    const { push, flush, taken } = filter();
    expect([push("a? "), flush(), flush(), push("#\n\n"), push("#b\n")]).toEqual([
      "",
      "a? ",
      "",
      "#\n\n",
      "",
    ]);
    expect(taken).toEqual(["", "#b"]);
  });

  it("never prints an unfinished line, or the rest of one, with a secret in it", () => {
    const { push, flush } = filter();
    expect([push("a secret"), flush(), push("\nb\n")]).toEqual(["", "", "b\n"]);
    expect([push("c"), flush(), push("secret\n"), push("d\n")]).toEqual(["", "c", "", "d\n"]);
  });

  it("prints a line of more than 4 KB before its end, unless one is awaited that is not to be printed", () => {
    let isAwaited = false;
    const { push } = filter(() => isAwaited);
    const long = "x".repeat(5_000);
    expect([push(long), push("\n")]).toEqual([long, "\n"]);
    isAwaited = true;
    expect([push(`#${long}`), push("\n")]).toEqual(["", ""]);
  });

  it("prints every byte of a game that hides nothing, in order, whatever the chunks", () => {
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0d, 0), fc.nat(255));
    fc.assert(
      fc.property(fc.array(fc.array(byte, { maxLength: 30 })), chunks => {
        const made = createOutputFilter({
          take: () => false,
          isSecret: () => false,
          isAwaited: () => false,
        });
        const printed = chunks.flatMap((chunk, i) => {
          const now = Buffer.from(made.push(Buffer.from(chunk)));
          return i % 3 === 0 ? [now, Buffer.from(made.flush())] : [now];
        });
        expect(Buffer.concat([...printed, made.flush()])).toEqual(Buffer.from(chunks.flat()));
      }),
    );
  });
});
