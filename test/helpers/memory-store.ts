import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  dueAt,
  isEmpty,
  type LinkRecord,
  linkedUuid,
  NO_LINK,
  openRequest,
} from "../../sidecar/features/linking/rules/links.ts";
import type { Choices } from "../../sidecar/features/servers/rules/choices.ts";
import type { GameServer } from "../../sidecar/kernel/bridge/game-server.ts";
import type { SignInStore } from "../../sidecar/kernel/storage/ports/sign-in.ts";
import type { GameServerStore, OwnStore, SharedTime } from "../../sidecar/kernel/storage/ports.ts";

interface Entry {
  record: LinkRecord;
  /** rises with each link request; the order in which they were begun */
  place: number;
}

/** The first that were made: a key takes a third of a second, and the tests of a file need no other ones. */
let firstSecrets = "";

/** Sign-ins that last as long as the process. */
export function createMemorySignIn(now: SharedTime, secrets = ""): SignInStore {
  const kept = new Map<string, { text: string; until: number; isUsed: boolean }>();
  const found = (key: string) => {
    const row = kept.get(key);
    return row && row.until > now() ? row : undefined;
  };
  return {
    put: async (key, text, forMs) => void kept.set(key, { text, until: now() + forMs, isUsed: false }),
    async get(key) {
      const row = found(key);
      return row && { text: row.text, leftMs: row.until - now(), isUsed: row.isUsed };
    },
    async use(key) {
      const row = found(key);
      if (!row || row.isUsed) return false;
      row.isUsed = true;
      return true;
    },
    drop: async key => void kept.delete(key),
    secrets: async () => secrets,
    async replaceSecrets(before, after) {
      if (before !== secrets) return false;
      secrets = after;
      firstSecrets ||= after;
      return true;
    },
  };
}

/** Links that last as long as the process: no disk is waited for. */
export function createMemoryStore(): OwnStore {
  const entries = new Map<string, Entry>();
  const bridge = randomUUID();
  let lastPlace = 0;
  let signIn: SignInStore | undefined;

  const read = (session: string): LinkRecord => entries.get(session)?.record ?? NO_LINK;

  function write(session: string, record: LinkRecord): void {
    const before = entries.get(session);
    const sameRequest = before !== undefined && openRequest(before.record) === openRequest(record);
    if (isEmpty(record)) entries.delete(session);
    else entries.set(session, { record, place: sameRequest ? before.place : ++lastPlace });
  }

  const servers = new Map<string, GameServer>();
  const gameServerOf = (name: string): GameServerStore => ({
    gameServer: async () => servers.get(name),
    setGameServer: async next => void servers.set(name, next),
  });

  const chosen = new Map<string, { by: string; held: Choices }>();

  return {
    read: async session => read(session),
    async change(session, decide) {
      const before = read(session);
      const { record, answer } = decide(before);
      if (!isDeepStrictEqual(record, before)) write(session, record);
      return answer;
    },
    async sessionOf(request) {
      for (const [session, { record }] of entries) if (openRequest(record) === request) return session;
      return undefined;
    },
    open: async (limit, prefix = "") =>
      [...entries]
        .filter(([session, { record }]) => openRequest(record) !== undefined && session.startsWith(prefix))
        .sort(([, a], [, b]) => a.place - b.place)
        .slice(0, limit)
        .map(([session, { record }]) => ({ session, record })),
    linkedTo: async (uuid, limit) =>
      [...entries]
        .filter(([, { record }]) => linkedUuid(record) === uuid)
        .slice(0, limit)
        .map(([session]) => session),
    due: async (now, limit) =>
      [...entries]
        .map(([session, { record }]) => ({ session, due: dueAt(record) }))
        .filter((each): each is { session: string; due: number } => each.due !== undefined && each.due <= now)
        .sort((a, b) => a.due - b.due)
        .slice(0, limit)
        .map(({ session }) => session),
    checkWritable: async () => undefined,
    bridgeId: async () => bridge,
    ...gameServerOf(""),
    gameServerOf,
    chosen: async players =>
      new Map(
        players.flatMap(player =>
          [...chosen].flatMap(([id, { held }]) => (id === player ? [[id, held]] : [])),
        ),
      ),
    async choose(player, { server, most }, change) {
      const { by, held } = chosen.get(player) ?? { by: server, held: {} };
      const others = [...chosen.values()].filter(each => each.by === server);
      if (!chosen.has(player) && others.length >= most) return false;
      chosen.set(player, { by, held: { ...held, ...change } });
      return true;
    },
    signIn(now) {
      signIn ??= createMemorySignIn(now, firstSecrets);
      return signIn;
    },
    close: async () => entries.clear(),
  };
}
