import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import type { AskGame } from "../../kernel/bridge/ports.ts";
import { createServerInfo } from "./server-info.ts";

const NOTHING = { title: "", address: "", version: "", maxPlayers: 0 };
const TOLD = { version: "1.26.60", maxPlayers: 10 };

describe("the server's information", () => {
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

  it("comes from the game server, also for the first request", async () => {
    const info = tell();
    expect(await Promise.all([info(), info()])).toMatchObject([TOLD, TOLD]);
    expect(asked).toBe(1);
  });

  it("is not requested if everything is configured", async () => {
    const info = tell({ version: "1.26.52", maxPlayers: 5 });
    expect(await info()).toMatchObject({ version: "1.26.52", maxPlayers: 5 });
    expect(asked).toBe(0);
  });

  it("is requested once a minute while there are readers, and never otherwise", async () => {
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

  it("keeps its last value while the game server does not respond", async () => {
    const info = tell();
    await info();
    told = undefined;
    clock.advance(60_000);
    expect(await info()).toMatchObject(TOLD);
    expect(asked).toBe(2);
  });
});
