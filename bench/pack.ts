import type { Fact } from "../shared/facts.ts";
import { type Delivery, type HelloAnswer, PATHS } from "../shared/frames.ts";
import { SNAPSHOT_PART_PLAYERS } from "../shared/limits.ts";
import type { FactsFrame, Hello } from "../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../shared/version.ts";
import { TOKEN } from "./sidecar.ts";

/** Connects to the sidecar as the pack does; its session. */
export async function connectPack(bridge: string): Promise<string> {
  const hello: Hello = {
    product: PRODUCT_VERSION,
    wire: WIRE_VERSION,
    wireOldest: WIRE_OLDEST,
    run: "bench",
    firstFact: 1,
  };
  return (await post<HelloAnswer>(bridge, PATHS.hello, hello)).session;
}

/** Connects, and reports a snapshot with so many players. */
export async function reportPlayers(bridge: string, players: number): Promise<void> {
  const session = await connectPack(bridge);
  const frame: FactsFrame = { session, after: 0, first: 1, facts: snapshot(players) };
  await post<Delivery>(bridge, PATHS.facts, frame);
}

/** Asks as the pack does. @throws where it is refused */
export async function post<T>(bridge: string, path: string, body: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`${bridge}${path}`, {
    method: "POST",
    headers: { Authorization: TOKEN, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

function snapshot(players: number): Fact[] {
  const rows = Array.from({ length: players }, (_, i) => ({
    player: { id: `-42949672${i}`, persistentId: `${i}`.padStart(16, "A"), name: `Player ${i}` },
    health: 20 - (i % 20),
    deaths: i,
    playerKills: 2 * i,
    playtimeSeconds: 1000 * i,
  }));
  const parts = Math.ceil(players / SNAPSHOT_PART_PLAYERS);
  return Array.from({ length: parts }, (_, part) => ({
    is: "snapshot" as const,
    tps: 19.97,
    part,
    parts,
    rows: rows.slice(part * SNAPSHOT_PART_PLAYERS, (part + 1) * SNAPSHOT_PART_PLAYERS),
  }));
}
