import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  browsersOf,
  createTestApp,
  STEVE,
  sessionOf,
  type TestApp,
  type TestAppOptions,
  written,
} from "../../../test/helpers/test-app.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import { createLabels } from "./chat.ts";

let app: TestApp;
async function begin(options?: TestAppOptions): Promise<void> {
  app = await createTestApp({ players: ["Steve"], ...options });
  app.events.length = 0;
}
beforeEach(() => begin());
const browsers = browsersOf(() => app);

const OWN = sessionOf(1);
const say = (content = "hi", session?: string, socket = "socket", server?: string) =>
  app.chat.fromWeb({ id: socket, session, server }, written(content));
/** What the game was asked to show, which it does. */
async function nextInGame(): Promise<string> {
  const { body } = await app.pack.carryOut("done");
  return body.do === "chat" ? body.text : body.do;
}

describe("a message from the website", () => {
  it("reaches every other socket unchanged, and the game without invisible characters and formatting", async () => {
    const { isQueued, answer } = say("hi §4there\n", OWN, "its socket");
    expect(await isQueued).toBe(true);
    const label = app.labelOf(OWN);
    expect(app.events).toEqual([
      {
        id: expect.any(String),
        event: { event: "chat", at: app.clock.now(), from: "web", content: "hi §4there\n", label },
        except: "its socket",
      },
    ]);
    expect(await nextInGame()).toBe("§7[Web]§r <Guest> hi there");
    expect(await answer).toBe("sent");
  });

  it.each([
    ["failed", async () => void (await app.pack.carryOut("failed"))],
    [
      "has not answered for 10 s",
      async () => {
        await app.pack.take();
        app.clock.advance(10_000);
      },
    ],
    [
      "has restarted",
      async () => {
        await app.pack.take();
        await app.pack.connect("another run");
      },
    ],
  ])("is not sent if the game %s, and all browsers get it", async (_what, end) => {
    const { isQueued, answer } = say();
    expect(await isQueued).toBe(true);
    await end();
    expect(await answer).toBe("server unavailable");
    expect(app.events[0]).toMatchObject({ event: { content: "hi" } });
  });

  it("is lost when publishing fails, and the next one is not", async () => {
    let fault: Error | undefined = new StorageAway("nothing answers there");
    await begin({
      stores: ({ feedLog }) => ({
        feedLog: {
          ...feedLog,
          publish: (...args) => (fault ? Promise.reject(fault) : feedLog.publish(...args)),
        },
      }),
    });
    const { isQueued, answer } = say();
    await expect(answer).rejects.toThrow(StorageAway);
    expect(await isQueued).toBe(false);
    fault = undefined;
    expect(await say("next").isQueued).toBe(true);
    expect(app.events).toMatchObject([{ event: { content: "next" } }]);
  });
});

describe("many messages", () => {
  it("arrive everywhere in the order of sending, however long the author lookup takes", async () => {
    const waiting: (() => void)[] = [];
    await begin({
      stores: ({ links: store }) => ({
        links: {
          ...store,
          async read(session) {
            if (session !== OWN) await new Promise<void>(resolve => waiting.push(resolve));
            return store.read(session);
          },
        },
      }),
    });
    const sessions = [sessionOf(2), undefined, sessionOf(3), OWN, sessionOf(4)];
    const said = sessions.map((session, i) => say(`${i}`, session));
    await app.quiet();
    // All are requested at the same time.
    expect([waiting.length, app.events.length]).toEqual([3, 0]);
    for (const go of waiting.reverse()) go();
    await Promise.all(said.map(({ isQueued }) => isQueued));
    const contents = app.events.map(({ event }) => "content" in event && event.content);
    expect(contents).toEqual(["0", "1", "2", "3", "4"]);
    const texts = (await app.pack.take()).map(({ body }) => body.do === "chat" && body.text.at(-1));
    expect(texts).toEqual(contents);
  });
});

describe("the name in a message", () => {
  it("is the linked player's in every browser, as long as the link is accepted", async () => {
    await begin({ yaml: "messages: { api.chat-guest-name: Somebody }" });
    const player = async (): Promise<unknown> => {
      say("hi", OWN);
      const text = await nextInGame();
      const { event } = app.events.at(-1) ?? {};
      return [text, event?.event === "chat" ? event.player : event];
    };
    const nobody = ["§7[Web]§r <Somebody> hi", undefined];
    const request = await browsers.opened(OWN);
    expect(await player()).toEqual(nobody);
    await app.pack.report({ is: "answered", request, accepted: true });
    const steve = app.server.snapshots.fresh()?.players[0];
    expect(await player()).toEqual(["§7[Web]§r <Steve> hi", { name: "Steve", uuid: steve?.uuid }]);
    await app.links.unlink(OWN);
    expect(await nextInGame()).toBe("tell");
    expect(await player()).toEqual(nobody);
  });
});

