import { type ConsolePlayer, MAX_PLAYERS } from "../../../shared/console-link/messages.ts";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import type { GameLine } from "./game-lines.ts";

/** 16 hexadecimal digits: what scripts with the experiment read as `persistentId`. */
const PFID = "([0-9A-Fa-f]{16})";

// Matched from the end: a name may have blanks, commas, and parts that look like the ones behind it.
const CONNECTED = new RegExp(`^Player connected: (.*), xuid: ?\\d*(?:, pfid: ${PFID})?$`, "s");
const SPAWNED = new RegExp(`^Player Spawned: (.*) xuid: ?\\d*, pfid: ${PFID}$`, "s");
const DISCONNECTED = new RegExp(`^Player disconnected: (.*), xuid: ?\\d*(?:, pfid: ${PFID})?$`, "s");

/** What the console has said about a player since they connected. */
interface Visit {
  pfid: string | undefined;
  /** whether it said different things, or what it said of another player */
  isDoubtful: boolean;
}

/** Reads from the game's own lines which `persistentId` each online player has. `known` gets each player once that is decided. */
export function createConsolePlayers(known: (player: ConsolePlayer) => void) {
  const visits = new Map<string, Visit>();

  const report = (name: string, { pfid, isDoubtful }: Visit): void => {
    if (isDoubtful) known({ name });
    else if (pfid !== undefined) known({ name, persistentId: pfid });
  };

  function identify(name: string, visit: Visit, pfid: string): void {
    const isSame = visit.pfid?.toLowerCase() === pfid.toLowerCase();
    if (visit.isDoubtful || isSame) return;
    const isTaken = [...visits.values()].some(
      other => other !== visit && other.pfid?.toLowerCase() === pfid.toLowerCase(),
    );
    if (visit.pfid === undefined && !isTaken) visit.pfid = pfid;
    else visit.isDoubtful = true;
    report(name, visit);
  }

  return {
    take({ text, by, isFirst }: GameLine) {
      if (by !== "game" || !isFirst || !text.startsWith("Player ")) return;
      const [, connected, first] = CONNECTED.exec(text) ?? [];
      if (connected !== undefined) {
        const visit: Visit = { pfid: undefined, isDoubtful: false };
        visits.set(connected, visit);
        dropOldest(visits, MAX_PLAYERS);
        if (first !== undefined) identify(connected, visit, first);
        return;
      }
      const [, disconnected] = DISCONNECTED.exec(text) ?? [];
      if (disconnected !== undefined) {
        visits.delete(disconnected);
        return;
      }
      const [, spawned = "", pfid] = SPAWNED.exec(text) ?? [];
      if (pfid === undefined) return;
      // Some versions put a comma behind the name.
      const name = [spawned, spawned.replace(/,$/, "")].find(each => visits.has(each));
      const visit = name === undefined ? undefined : visits.get(name);
      if (name !== undefined && visit !== undefined) identify(name, visit, pfid);
    },
    /** Reports all online players again. */
    repeat() {
      for (const [name, visit] of visits) report(name, visit);
    },
  };
}
