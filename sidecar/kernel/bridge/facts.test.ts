import { beforeEach, describe, expect, it } from "@jest/globals";
import { memoryBus } from "../../../test/helpers/bus.ts";
import { row } from "../../../test/helpers/fake-pack.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import { createMemoryRecords } from "../storage/memory-records.ts";
import { StorageAway } from "../storage/ports.ts";
import { createFacts, type FactHandlers } from "./facts.ts";
import { createParts } from "./parts.ts";

let log: RecordingLog;
let received: string[];
beforeEach(() => {
  log = new RecordingLog();
  received = [];
});

const handle = (first: FactHandlers) =>
  createFacts({
    clock: { now: () => 0 },
    log,
    bus: memoryBus(),
    parts: createParts(
      createMemoryRecords(() => 0),
      "",
    ),
    game: { settle: () => true },
    server: undefined,
    features: [first, { joined: async ({ row }) => void received.push(row.player.name) }],
  }).handle([{ is: "joined", row: row("Steve") }], { run: "run", first: 1, lease: { token: "turn" } });

describe("a fact that a feature cannot handle", () => {
  it("reaches the other features, and is not resent, if the feature has a bug", async () => {
    const bug = (): Promise<void> => Promise.reject(new TypeError("a bug"));
    expect(await handle({ joined: bug })).toBe(1);
    expect(received).toEqual(["Steve"]);
    expect(log.of("error")).toMatchObject([{ fields: { fact: "joined" } }]);
  });

  it("is resent if the storage cannot be reached", async () => {
    const away = (): Promise<void> => Promise.reject(new StorageAway("away"));
    await expect(handle({ joined: away })).rejects.toThrow(StorageAway);
    expect(received).toEqual([]);
  });
});
