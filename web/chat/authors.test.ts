import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { faceOf } from "../players/face.ts";
import type { StoredEvent } from "../service/feed-updates.ts";
import { textOf } from "./chat-log.ts";
import { lineOf } from "./event-lines.ts";

const STEVE = { name: "Steve", uuid: "3f2a91bc-0000-4000-8000-000000000001" };
const game = (content: string, player?: typeof STEVE): StoredEvent => ({
  event: "chat",
  id: "1-1",
  at: 1,
  from: "game",
  content,
  ...(player && { player }),
});
const web = (content: string, more: object = {}): StoredEvent => ({
  event: "chat",
  id: "1-1",
  at: 1,
  from: "web",
  content,
  ...more,
});
/** Kind, author and text of a line. */
const partsOf = (event: StoredEvent, isOwn = false): unknown[] => {
  const line = lineOf(event, isOwn);
  return [line?.kind, line?.author, line && textOf(line.segments)];
};

describe("the author of a message", () => {
  it("is read from a message of the game, with the player's uuid and without colours", () => {
    expect(partsOf(game("§§<Steve> §§hi"))).toEqual(["game", { name: "Steve" }, "hi"]);
    expect(partsOf(game("§§<§#55ff55Steve§§> §#ff5555hi §§all", STEVE))).toEqual(["game", STEVE, "hi all"]);
    expect(lineOf(game("§§<Steve> §#ff5555hi"), false)?.segments).toEqual([
      { text: "hi", colour: "#ff5555" },
    ]);
    const odd = { ...STEVE, name: "a> b" };
    expect(partsOf(game("§§<a> b> hi", odd))).toEqual(["game", odd, "hi"]);
  });

  it("is unknown where the message has another form", () => {
    expect(partsOf(game("§§no name"))).toEqual(["game", undefined, "no name"]);
    expect(partsOf(game("§§<Steve> "))).toEqual([undefined, undefined, undefined]);
  });

  it("is the linked player of a web message, else the session's label, and never a name in the text", () => {
    expect(partsOf(web("<Steve> hi"))).toEqual(["web", undefined, "<Steve> hi"]);
    expect(partsOf(web("<Steve> hi", { label: "kxwtmhzr" }))).toEqual([
      "web",
      { name: "kxwtmhzr" },
      "<Steve> hi",
    ]);
    expect(partsOf(web("hi", { label: "kxwtmhzr", player: STEVE }), true)).toEqual(["own", STEVE, "hi"]);
  });
});

describe("the drawn head of a player", () => {
  it("is always the same for one player, stays within its square, and differs between most players", () => {
    fc.assert(
      fc.property(fc.uuid(), uuid => {
        const face = faceOf(uuid);
        expect(face).toEqual(faceOf(uuid));
        for (const { colour, path } of face) {
          expect(colour).toMatch(/^#[0-9a-f]{6}$/);
          for (const [, x, y, width, height] of path.matchAll(/M(\d) (\d)h(\d)v(\d)h-\3z/g))
            expect([Number(x) + Number(width) <= 8, Number(y) + Number(height) <= 8]).toEqual([true, true]);
          expect(path.replaceAll(/M(\d) (\d)h(\d)v(\d)h-\3z/g, "")).toBe("");
        }
      }),
    );
    const heads = fc.sample(fc.uuid(), 100).map(uuid => JSON.stringify(faceOf(uuid)));
    expect(new Set(heads).size).toBeGreaterThan(80);
  });
});
