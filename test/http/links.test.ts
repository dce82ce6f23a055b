import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Answer } from "../helpers/client.ts";
import { row } from "../helpers/fake-pack.ts";
import { serving } from "../helpers/serving.ts";

// With three sidecars each request, and each of the pack, is dealt with by another one: what they have to know is shared.

const side = serving();
const { pack } = side;
let cookie: string;
async function start(limits = ""): Promise<void> {
  await side.api(`trust-proxy: true, limits: {${limits}}`, ["Steve", "Alex"]);
  ({ cookie } = await side.session());
}
beforeEach(() => start());

const steve = row("Steve").player;
const link = (username = "Steve", own = cookie, address = "127.0.0.1"): Promise<Answer> =>
  side.ask("/link-player", {
    cookie: own,
    body: { username },
    headers: { "X-Forwarded-For": address },
  });
const linked = async (own = cookie) => (await side.ask("/linked-player", { cookie: own })).json;
const unlink = () => side.said("/unlink-player", { method: "POST", cookie });
const session = async (): Promise<string> => (await side.session()).cookie;
const held = ({ status, headers }: Answer) => [status, headers.get("retry-after")];

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

describe("a request to be linked", () => {
  it("[ACT-7] is answered 500 when the pack says nothing for 10 s, and the form can no longer open", async () => {
    const asked = link();
    const [action] = await pack.take();
    side.clock.advance(10_000);
    const answer = await asked;
    expect([answer.status, answer.json]).toEqual([500, { error: "unexpected_result" }]);
    expect(await pack.take()).toMatchObject([{ body: { do: "link-close", request: action?.id } }]);
    await pack.report({ is: "outcome", id: action?.id ?? "", status: "done", player: steve });
    expect(await linked()).toEqual({ status: "not_linked" });
    expect(await pack.take()).toMatchObject([{ body: { do: "link-close", request: action?.id } }]);
  });
});

describe("a player", () => {
  it("[FORM-8] is asked once by requests of the same moment, though nobody knows yet who has joined", async () => {
    await start("link-requests-per-minute-per-player: 1");
    const cookies = await Promise.all(Array.from({ length: 3 }, session));
    const all = cookies.map((own, i) => link("Herobrine", own, `192.0.2.${i}`));
    const requests: string[] = [];
    while (requests.length < all.length)
      for (const { id, body } of await pack.take()) if (body.do === "link-open") requests.push(id);
    const { player } = row("Herobrine");
    for (const id of requests) await pack.report({ is: "outcome", id, status: "done", player });
    const answers = await Promise.all(all);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    expect((await pack.take()).map(({ body }) => body)).toEqual(
      requests.slice(1).map(request => ({ do: "link-close", request })),
    );
    expect(await Promise.all(cookies.map(linked))).toEqual(
      answers.map(({ status }) => ({ status: status === 202 ? "pending" : "not_linked" })),
    );
  });

  it("gets no form that stays by two sessions that look the same", async () => {
    const [one, two] = [1, 2].map(end => `website_user_uuid=0123abcd-0000-4000-8000-00000000000${end}`);
    const request = await side.asked(`${one}`);
    expect(held(await link("Steve", two))).toEqual([429, "120"]);
    expect((await pack.take()).map(({ body }) => body)).toEqual([{ do: "link-close", request }]);
    const ended = { status: "declined", player: null, linkedAt: null, reason: "same_characters" };
    for (const own of [one, two])
      expect((await side.ask("/session", { cookie: `${own}` })).json).toMatchObject(ended);
  });
});
