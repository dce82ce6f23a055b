import type { SidecarIsReading } from "../cli/launch-channel.ts";
import { check, type Guard, int, object, optional, tagged, text } from "../shared/guard.ts";
import type { LaunchedGame } from "./features/status/process/probe.ts";
import type { Log } from "./platform/log.ts";

/** Time for a stop in order after `launch` has ended, in milliseconds. The ports have to be free after two seconds. */
export const STOP_WITHOUT_LAUNCH_MS = 1_500;

/** Most characters of a name after `--as`, which may be none of this configuration. */
const MAX_NAME = 1_000;

const name = text(MAX_NAME);
const pid = int(1, Number.MAX_SAFE_INTEGER);
const nameOrFirst: Guard<string | null> = (value, path) => (value === null ? undefined : name(value, path));

/** Guard of `ToSidecar`. */
const message = tagged("type", {
  game: object({ server: nameOrFirst, pid: optional(pid) }),
  stop: object({}),
});

interface LaunchMessages {
  /** Takes a message of `launch`. Others are ignored. */
  receive(raw: unknown): void;
  /**
   * The process of a game server, by its name in the configuration; without `pid` if it does not run, or nothing was received
   * yet. Undefined: `launch` does not run that game server.
   */
  gameOf(server: string): LaunchedGame | undefined;
}

/**
 * Handles the messages of `launch`.
 * @param servers names of the game servers in the configuration, the first one first
 */
export function createLaunchMessages({
  servers,
  log,
  stop,
}: {
  servers: readonly [string, ...string[]];
  log: Pick<Log, "warn">;
  stop(): void;
}): LaunchMessages {
  let game: (LaunchedGame & { server: string }) | undefined;
  let isAnswered = false;
  let hasWarned = false;

  function warnOf(server: string): void {
    if (!hasWarned)
      log.warn(
        { server, servers },
        "launch runs a game server that this configuration does not have: start launch with --as and one of these names",
      );
    hasWarned = true;
  }

  return {
    receive(raw) {
      const checked = check(message, raw);
      if ("fault" in checked) return;
      if (checked.value.type === "stop") return stop();
      isAnswered = true;
      const { pid } = checked.value;
      const server = checked.value.server ?? servers[0];
      if (!servers.includes(server)) return warnOf(server);
      game = { server, pid };
    },
    gameOf(server) {
      if (!isAnswered) return {};
      return game?.server === server ? game : undefined;
    },
  };
}

/**
 * Begins to read the messages of `launch`.
 * @param onEnd called once when `launch` has ended, whatever the reason
 */
export function readFromLaunch(receive: (raw: unknown) => void, onEnd: () => void): void {
  process.on("message", receive);
  // It may have ended while this program was loaded.
  if (process.connected) process.once("disconnect", onEnd);
  else onEnd();
  const reading: SidecarIsReading = { type: "reading" };
  // If it cannot be sent, `launch` has ended.
  process.send?.(reading, undefined, undefined, () => undefined);
}
