import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SidecarProcess } from "../../lab/scale/sidecar-process.ts";
import { seededRandom } from "../../lab/simulator/random.ts";
import { runRealtime } from "../../lab/simulator/realtime.ts";
import { createSimulator } from "../../lab/simulator/simulator.ts";
import { PACK } from "../helpers/bridge.ts";
import { EventStream, type StreamEvent } from "../helpers/event-stream.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

const LINES = 10_000;
const READERS = 20;
const KILLS = 20;
const LINES_A_TICK = 12;
/** Lines that nobody has read yet: fewer than the pack keeps while it cannot tell them. */
const MOST_AHEAD = 600;
/** A tick is 10 ms, so that the test is short. */
const TPS = 100;

const random = seededRandom(20);
const folder = mkdtempSync(join(tmpdir(), "feed kills "));
const sidecar = new SidecarProcess(PROGRAM, folder, {
  WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
  WEB_BRIDGE_MODULES_API_EVENTS_KEEP: "10000",
  WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "1000000",
  WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "500ms",
  WEB_BRIDGE_MODULES_WEB_ENABLED: "false",
  WEB_BRIDGE_LOG_LEVEL: "info",
});

const lineOf = ({ event, data }: StreamEvent): number[] =>
  event === "chat" ? [Number(/line (\d+)/.exec((data as { content: string }).content)?.[1])] : [];

/** Also where it took too long: what still ran would slow down every test after it. */
let isOver = false;
let stopGame = async (): Promise<void> => undefined;

/** A reader who leaves again and again, and reads on from where it was. */
class Reader {
  readonly events: StreamEvent[] = [];
  /** the lines among them, by their numbers */
  readonly lines: number[] = [];
  #stream: EventStream | undefined;
  #place = "0";

  async read(until: (reader: Reader) => boolean): Promise<void> {
    while (!until(this) && !isOver) {
      const stream = await EventStream.open(sidecar.urls.public, "", { "Last-Event-ID": this.#place }).catch(
        () => undefined,
      );
      if (stream?.status === 200) {
        this.#stream = stream;
        const leave = setTimeout(() => stream.close(), 50 + random() * 1_500);
        await stream.ended();
        clearTimeout(leave);
        this.events.push(...stream.events);
        this.lines.push(...stream.events.flatMap(lineOf));
        this.#place = stream.lastEventId || this.#place;
      } else await wait(20);
    }
  }

  /** The last line that it was told of lately. */
  get newest(): number {
    return this.#stream?.events.slice(-5).flatMap(lineOf).at(-1) ?? 0;
  }
}

let readers: Reader[] = [];

beforeAll(async () => {
  await sidecar.start();
  const game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": sidecar.urls.bridge },
    secrets: { "bridge-token": TOKEN },
  });
  const speaker = game.world.join("Steve");
  let said = 0;
  let read = 0;
  let isUp = true;
  const driver = runRealtime(game, {
    tps: TPS,
    onTick: tick => {
      read = Math.max(read, ...readers.map(({ newest }) => newest));
      if (tick < 200 || !isUp) return;
      for (let i = 0; i < LINES_A_TICK && said < LINES && said < read + MOST_AHEAD; i++)
        speaker.say(`line ${++said}`);
      const guest = game.world.players.find(({ name }) => name === "Guest");
      if (tick % 50 === 0) guest ? guest.leave() : game.world.join("Guest");
    },
  });
  stopGame = async () => {
    await driver.stop();
    game.dispose();
  };
  readers = Array.from({ length: READERS }, () => new Reader());
  const hasAll = ({ lines }: Reader): boolean => lines.at(-1) === LINES;
  const reading = readers.map(reader => reader.read(hasAll));
  for (let kill = 1; kill <= KILLS; kill++) {
    while (said < (kill / (KILLS + 1)) * LINES && !isOver) await wait(5);
    if (isOver) return;
    isUp = false;
    await sidecar.kill();
    await sidecar.start();
    isUp = true;
  }
  await Promise.all(reading);
}, 300_000);

afterAll(async () => {
  isOver = true;
  await stopGame();
  await sidecar.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe(`${READERS} readers who come and go, of a sidecar that is killed ${KILLS} times`, () => {
  it("have every line that was said, once and in order", () => {
    const all = Array.from({ length: LINES }, (_, i) => i + 1);
    for (const { lines } of readers) expect(lines).toEqual(all);
  });

  it("have the same events under the same ids, and are never told of a gap", () => {
    const [first] = readers;
    const told = ({ events }: Reader): string => {
      const end = events.findLastIndex(({ event }) => event === "chat");
      return JSON.stringify(events.slice(0, end + 1));
    };
    for (const reader of readers) {
      expect(reader.events.filter(({ event }) => event === "gap")).toEqual([]);
      expect(new Set(reader.events.map(({ id }) => id)).size).toBe(reader.events.length);
      expect(told(reader) === (first && told(first))).toBe(true);
    }
  });

  it("are told of nobody who came or left twice", () => {
    const there = new Set<string>();
    for (const { event, data } of readers[0]?.events ?? []) {
      const { player } = data as { player?: { name: string } };
      if (player === undefined) continue;
      if (event === "join") {
        expect(there.has(player.name)).toBe(false);
        there.add(player.name);
      }
      if (event === "leave") expect(there.delete(player.name)).toBe(true);
    }
    expect(there.has("Steve")).toBe(true);
  });
});
