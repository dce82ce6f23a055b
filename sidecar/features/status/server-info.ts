import type { ServerInfo } from "../../../shared/public/game.ts";
import type { AskGame } from "../../kernel/storage/ports/game.ts";
import type { Clock } from "../../platform/clock.ts";

/** How often the game server is asked at most, in milliseconds. */
const ASK_EVERY_MS = 60_000;

/** What the owner says of the game server; blank or 0: nothing. */
interface OwnerInfo {
  title: string;
  address: string;
  version: string;
  maxPlayers: number;
}

/**
 * What is told of the game server: what its owner says, and what the game server itself tells of the rest, as it did last.
 * Whoever asks waits for its answer, once a minute; it is not asked where the owner says all that it tells.
 */
export function createServerInfo(deps: { clock: Clock; written: OwnerInfo; askGame?: AskGame | undefined }) {
  const { clock, written } = deps;
  const askGame = written.version === "" || written.maxPlayers === 0 ? deps.askGame : undefined;
  let info = infoOf({});
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  function infoOf(told: NonNullable<Awaited<ReturnType<AskGame>>>): ServerInfo {
    return {
      title: written.title || null,
      address: written.address || null,
      version: written.version || told.version || null,
      maxPlayers: written.maxPlayers || told.maxPlayers || null,
    };
  }

  async function ask(askGame: AskGame): Promise<void> {
    const told = await askGame();
    if (told) info = infoOf(told);
  }

  /** The same object as long as nothing has changed or was asked. Never rejects. */
  return async (): Promise<ServerInfo> => {
    if (askGame && clock.monotonic() - askedAt >= ASK_EVERY_MS) {
      askedAt = clock.monotonic();
      asking = ask(askGame);
    }
    await asking;
    return info;
  };
}
