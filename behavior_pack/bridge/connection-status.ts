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

/** What owners learn of the connection: its status, and on the console each change once. */
export function createConnectionStatus({ once, say, clear }: Notices) {
  const status: ConnectionStatus = {
    url: "-",
    world: "-",
    sidecar: "",
    server: undefined,
    reason: "-",
    acknowledgedAt: 0,
    refused: undefined,
  };
  /** The last change on the console. While it is `lost`, further failures are no news. */
  let last: "nothing" | "connected" | "lost" = "nothing";

  /** Says a line about a failure that the owner has to fix. False: it is none of those. */
  function sayCause({ code, why, update }: Failure): boolean {
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
      // After each hello, which is once a minute: the first line may have gone unnoticed.
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
      const isSaid = sayCause(failure);
      if (code === "session_replaced") last = "lost";
      else if (kind !== "hello" && failures < 2) return;
      else if (last === "connected") {
        last = "lost";
        say(`lost the sidecar at ${url} (${why}); trying again until it is back`);
      } else if (isSaid || last === "lost") return;
      else if (code === "no_answer")
        once("connection:silent", `no answer from ${url} (${why}); trying again until there is one`);
      else once("connection:status", `${url} cannot serve this pack (${why}); trying again`);
    },
    /** The sidecar refused one fact, which is dropped. */
    factRefused: (fact: string, why: string) =>
      once(`connection:fact:${fact}`, `the sidecar refused a fact (${fact}: ${why}); it is dropped`),
    /** Bans cannot be synced, while everything else works. */
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
