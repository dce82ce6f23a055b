import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import type { AskGame } from "../../kernel/bridge/ports.ts";
import { createServerInfo } from "./server-info.ts";

const NOTHING = { title: "", address: "", version: "", maxPlayers: 0 };
const REPORTED = { version: "1.26.60", maxPlayers: 10 };

describe("the server's information", () => {
  let clock: ManualClock;
  let reply: Awaited<ReturnType<AskGame>>;
  let calls: number;
  beforeEach(() => {
    clock = new ManualClock();
    reply = REPORTED;
    calls = 0;
  });
  const askGame = async () => {
    calls++;
    return reply;
  };
  const tell = (written: Partial<typeof NOTHING> = {}) =>
    createServerInfo({ clock, configured: { ...NOTHING, ...written }, askGame });

  it("comes from the game server, also for the first request", async () => {
    const info = tell();
    expect(await Promise.all([info(), info()])).toMatchObject([REPORTED, REPORTED]);
    expect(calls).toBe(1);
  });

  it("is not requested if everything is configured", async () => {
    const info = tell({ version: "1.26.52", maxPlayers: 5 });
    expect(await info()).toMatchObject({ version: "1.26.52", maxPlayers: 5 });
    expect(calls).toBe(0);
  });

  it("is requested once a minute while there are readers, and never otherwise", async () => {
    const info = tell();
    const first = await info();
    reply = { version: "1.26.65" };
    clock.advance(59_999);
    expect(await info()).toBe(first);
    clock.advance(3_600_000);
    expect(calls).toBe(1);
    expect(await info()).toMatchObject({ version: "1.26.65", maxPlayers: null });
    expect(calls).toBe(2);
  });

  it("keeps its last value while the game server does not respond", async () => {
    const info = tell();
    await info();
    reply = undefined;
    clock.advance(60_000);
    expect(await info()).toMatchObject(REPORTED);
    expect(calls).toBe(2);
  });
});
