import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../../shared/facts.ts";
import {
  type AppPack,
  createTestApp,
  SOMEBODY,
  said,
  type TestApp,
  written,
} from "../../../test/helpers/test-app.ts";

const TITLED = 'server: { info: { title: "§cOak §lStone\u200b" } }';

let app: TestApp;
let [main, lobby, creative]: AppPack[] = [];
async function begin(yaml = ""): Promise<void> {
  const third = { name: "creative", ...(yaml !== "" && { title: "Creative" }) };
  app = await createTestApp({ yaml, servers: ["lobby", third] });
  [main, lobby, creative] = app.packs;
  for (const pack of app.packs) await pack.snapshot("Steve");
  app.events.length = 0;
}
beforeEach(() => begin());

const say = (content: string, server?: string) => app.chat.fromWeb({ ...SOMEBODY, server }, written(content));

/** What each game server has been asked to show and has not taken. */
const waiting = (): Promise<string[][]> =>
  Promise.all(
    app.packs.map(async pack =>
      (await pack.waiting()).map(body => (body.do === "chat" ? body.text : body.do)),
    ),
  );
/** How much waits for each. */
const sizes = (): Promise<number[]> => Promise.all(app.gameServers.all.map(({ outbox }) => outbox.size()));

const answered = async (answer: Promise<unknown>): Promise<unknown> => {
  let is: unknown = "not yet";
  void answer.then(what => {
    is = what;
  });
  await app.quiet();
  return is;
};

describe("a message from the website", () => {
  it("goes to every game server in order, without a server in the feed", async () => {
    for (const text of ["a", "b", "c"]) say(text);
    const lines = ["a", "b", "c"].map(text => `§7[Web]§r <Guest> ${text}`);
    await app.quiet();
    expect(await waiting()).toEqual([lines, lines, lines]);
    expect(app.events.map(({ event }) => event)).toEqual(
      ["a", "b", "c"].map(content => ({
        event: "chat",
        at: app.clock.now(),
        from: "web",
        content,
        label: null,
      })),
    );
  });

  it("goes to the requested game server, which the feed names", async () => {
    const { answer } = say("hi", "lobby");
    await app.quiet();
    expect(await waiting()).toEqual([[], ["§7[Web]§r <Guest> hi"], []]);
    expect(app.events).toMatchObject([{ event: { server: "lobby", content: "hi" } }]);
    await lobby?.carryOut("done");
    expect(await answer).toBe("sent");
  });

  it("fails where no target game server is online, or none shows it within 10 s", async () => {
    const { answer } = say("hi");
    await app.quiet();
    await main?.carryOut("failed");
    app.clock.advance(9_999);
    expect(await answered(answer)).toBe("not yet");
    app.clock.advance(1);
    expect(await answer).toBe("server unavailable");
    app.clock.advance(5_000);
    await main?.snapshot("Steve");
    expect(await say("hi", "lobby").answer).toBe("server unavailable");
    const { answer: ofAll } = say("hi");
    await app.quiet();
    expect((await waiting()).map(lines => lines.length)).toEqual([1, 0, 0]);
    await main?.carryOut("done");
    expect(await ofAll).toBe("sent");
  });
});

const RELAY = "modules: { api: { chat: { relay: true } } }";
const saidBy = (name: string, text: string): Fact => ({ is: "said", name, text });

describe("[RELAY-1] a chat message from a game server", () => {
  it("is shown once on every other server, never on its own, and once on the website", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    await main?.report(said("hi"), said("there"));
    await creative?.report(said("hello"));
    await lobby?.report(said("hey"));
    const of = (server: string, text: string): string => `§7[${server}]§r <Steve> ${text}`;
    const [oak, hello, hey] = [
      ["hi", "there"].map(text => of("Oak Stone", text)),
      of("Creative", "hello"),
      of("lobby", "hey"),
    ];
    expect(await waiting()).toEqual([
      [hello, hey],
      [...oak, hello],
      [...oak, hey],
    ]);
    expect(app.events.map(({ event }) => "content" in event && [event.server, event.content])).toEqual([
      ["main", "§§<Steve> §§hi"],
      ["main", "§§<Steve> §§there"],
      ["creative", "§§<Steve> §§hello"],
      ["lobby", "§§<Steve> §§hey"],
    ]);
  });

  it("is not relayed without the setting, and messages from the website are never relayed", async () => {
    await main?.report(said("hi"));
    expect(await waiting()).toEqual([[], [], []]);
    await begin(`${RELAY}\n${TITLED}`);
    say("hi");
    say("you", "lobby");
    await app.quiet();
    expect((await waiting()).map(lines => lines.length)).toEqual([1, 2, 1]);
  });

  it("is sanitised like a message from the website, both name and content", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    await lobby?.report(
      saidBy("§4Admin\u202e§r", "§ared §§cnot\n\u200b{server} {player}"),
      saidBy("Steve", "§a\u200b"),
      saidBy("{content}", "x"),
    );
    const lines = ["§7[lobby]§r <Admin> red cnot{server} {player}", "§7[lobby]§r <{content}> x"];
    expect(await waiting()).toEqual([lines, [], lines]);
  });

  it("is dropped for an offline game server, and not shown when it returns", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    app.clock.advance(15_000);
    for (const pack of [main, lobby]) await pack?.snapshot("Steve");
    await main?.report(said("hi"));
    await creative?.snapshot("Steve");
    expect((await waiting()).map(lines => lines.length)).toEqual([0, 1, 0]);
  });

  it("[RELAY-2] is relayed while web chat is off", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    await main?.report({ is: "webchat", mode: "off" }, said("hi"));
    await main?.carryOut("done");
    expect((await waiting()).map(lines => lines.length)).toEqual([0, 1, 1]);
    expect(app.events).toMatchObject([{ withheld: true }]);
  });

  it("[RELAY-3] is limited to a burst of 200 and 20 per second, for each game server separately", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    const flood = Array.from({ length: 250 }, (_, i) => said(`${i}`));
    await main?.report(...flood);
    await lobby?.report(said("here"));
    expect(await sizes()).toEqual([1, 200, 201]);
    app.clock.advance(1_000);
    await main?.report(...flood);
    expect(await sizes()).toEqual([1, 220, 221]);
  });

  it("[RELAY-3] leaves half of the queue of a hanging game server to messages from the website", async () => {
    await begin(`${RELAY}\n${TITLED}`);
    for (let i = 0; i < 400; i++) void say(`${i}`, "creative").answer;
    await main?.report(...Array.from({ length: 200 }, (_, i) => said(`${i}`)));
    expect(await sizes()).toEqual([0, 200, 500]);
    const { isQueued } = say("from the website", "creative");
    expect(await isQueued).toBe(true);
    expect(await sizes()).toEqual([0, 200, 501]);
  });
});
