import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { isFault } from "./fault.ts";
import { type DecodedText, decodeText, encodeText } from "./text-encoding.ts";

function decoded(bytes: Uint8Array): DecodedText {
  const text = decodeText(bytes);
  if (isFault(text)) throw new Error(text.fault);
  return text;
}

it("returns the bytes of a text unchanged, in any encodings of its lines", () => {
  const line = fc.constantFrom("a=1\n", "Welt 世界 😀\r\n", "ü\r", "", "\uFEFF");
  const old = fc
    .constantFrom("M\xfcller\n", "\xed\xb3\xbc\n", "\xff=\xfe\n")
    .map(text => Buffer.from(text, "latin1"));
  const piece = fc.oneof(
    line.map(text => Buffer.from(text)),
    old,
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const bytes = Buffer.concat([Buffer.from("#\n"), ...pieces]);
      expect(Buffer.from(encodeText(decoded(bytes)))).toEqual(bytes);
    }),
  );
});

it("distinguishes a text of one encoding from one of two", () => {
  const old = Buffer.from("a=\xfc\n", "latin1");
  const encodings = [Buffer.from("a=ü\n"), old, Buffer.concat([Buffer.from("a=ü\n"), old])].map(
    bytes => decoded(bytes).encoding,
  );
  expect(encodings).toEqual(["utf8", "latin1", "mixed"]);
});
