import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { fromBase64url, fromUtf8 } from "./base64url.ts";

it("decodes what Node encodes, byte by byte", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), bytes => {
      const buffer = Buffer.from(bytes);
      expect(fromBase64url(buffer.toString("base64url"))).toBe(buffer.toString("latin1"));
    }),
  );
});

it("reads UTF-8 of any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 2_000 }), text => {
      expect(fromUtf8(Buffer.from(text).toString("latin1"))).toBe(text);
    }),
  );
  expect(fromUtf8(Buffer.from("100 %41 é").toString("latin1"))).toBe("100 %41 é");
});