describe("who can write", () => {
  const set = (mode: "everybody" | "linked" | "read-only" | "off") =>
    app.pack.report({ is: "webchat", by: STEVE, mode });

  it.each([
    ["everybody", true, true],
    ["linked", false, true],
    ["read-only", false, false],
    ["off", false, false],
  ] as const)("depends on the mode %s, from the settings or an operator", async (mode, guests, linked) => {
    for (const yaml of [`modules.api.chat.web: ${mode}`, ""]) {
      await begin({ yaml });
      await browsers.answered(true, OWN);
      if (yaml === "") await set(mode);
      for (const [session, may] of [
        [undefined, guests],
        [sessionOf(2), guests],
        [OWN, linked],
      ] as const) {
        const { isQueued, answer } = say("hi", session);
        expect(await isQueued).toBe(may);
        if (!may) expect(await answer).toBe("not allowed");
      }
      const of = [guests, guests, linked].filter(may => may).length;
      expect(app.events.filter(({ event }) => event.event === "chat")).toHaveLength(of);
    }
  });

  it("[WEB-2] is reported to the operator and the console when the command has no mode", async () => {
    await begin({ yaml: "modules.api.chat.web: linked" });
    const reply = async (): Promise<unknown> => (await app.pack.carryOut("done")).body;
    const is = { do: "tell", message: "bridge.webchat-is", values: { mode: "linked" } };
    await app.pack.report({ is: "webchat" });
    expect(await reply()).toEqual(is);
    await app.pack.report({ is: "webchat", by: STEVE });
    expect(await reply()).toEqual({ ...is, player: STEVE });
    await set("read-only");
    expect(await reply()).toEqual({
      do: "tell",
      player: STEVE,
      message: "bridge.webchat-set",
      values: { mode: "read-only" },
    });
    expect(app.webChat.mode()).toBe("read-only");
  });

  it("[WEB-4] stays as an operator set it until the sidecar stops, even when the pack restarts", async () => {
    await set("read-only");
    await app.pack.connect("another run");
    expect(app.webChat.mode()).toBe("read-only");
    await begin({ clock: app.clock });
    expect(app.webChat.mode()).toBe("everybody");
  });

  const mute = async (browser: string, isMuted = true): Promise<unknown> => {
    await app.pack.report({ is: "mute", by: STEVE, browser, isMuted });
    return (await app.pack.carryOut("done")).body;
  };
  const may = async (session?: string): Promise<boolean> => {
    const { isQueued, answer } = say("hi", session);
    if (await isQueued) await app.pack.carryOut("done");
    return (await answer) === "sent";
  };

  it.each([
    ["", 0],
    [", though the clock is set back", 3_600_000],
  ])("[WEB-3] excludes muted browsers for an hour%s", async (_what, back) => {
    expect(await mute("00000001")).toEqual({
      do: "tell",
      player: STEVE,
      message: "bridge.muted",
      values: { browser: "00000001" },
    });
    expect([await may(OWN), await may(sessionOf(2)), await may()]).toEqual([false, true, true]);
    app.clock.setBack(back);
    await app.later(3_599_999, "Steve");
    expect(await may(OWN)).toBe(false);
    await app.later(1, "Steve");
    expect(await may(OWN)).toBe(true);
  });

  it("[WEB-3] excludes unlinked sessions while they are muted", async () => {
    await mute("--------");
    expect([await may(), await may(OWN)]).toEqual([false, true]);
    await mute("--------", false);
    expect(await may()).toBe(true);
  });

  it("is logged without any browser", async () => {
    await set("linked");
    await mute("00000001");
    expect(app.log.text).toContain("who may chat from the website");
    expect(app.log.text).toContain("muted");
    expect(app.log.text).not.toContain("00000001");
  });
});

it("a label is eight letters that reveal no session: the same for the same token, different for another", () => {
  const [one, other] = [createLabels("token"), createLabels("another token")];
  fc.assert(
    fc.property(fc.uuid(), session => {
      expect(one(session)).toMatch(/^[g-z]{8}$/);
      expect(createLabels("token")(session)).toBe(one(session));
      expect(other(session)).not.toBe(one(session));
    }),
  );
});
