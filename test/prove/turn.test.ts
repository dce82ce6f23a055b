import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { takeTurn } from "../../owner/prove/turn.ts";

it("of trials that begin at once one has the turn, and tells the others which process it is until it gives it back", async () => {
  const name = `web-bridge-prove-${randomUUID()}`;
  const turns = await Promise.all([takeTurn(name), takeTurn(name), takeTurn(name)]);
  const others = turns.map(({ other }) => other);
  expect(others.filter(other => other === undefined).length).toBe(1);
  expect(others.filter(other => other === `process ${process.pid}`).length).toBe(2);
  for (const { giveBack } of turns) giveBack();
  const next = await takeTurn(name);
  expect(next.other).toBeUndefined();
  next.giveBack();
});
