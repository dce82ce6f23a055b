import type { ServerInfo } from "../../../shared/public/game-server.ts";
import type { AskGame } from "../../kernel/bridge/ports.ts";
import type { Clock } from "../../platform/clock.ts";

const ASK_EVERY_MS = 60_000;

/** What is configured of the game server; blank or 0: nothing. */
interface OwnerInfo {
  title: string;
  address: string;
  version: string;
  maxPlayers: number;
}

/**
 * Info about the game server: as configured, and for the rest as the game server itself answers. It is asked at most once a minute,
 * and not at all where everything is configured.
 */
export function createServerInfo(deps: {
  clock: Clock;
  configured: OwnerInfo;
  askGame?: AskGame | undefined;
}) {
  const { clock, configured } = deps;
  const askGame = configured.version === "" || configured.maxPlayers === 0 ? deps.askGame : undefined;
  let info = infoOf({});
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  function infoOf(told: NonNullable<Awaited<ReturnType<AskGame>>>): ServerInfo {
    return {
      title: configured.title || null,
      address: configured.address || null,
      version: configured.version || told.version || null,
      maxPlayers: configured.maxPlayers || told.maxPlayers || null,
    };
  }

  async function ask(askGame: AskGame): Promise<void> {
    const told = await askGame();
    if (told) info = infoOf(told);
  }

  /** Returns one object until the game server was asked again. Never rejects. */
  return async (): Promise<ServerInfo> => {
    if (askGame && clock.monotonic() - askedAt >= ASK_EVERY_MS) {
      askedAt = clock.monotonic();
      asking = ask(askGame);
    }
    await asking;
    return info;
  };
}
