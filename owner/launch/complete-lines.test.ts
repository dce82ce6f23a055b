import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createCompleteLines } from "./complete-lines.ts";

/** What is passed on for each of these chunks. */
function passedOn(chunks: readonly Uint8Array[]): Buffer[] {
  const complete = createCompleteLines();
  return chunks.map(chunk => Buffer.from(complete(chunk)));
}

describe("complete lines", () => {
  it("passes a line on when its end has come, with the bytes that it was given", () => {
    const bytes = Buffer.from("say grüß\r\nlist\nsto");
    const inU = bytes.indexOf(0xc3) + 1;
    const passed = passedOn([bytes.subarray(0, inU), bytes.subarray(inU), Buffer.from("p\n")]);
    expect(passed.map(String)).toEqual(["", "say grüß\r\nlist\n", "stop\n"]);
  });

  it("keeps the bytes of a chunk that is overwritten later", () => {
    const complete = createCompleteLines();
    const chunk = Buffer.from("sto");
    complete(chunk);
    chunk.fill("x");
    expect(String(complete(Buffer.from("p\n")))).toBe("stop\n");
  });

  it("passes a line of more than 64 KB on in parts", () => {
    const most = Buffer.alloc(64 * 1024, "a");
    const more = Buffer.from("b");
    expect(passedOn([most, more, Buffer.from("\n")]).map(({ length }) => length)).toEqual([
      0,
      most.length + 1,
      1,
    ]);
  });

  it("passes on every byte in order, and ends with a line end below 64 KB", () => {
    const byte = fc.oneof(fc.constant(0x0a), fc.nat(255));
    const chunk = fc.array(byte, { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(chunk), chunks => {
        const given = Buffer.concat(chunks.map(each => Buffer.from(each)));
        const passed = passedOn(chunks.map(each => Buffer.from(each)));
        expect(Buffer.concat(passed)).toEqual(given.subarray(0, given.lastIndexOf("\n") + 1));
        for (const each of passed) expect([undefined, 0x0a]).toContain(each.at(-1));
      }),
    );
  });
});
