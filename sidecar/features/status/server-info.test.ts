import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import type { AskGame } from "../../kernel/bridge/ports.ts";
import { createServerInfo } from "./server-info.ts";

const NOTHING = { title: "", address: "", version: "", maxPlayers: 0 };
const TOLD = { version: "1.26.60", maxPlayers: 10 };

describe("what is shown of the game server", () => {
  let clock: ManualClock;
  let told: Awaited<ReturnType<AskGame>>;
  let asked: number;
  beforeEach(() => {
    clock = new ManualClock();
    told = TOLD;
    asked = 0;
  });
  const askGame = async () => {
    asked++;
    return told;
  };
  const tell = (written: Partial<typeof NOTHING> = {}) =>
    createServerInfo({ clock, configured: { ...NOTHING, ...written }, askGame });

  it("is what it tells itself, to the first who asks too", async () => {
    const info = tell();
    expect(await Promise.all([info(), info()])).toMatchObject([TOLD, TOLD]);
    expect(asked).toBe(1);
  });

  it("is not asked for where its owner has said it all", async () => {
    const info = tell({ version: "1.26.52", maxPlayers: 5 });
    expect(await info()).toMatchObject({ version: "1.26.52", maxPlayers: 5 });
    expect(asked).toBe(0);
  });

  it("is asked for once a minute while somebody wants to know, and never by itself", async () => {
    const info = tell();
    const first = await info();
    told = { version: "1.26.65" };
    clock.advance(59_999);
    expect(await info()).toBe(first);
    clock.advance(3_600_000);
    expect(asked).toBe(1);
    expect(await info()).toMatchObject({ version: "1.26.65", maxPlayers: null });
    expect(asked).toBe(2);
  });

  it("stays as it was while the game server does not answer", async () => {
    const info = tell();
    await info();
    told = undefined;
    clock.advance(60_000);
    expect(await info()).toMatchObject(TOLD);
    expect(asked).toBe(2);
  });
});
