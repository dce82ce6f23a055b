import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Action } from "../../shared/actions.ts";
import { browsersOf, type House, openHouse, SOMEBODY, STEVE, sessionOf, written } from "./house.ts";

const OWN = sessionOf(1);

let house: House;
beforeEach(async () => {
  house = await openHouse();
  await house.begin("Steve");
});
const browsers = browsersOf(() => house);
const report = (outcome: { id: string; do?: string; status?: "done" | "failed" }) =>
  house.pack.report({ is: "outcome", status: "done", ...outcome });

async function taken(): Promise<Action> {
  const [action] = await house.pack.take();
  if (!action) throw new Error("no action came");
  return action;
}

/** A line from the web, on its way. */
async function line(): Promise<{ id: string; answer: Promise<unknown> }> {
  const { answer } = house.chat.fromWeb(SOMEBODY, written("hello"));
  return { id: (await taken()).id, answer };
}

/** A request to be linked, on its way. */
async function request(own = OWN): Promise<{ id: string; answer: Promise<unknown> }> {
  const answer = browsers.ask(own);
  return { id: (await taken()).id, answer };
}

describe("an outcome that says what it is of", () => {
  it("[ACT-14] of something else changes nothing for a link request, which its own still opens", async () => {
    const { id, answer } = await request();
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    for (const other of ["chat", "allowlist-read", "link-close", "what nobody knows"])
      await house.pack.report({ is: "outcome", id, do: other, status: "done", player: STEVE });
    await house.quiet();
    expect([isAnswered, await browsers.status(OWN), house.storage.fault()]).toEqual([
      false,
      "not_linked",
      undefined,
    ]);
    await house.pack.report({ is: "outcome", id, do: "link-open", status: "done", player: STEVE });
    expect([await answer, await browsers.status(OWN)]).toEqual([{ answer: "verification_sent" }, "pending"]);
  });
});

describe("an outcome of an older pack, which does not say what it is of", () => {
  it("[ACT-14] ends a line, opens a link request and brings the names of the allowlist", async () => {
    const said = await line();
    await report({ id: said.id, status: "failed" });
    expect(await said.answer).toBe("server unavailable");
    const link = await request();
    await house.pack.report({ is: "outcome", id: link.id, status: "done", player: STEVE });
    expect([await link.answer, await browsers.status(OWN)]).toEqual([
      { answer: "verification_sent" },
      "pending",
    ]);
    const names = house.world.whitelist.read();
    const read = await taken();
    await house.pack.report({ is: "names", id: read.id, names: ["Alex"] });
    await report({ id: read.id });
    expect(await names).toEqual({ value: ["Alex"] });
  });
});
