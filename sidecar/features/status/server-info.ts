import type { ServerInfo } from "../../../shared/public/game-server.ts";
import type { AskGame } from "../../kernel/bridge/ports.ts";
import type { Clock } from "../../platform/clock.ts";

const ASK_EVERY_MS = 60_000;

/** Configured info about the game server; blank or 0: not configured. */
interface OwnerInfo {
  title: string;
  address: string;
  version: string;
  maxPlayers: number;
}

/**
 * Info about the game server: as configured, the rest from the game server's own answer. It is queried at most once a minute, and not at
 * all if everything is configured.
 */
export function createServerInfo(deps: {
  clock: Clock;
  configured: OwnerInfo;
  askGame?: AskGame | undefined;
}) {
  const { clock, configured } = deps;
  const askGame = configured.version === "" || configured.maxPlayers === 0 ? deps.askGame : undefined;
  let info = infoOf({});
  let queriedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  function infoOf(answer: NonNullable<Awaited<ReturnType<AskGame>>>): ServerInfo {
    return {
      title: configured.title || null,
      address: configured.address || null,
      version: configured.version || answer.version || null,
      maxPlayers: configured.maxPlayers || answer.maxPlayers || null,
    };
  }

  async function ask(askGame: AskGame): Promise<void> {
    const answer = await askGame();
    if (answer) info = infoOf(answer);
  }

  /** Returns the same object until the next query of the game server. Never rejects. */
  return async (): Promise<ServerInfo> => {
    if (askGame && clock.monotonic() - queriedAt >= ASK_EVERY_MS) {
      queriedAt = clock.monotonic();
      asking = ask(askGame);
    }
    await asking;
    return info;
  };
}
