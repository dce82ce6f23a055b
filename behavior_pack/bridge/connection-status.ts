import type { Delivery, HelloAnswer } from "../../shared/frames.ts";
import type { Failure } from "../calls.ts";
import type { Notices } from "../notices.ts";
import type { Endpoint } from "../ports.ts";
import type { RequestKind } from "./reconnect.ts";

/** The connection as `/bridge status` shows it. */
export interface ConnectionStatus {
  url: string;
  /** name of this world */
  world: string;
  /** product version of the sidecar that answered last, empty before that */
  sidecar: string;
  /** what its settings call this game server, where they have several */
  server: string | undefined;
  /** why there is no connection, in words */
  reason: string;
  /** wall time of the last answer to facts, 0 before that */
  acknowledgedAt: number;
  /** lines from the web that the sidecar refused in the minute before that, and the address of most */
  refused: Delivery["refused"];
}

/** What owners hear of the connection: its status, and on the console each change once. */
export function createConnectionReport({ once, say, clear }: Notices) {
  const status: ConnectionStatus = {
    url: "-",
    world: "-",
    sidecar: "",
    server: undefined,
    reason: "-",
    acknowledgedAt: 0,
    refused: undefined,
  };
  /** The last change told. While it is `lost`, what comes of further attempts is no news. */
  let told: "nothing" | "connected" | "lost" = "nothing";

  /** Names a cause that somebody has to see to. False: there is none. */
  function cause({ code, why, update }: Failure): boolean {
    const { url } = status;
    if (code === "unauthorized")
      once(
        "connection:token",
        `${url} refuses the token: make bridge-token in secrets.json equal to the sidecar's`,
      );
    else if (code === "wire_mismatch")
      once("connection:version", `pack and sidecar do not fit together: update ${side(update)}`);
    else if (code === "malformed") once("connection:malformed", `${url}: ${why}`);
    else if (code === "invalid_message") once("connection:refused", `${url} refused a message: ${why}`);
    else if (code === "host_not_allowed")
      once("connection:host", `${url}: the sidecar answers to 127.0.0.1 and localhost only`);
    else if (code === "session_replaced")
      // With each hello, which is once a minute: nobody may have looked at the first one.
      say(
        `another game server has taken over this bridge (${why}): each game server needs an entry of its own in servers`,
      );
    else return false;
    return true;
  }

  return {
    status,
    /** The settings do not lead to a sidecar. */
    unusable(fault: string) {
      status.reason = fault;
      once(`connection:setting:${fault}`, fault);
    },
    /** A hello goes to this address. */
    opened({ url, world = "-" }: Endpoint) {
      status.url = url;
      status.world = world;
    },
    /** A sidecar answered the hello. */
    welcomed({ product, server }: Pick<HelloAnswer, "product" | "server">) {
      status.sidecar = product;
      status.server = server;
    },
    /** A request failed, as so many of its kind in a row. */
    failed(kind: RequestKind, failure: Failure, failures: number) {
      const { url } = status;
      const { code, why } = failure;
      status.reason = why;
      const named = cause(failure);
      if (code === "session_replaced") told = "lost";
      else if (kind !== "hello" && failures < 2) return;
      else if (told === "connected") {
        told = "lost";
        say(`lost the sidecar at ${url} (${why}); trying again until it is back`);
      } else if (named || told === "lost") return;
      else if (code === "no_answer")
        once("connection:silent", `no answer from ${url} (${why}); trying again until there is one`);
      else once("connection:status", `${url} cannot serve this pack (${why}); trying again`);
    },
    /** The sidecar refused one fact, which is dropped. */
    factRefused: (fact: string, why: string) =>
      once(`connection:fact:${fact}`, `the sidecar refused a fact (${fact}: ${why}); it is dropped`),
    /** The list of bans is not made the same on both sides, while all else is well. */
    bansFailed: (why: string) =>
      once(
        "connection:bans",
        `the sidecar and this world do not tell each other of bans (${why}); trying again`,
      ),
    /** The sidecar took facts at wall time `now`; so many lines of chat were dropped before. */
    acknowledged(now: number, droppedLines: number, refused: Delivery["refused"]) {
      status.acknowledgedAt = now;
      status.refused = refused;
      if (droppedLines > 0) say(`${droppedLines} lines of game chat were dropped while the sidecar was away`);
      if (told === "connected") return;
      told = "connected";
      clear("connection:");
      say(`connected to the sidecar at ${status.url}`, "info");
    },
  };
}

function side(update: string | undefined): string {
  if (update === "sidecar") return "the sidecar";
  return update === "pack" ? "the behavior pack" : "the older side";
}
