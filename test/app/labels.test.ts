import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { createLabels } from "../../sidecar/app/labels.ts";

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

it("sessions that begin alike have labels that do not", () => {
  const labelOf = createLabels("token");
  const labels = Array.from({ length: 1_000 }, (_, i) =>
    labelOf(`faa3b7a4-83ac-4f2a-b301-e28f8563${i + 1_000}`),
  );
  expect(new Set(labels.map(label => label.slice(0, 5))).size).toBeGreaterThan(990);
});
