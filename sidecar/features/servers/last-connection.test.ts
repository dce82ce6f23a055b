import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { hello } from "../../../test/helpers/fake-pack.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { createConnections } from "./last-connection.ts";

it("a sidecar knows five seconds later how chat reaches a game server that connected to another one", async () => {
  const [clock, store] = [new ManualClock(), createMemoryStore()];
  const create = () =>
    createConnections({ clock, log: new RecordingLog(), store, lastServerOf: async () => undefined });
  const [one, other] = [create(), create()];
  await other.last();
  await one.connected({ ...hello(), gameChat: "command" });
  expect([one.gameChat(), other.gameChat()]).toEqual(["command", null]);
  clock.advance(5_000);
  // Reads it again.
  other.gameChat();
  await nextTurn();
  expect(other.gameChat()).toBe("command");
});
