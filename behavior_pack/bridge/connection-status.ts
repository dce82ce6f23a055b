import type { Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { Notices } from "../notices.ts";
import type { Endpoint } from "../ports.ts";
import type { RequestKind } from "./reconnect.ts";
import type { Failure } from "./requests.ts";

/** The connection as `/bridge:status` shows it. */
export interface ConnectionStatus {
  url: string;
  /** name of this world */
  world: string;
  /** product version of the last sidecar that answered; empty before that */
  sidecar: string;
  /** name of this game server in the sidecar's settings, if it serves several */
  server: string | undefined;
  /** why there is no connection, as text */
  reason: string;
  /** wall time of the last acknowledgement of facts; 0 before that */
  acknowledgedAt: number;
  /** chat messages that the sidecar rejected in the minute before that, and the address that sent the most */
  refused: Delivery["refused"];
}

/** Keeps the connection status, and logs each change of it once on the console. */
export function createConnectionStatus({ once, say, clear }: Notices, tokenHint: string) {
  const status: ConnectionStatus = {
    url: "-",
    world: "-",
    sidecar: "",
    server: undefined,
    reason: "-",
    acknowledgedAt: 0,
    refused: undefined,
  };
  /** The last change logged. While it is `lost`, further failures are not logged. */
  let last: "nothing" | "connected" | "lost" = "nothing";

  /** Logs a failure that the owner has to fix. Returns false for any other failure. */
  function sayCause({ code, why, update }: Failure): boolean {
    const { url } = status;
    if (code === "unauthorized") once("connection:token", `${url} rejected the token: ${tokenHint}`);
    else if (code === "wire_mismatch")
      once("connection:version", `pack and sidecar versions do not match: update ${side(update)}`);
    else if (code === "malformed") once("connection:malformed", `${url}: ${why}`);
    else if (code === "invalid_message") once("connection:refused", `${url} rejected a message: ${why}`);
    else if (code === "host_not_allowed")
      once("connection:host", `${url}: the sidecar accepts only 127.0.0.1 and localhost as its host name`);
    else if (code === "session_replaced")
      // Repeated after each hello, once a minute: the owner may have missed the first line.
      say(
        `another game server has taken over this bridge (${why}): if you run two servers, give each its own name with setup --as <name>`,
      );
    else return false;
    return true;
  }

  return {
    status,
    /** The settings are unusable. */
    unusable(fault: string) {
      status.reason = fault;
      once(`connection:setting:${fault}`, fault);
    },
    /** `launch` has not given the settings yet. */
    waiting() {
      status.reason = "no answer from launch";
    },
    /** A hello is sent to this address. */
    opened({ url, world = "-" }: Endpoint) {
      status.url = url;
      status.world = world;
    },
    /** A sidecar answered the hello. */
    welcomed({ product, server }: Pick<HelloAnswer, "product" | "server">) {
      status.sidecar = product;
      status.server = server;
    },
    /** A request failed; `failures`: how many of its kind failed in a row. */
    failed(kind: RequestKind, failure: Failure, failures: number) {
      const { url } = status;
      const { code, why } = failure;
      status.reason = why;
      const isSaid = sayCause(failure);
      if (code === "session_replaced") last = "lost";
      else if (kind !== "hello" && failures < 2) return;
      else if (last === "connected") {
        last = "lost";
        say(`lost the connection to the sidecar at ${url} (${why}); retrying until it is back`);
      } else if (isSaid || last === "lost") return;
      else if (code === "no_answer")
        once("connection:silent", `no answer from ${url} (${why}); retrying until there is one`);
      else once("connection:status", `${url} did not answer like a sidecar (${why}); retrying`);
    },
    /** The sidecar rejected a fact, which is dropped. */
    factRefused: (fact: string, why: string) =>
      once(`connection:fact:${fact}`, `the sidecar rejected a report (${fact}: ${why}); dropped`),
    /** Bans cannot be synced, though the connection works. */
    bansFailed: (why: string) =>
      once("connection:bans", `could not sync bans with the sidecar (${why}); retrying`),
    /** The sidecar acknowledged facts at wall time `now`; `droppedLines`: chat messages dropped before that. */
    acknowledged(now: number, droppedLines: number, refused: Delivery["refused"]) {
      status.acknowledgedAt = now;
      status.refused = refused;
      if (droppedLines > 0) say(`${droppedLines} chat messages were dropped while the sidecar was offline`);
      if (last === "connected") return;
      last = "connected";
      clear("connection:");
      say(`connected to the sidecar at ${status.url}`, "info");
    },
  };
}

function side(update: string | undefined): string {
  if (update === "sidecar") return "the sidecar";
  return update === "pack" ? "the behavior pack" : "the older side";
}
