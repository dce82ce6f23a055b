import { beforeEach, describe, expect, it } from "@jest/globals";
import { row } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";

const side = serving();
const { pack } = side;
let cookie: string;
async function start(limits = ""): Promise<void> {
  await side.api(`trust-proxy: true, limits: {${limits}}`, ["Steve", "Alex"]);
  ({ cookie } = await side.session());
}
beforeEach(() => start());

const steve = row("Steve").player;
const linked = async (own = cookie) => (await side.ask("/linked-player", { cookie: own })).json;
const unlink = () => side.said("/unlink-player", { method: "POST", cookie });

describe("the link of a session", () => {
  it("is accepted with the player's data while the player is online, until it is ended", async () => {
    await side.link(cookie);
    const players = (await side.ask("/players")).json as object[];
    expect(await linked()).toEqual({ status: "accepted", playerData: players[0] });
    await pack.report({ is: "left", id: steve.id });
    expect(await linked()).toEqual({ status: "accepted" });
    await pack.snapshot("Steve");
    expect(await linked()).toHaveProperty("playerData");
    side.clock.advance(15_000);
    expect(await linked()).toEqual({ status: "accepted" });
    expect(await unlink()).toEqual([200, { status: "unlinked" }]);
    expect(await linked()).toEqual({ status: "not_linked" });
    expect((await pack.take())[0]?.body).toMatchObject({ do: "tell", player: steve });
    expect(await unlink()).toEqual([400, { error: "not_linked" }]);
  });
});
