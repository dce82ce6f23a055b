import { beforeEach, describe, expect, it } from "@jest/globals";
import { serving } from "../helpers/serving.ts";
import { said } from "./feeding.ts";

const side = serving();
const { pack } = side;
beforeEach(async () => {
  await side.start();
  await pack.connect();
});

type Events = Record<string, unknown>[];
const json = async (query = "", headers: Record<string, string> = {}): Promise<Events> =>
  (await side.ask(`/events${query}`, { headers })).json as Events;
const texts = (events: Events): unknown[] =>
  events.map(({ event, content }) => (event === "chat" ? `${content}`.replace("§§<Steve> §§", "") : event));

describe("what was kept, as JSON", () => {
  it("is a list of flat objects, oldest first", async () => {
    await pack.report(said("a"));
    expect(await json("?format=json")).toEqual([
      {
        id: expect.any(String),
        event: "chat",
        at: side.clock.now(),
        from: "game",
        content: "§§<Steve> §§a",
        player: { name: "Steve", uuid: expect.any(String) },
      },
    ]);
    expect(await json("", { Accept: "application/json" })).toHaveLength(1);
  });

  it("has the newest without since, and the first after it with since", async () => {
    await pack.report(...[..."abcdef"].map(text => said(text)));
    expect(texts(await json("?format=json&limit=2"))).toEqual(["e", "f"]);
    const all = await json("?format=json&since=0&limit=3");
    expect(texts(all)).toEqual(["a", "b", "c"]);
    expect(texts(await json(`?format=json&limit=2&since=${all[2]?.id}`))).toEqual(["d", "e"]);
    expect(texts(await json("?format=json&limit=2&since=other"))).toEqual(["gap", "a", "b"]);
  });

  it("has no chat while the chat of the web is off, and none of that time later", async () => {
    await pack.snapshot("Steve");
    await pack.report(said("before"), { is: "webchat", mode: "off" }, said("meanwhile"));
    expect(texts(await json("?format=json"))).toEqual(["server", "join"]);
    await pack.report({ is: "webchat", mode: "everybody" }, said("after"));
    expect(texts(await json("?format=json&types=chat"))).toEqual(["before", "after"]);
  });

  it("is the same for whoever asks again, however many other lists were asked for meanwhile", async () => {
    await pack.report(...Array.from({ length: 12 }, (_, i) => said(`${i}`)));
    const lists = async (): Promise<unknown[]> => {
      const all = [];
      for (let limit = 1; limit <= 12; limit++) all.push(texts(await json(`?format=json&limit=${limit}`)));
      return all;
    };
    const first = await lists();
    expect([first[0], first[11]]).toEqual([["11"], Array.from({ length: 12 }, (_, i) => `${i}`)]);
    expect(await lists()).toEqual(first);
  });

  it("is compressed for clients that take gzip where it is long, and until something happens only once", async () => {
    await pack.report(...Array.from({ length: 20 }, (_, i) => said(`${i} ${"x".repeat(100)}`)));
    const list = (encoding: string) =>
      side.ask("/events?format=json", { headers: { "Accept-Encoding": encoding } });
    const [packed, plain] = [await list("gzip"), await list("identity")];
    expect([packed, plain].map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null]);
    expect(packed.json).toEqual(plain.json);
    await pack.report(said("new"));
    expect((await list("gzip")).json).toHaveLength(21);
  });
});
