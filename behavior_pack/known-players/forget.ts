import { type PlayerRef, playerRef } from "../../shared/actions.ts";
import { checkJson, count, type Infer, list, object, optional } from "../../shared/guard.ts";
import { type ActionHandlers, DONE, OFFLINE } from "../bridge/action-queue.ts";
import type { CommandForms } from "../command-forms.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import type { PlayerForms } from "../player-forms.ts";
import type { PlayerNames } from "../players/player-names.ts";
import type { PlayerRecords } from "../players/player-records.ts";
import { identity, type Member } from "../players/roster.ts";
import type { FormEnd } from "../ports.ts";

const KEY = "web_bridge:forgotten";

/** Forget requests that may wait for the sidecar. */
export const MAX_FORGET_REQUESTS = 64;

// Importing the guards of facts would add an unneeded file to the pack.
const forgetRequest = object({ player: playerRef, since: optional(count) });
type ForgetRequest = Infer<typeof forgetRequest>;
const storedRequests = list(forgetRequest, MAX_FORGET_REQUESTS);

interface ForgetDeps<P> {
  records: PlayerRecords;
  names: PlayerNames;
  forms: PlayerForms;
  commandForms: CommandForms;
  /** The player's row has changed. */
  changed(member: Member<P>): void;
}

/** Erases the data of players on their request, here and in the sidecar. The world stores requests until the sidecar has them. */
export function createForget<P>(
  { roster, store, notices, isLive, report, tell }: PackContext<P>,
  { ofPlayer }: CommandReplies<P>,
  { records, names, forms, commandForms, changed }: ForgetDeps<P>,
) {
  // Whether the sidecar accepts forget requests.
  let isTaken = false;
  let requests: ForgetRequest[] | undefined;
  const sent = new Set<ForgetRequest>();

  /** Undefined while the world cannot be read. */
  function load(): ForgetRequest[] | undefined {
    if (requests !== undefined) return requests;
    try {
      const read = checkJson(storedRequests, String(store.read(KEY) ?? "[]"));
      if ("fault" in read) notices.once("forgotten", "saved /bridge:forget requests are damaged; ignored");
      requests = "value" in read ? read.value : [];
    } catch {
      // The next snapshot tries again.
    }
    return requests;
  }

  /** Returns false if the world cannot store it at the moment. */
  function save(next: ForgetRequest[]): boolean {
    try {
      store.write(KEY, JSON.stringify(next));
    } catch {
      return false;
    }
    requests = next;
    return true;
  }

  function acknowledged(request: ForgetRequest): void {
    sent.delete(request);
    // If this cannot be stored, the next run of the script resends the request.
    const rest = (requests ?? []).filter(other => other !== request);
    if (!save(rest)) requests = rest;
  }

  /** Returns false if too many requests wait, or the world cannot store it. */
  function add(player: PlayerRef, since: number | undefined): boolean {
    const request = since === undefined ? { player } : { player, since };
    const others = load()?.filter(other => identity(other.player) !== identity(player));
    return others !== undefined && others.length < MAX_FORGET_REQUESTS && save([...others, request]);
  }

  /** Sends each request once in this run. */
  function reportAll(): void {
    if (!isTaken || !isLive()) return;
    for (const request of load() ?? []) {
      if (sent.has(request)) continue;
      sent.add(request);
      report({ is: "forgot", ...request }, { onAcknowledged: () => acknowledged(request) });
    }
  }

  /** Resets the figures to 0; without `counts` they stay 0 for the rest of this visit. */
  function forget(member: Member<P>, counts: boolean): void {
    records.erase(member.record, counts);
    names.forget(member.ref);
    changed(member);
    reportAll();
  }

  function accepted(ref: PlayerRef): void {
    const member = roster.find(ref);
    if (member === undefined) return;
    const isStored = add(ref, member.record.since);
    if (isStored) forget(member, false);
    tell(ref, isStored ? "bridge.forgotten" : "bridge.forget-failed");
  }

  function show(ref: PlayerRef, ended: (end: FormEnd) => void): void {
    forms.show(
      ref,
      text => ({
        look: "buttons",
        title: text("bridge.forget-title"),
        body: text("bridge.forget-body"),
        accept: text("bridge.forget-accept"),
        decline: text("bridge.forget-decline"),
        browser: "",
      }),
      ended,
    );
  }

  const actions: Pick<ActionHandlers, "forget"> = {
    forget({ player, counts }) {
      const member = roster.find(player);
      if (member === undefined) return OFFLINE;
      forget(member, counts);
      return DONE;
    },
  };

  return {
    actions,
    commands: {
      forget: (player: P | undefined): Reply =>
        ofPlayer(player, ({ ref }) => {
          if (!forms.canShow) return [false, "bridge.forget-failed"];
          commandForms.open(identity(ref), ended => show(ref, end => ended(end, () => accepted(ref))));
          return [true, "bridge.forget-asking"];
        }),
    },
    /** A session began; `takes`: whether the sidecar accepts forget requests. */
    welcomed(takes: boolean) {
      isTaken = takes;
      reportAll();
    },
    /** Sends the requests ahead of all later rows, whose figures start at 0. */
    report: reportAll,
  };
}
