// Messages between `launch` and the sidecar that it starts, over the IPC channel of Node's child processes. A sidecar whose
// channel closes has lost `launch`, and ends.

/** Argument of a sidecar that `launch` has started. Other parents have such a channel too. */
export const UNDER_LAUNCH = "under-launch";

/** Value of `WEB_BRIDGE_RUN_BY` for such a sidecar, unless something else runs `launch`. */
export const RUN_BY_LAUNCH = "launch";

/** Exit code of such a sidecar when it refuses its configuration (EX_CONFIG of sysexits.h). */
export const REFUSED_CONFIGURATION = 78;

/** Sent by the sidecar once it reads messages. It is answered with the game. */
export interface SidecarIsReading {
  type: "reading";
}

/** The game server's process, sent again when it changes. */
export interface GameMessage {
  type: "game";
  /** its entry in `servers` of the configuration; null: the first one */
  server: string | null;
  /** undefined: it does not run */
  pid?: number;
}

/** Asks the sidecar to stop in order. Windows has no signal for that. */
export interface StopMessage {
  type: "stop";
}

export type ToSidecar = GameMessage | StopMessage;
