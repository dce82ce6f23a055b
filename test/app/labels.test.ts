import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { createLabels } from "../../sidecar/features/chat/labels.ts";

it("a label is eight letters that no session has, the same wherever the token is, and others with another one", () => {
  const [one, other] = [createLabels("token"), createLabels("another token")];
  fc.assert(
    fc.property(fc.uuid(), session => {
      expect(one(session)).toMatch(/^[g-z]{8}$/);
      expect(createLabels("token")(session)).toBe(one(session));
      expect(other(session)).not.toBe(one(session));
    }),
  );
});
