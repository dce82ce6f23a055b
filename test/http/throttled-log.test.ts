import { describe, expect, it } from "@jest/globals";
import { throttledLog } from "../../sidecar/platform/throttled-log.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";

describe("a throttled log", () => {
  it("writes 20 lines of a kind a minute and says how many it left out", () => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const throttled = throttledLog(log, clock);
    for (let i = 0; i < 100; i++) throttled.info({ i }, "one");
    throttled.error({}, "two");
    expect(log.of("info")).toHaveLength(20);
    expect(log.of("error")).toHaveLength(1);
    clock.advance(3_000);
    throttled.info({ i: 100 }, "one");
    expect(log.lines.at(-1)).toEqual({ level: "info", message: "one", fields: { i: 100, leftOut: 80 } });
  });

  it("leaves out none of a game server for those of another one, nor of the service", () => {
    const [clock, log] = [new ManualClock(), new RecordingLog()];
    const throttled = throttledLog(log, clock);
    for (let i = 0; i < 100; i++) throttled.warn({ server: "lobby" }, "one");
    throttled.warn({ server: "survival" }, "one");
    throttled.warn({}, "one");
    expect(log.lines).toHaveLength(22);
    clock.advance(3_000);
    for (const server of ["survival", "lobby"]) throttled.warn({ server }, "one");
    expect(log.lines.slice(22).map(({ fields }) => fields)).toEqual([
      { server: "survival" },
      { server: "lobby", leftOut: 80 },
    ]);
  });
});
