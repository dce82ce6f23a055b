import type { Fact } from "../../shared/facts.ts";
import { type HelloAnswer, PATHS } from "../../shared/frames.ts";
import { SNAPSHOT_PART_PLAYERS } from "../../shared/limits.ts";
import type { Hello } from "../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { TOKEN } from "./sidecar.ts";

/** Connects to the sidecar as the pack does. */
export function connectPack(bridge: string, token = TOKEN, run = "bench"): Promise<HelloAnswer> {
  const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
  const hello: Hello = { ...versions, run, firstFact: 1 };
  return post<HelloAnswer>(bridge, PATHS.hello, hello, { token });
}

/** Asks as the pack does. @throws where it is refused */
export async function post<T>(
  bridge: string,
  path: string,
  body: object,
  { token = TOKEN, signal }: { token?: string; signal?: AbortSignal } = {},
): Promise<T> {
  const response = await fetch(`${bridge}${path}`, {
    method: "POST",
    headers: { Authorization: token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The snapshot of a game with so many players, whose figures change from one to the next. */
export function snapshot(players: number, number: number): Fact[] {
  const rows = Array.from({ length: players }, (_, i) => ({
    player: { id: `-42949672${i}`, persistentId: `${i}`.padStart(16, "A"), name: `Player ${i}` },
    health: 20 - ((i + number) % 20),
    deaths: i + number,
    playerKills: 2 * i,
    playtimeSeconds: 1000 * i + 5 * number,
  }));
  const parts = Math.ceil(players / SNAPSHOT_PART_PLAYERS);
  return Array.from({ length: parts }, (_, part) => ({
    is: "snapshot" as const,
    tps: 20 - (number % 7) / 100,
    part,
    parts,
    rows: rows.slice(part * SNAPSHOT_PART_PLAYERS, (part + 1) * SNAPSHOT_PART_PLAYERS),
  }));
}
