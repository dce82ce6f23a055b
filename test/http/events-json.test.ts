import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import { Feeding, said } from "./feeding.ts";

const side = new Feeding();
beforeEach(() => side.start());
afterEach(() => side.end());

describe("what was kept, as JSON", () => {
  const json = async (query = "", headers: Record<string, string> = {}): Promise<Record<string, unknown>[]> =>
    (await ask(side.bridge.base, `/events${query}`, { headers })).json as Record<string, unknown>[];
  const texts = (events: Record<string, unknown>[]): unknown[] =>
    events.map(({ event, content }) => (event === "chat" ? `${content}`.replace("§§<Steve> §§", "") : event));

  it("is a list of flat objects, oldest first", async () => {
    await side.pack.report(said("a"));
    expect(await json("?format=json")).toEqual([
      {
        id: expect.any(String),
        event: "chat",
        at: side.bridge.clock.now(),
        from: "game",
        content: "§§<Steve> §§a",
        player: { name: "Steve", uuid: expect.any(String) },
      },
    ]);
    expect(await json("", { Accept: "application/json" })).toHaveLength(1);
  });

  it("has the newest without since, and the first after it with since", async () => {
    await side.pack.report(...[..."abcdef"].map(text => said(text)));
    expect(texts(await json("?format=json&limit=2"))).toEqual(["e", "f"]);
    const all = await json("?format=json&since=0&limit=3");
    expect(texts(all)).toEqual(["a", "b", "c"]);
    expect(texts(await json(`?format=json&limit=2&since=${all[2]?.id}`))).toEqual(["d", "e"]);
    expect(texts(await json("?format=json&limit=2&since=other"))).toEqual(["gap", "a", "b"]);
  });

  it("has every page of what is kept, though lines of the web among it are gone", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {events: {keep: 6}}}" });
    await side.pack.report(said("a"));
    const socket = await ChatSocket.open(side.bridge.base);
    side.open.push({ close: () => socket.ws.terminate() });
    const say = (...lines: string[]): Promise<unknown> => {
      for (const text of lines) socket.say(text);
      return socket.settled();
    };
    await say("1", "2");
    await side.pack.report(said("b"));
    await say("3", "4", "5");
    const all = await json("?format=json&since=0");
    expect(texts(all)).toEqual(["a", "b", "3", "4", "5"]);
    const behind = (index: number): Promise<Record<string, unknown>[]> =>
      json(`?format=json&limit=2&since=${all[index]?.id}`);
    expect(texts(await behind(0))).toEqual(["gap", "b", "3"]);
    expect(texts(await behind(1))).toEqual(["3", "4"]);
    expect(texts(await behind(3))).toEqual(["5"]);
  });

  it("has the events that were picked", async () => {
    await side.pack.snapshot("Steve");
    await side.pack.report(said("a"));
    expect((await json("?format=json&types=join,chat")).map(({ event }) => event)).toEqual(["join", "chat"]);
    expect(await json("?format=json&types=status")).toEqual([]);
  });

  it("has no chat while the chat of the web is off, and none of that time later", async () => {
    await side.pack.snapshot("Steve");
    await side.pack.report(said("before"));
    await side.pack.report({ is: "webchat", mode: "off" }, said("meanwhile"));
    expect((await json("?format=json")).map(({ event }) => event)).toEqual(["server", "join"]);
    await side.pack.report({ is: "webchat", mode: "everybody" }, said("after"));
    expect(texts(await json("?format=json&types=chat"))).toEqual(["before", "after"]);
  });
});
