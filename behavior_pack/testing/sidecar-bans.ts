import type { BanChange } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { BANS_PER_FRAME } from "../../shared/limits.ts";
import type { BansFrame } from "../../shared/requests.ts";
import * as rules from "../../sidecar/features/bans/rules/ban-changes.ts";
import {
  type Ban,
  createBanList,
  type Draft,
  draftOf,
  keyOf,
} from "../../sidecar/features/bans/rules/ban-list.ts";

const HERE = "";

/** The ban list of a sidecar with one game server, by the sidecar's own rules. */
export class SidecarBans {
  list = "list";
  entries = createBanList();
  n = 0;
  /** changes decided by packs, as the audit has them */
  audit: BanChange[] = [];
  requests = 0;

  /** The active bans. */
  bans(now = 0): BanChange[] {
    return rules.activeBans(this.entries, { now, on: HERE }).flatMap(ban => rules.changesFor(ban, HERE));
  }

  /** Applies a change made at the sidecar. */
  decide(change: BanChange): void {
    const ban = read(change);
    const { at = 0 } = this.entries.get(keyOf(ban)) ?? {};
    this.#change(draft => rules.applyChange(draft, { ...ban, at: Math.max(ban.at, at + 1) }));
  }

  answer({ list, after, changes }: Omit<BansFrame, "session">): BansAnswer {
    this.requests++;
    this.#change(draft => {
      for (const change of changes) {
        const how = { now: Number.MAX_SAFE_INTEGER, isAgain: change.again === true, most: 10_000 };
        if (rules.applyFromGame(draft, read(change), how) === "kept" && !change.again)
          this.audit.push(change);
      }
    });
    if (list !== this.list || after > this.n) return { list: this.list, upTo: 0, changes: [], more: true };
    const news = [...this.entries.after(after)];
    const part = news.slice(0, BANS_PER_FRAME);
    const more = news.length > BANS_PER_FRAME;
    const upTo = more ? (part.at(-1)?.n ?? after) : this.n;
    return {
      ...{ list: this.list, upTo, more },
      changes: part.flatMap(({ ban }) => rules.changesFor(ban, HERE)),
    };
  }

  #change(decide: (draft: Draft) => void): void {
    const draft = draftOf(this.entries);
    decide(draft);
    for (const ban of draft.puts()) this.entries.put(++this.n, ban);
  }
}

const read = ({ everywhere, again: _again, ...change }: BanChange): Ban => ({
  ...change,
  ...(change.persistentId !== undefined && { uuid: `uuid of ${change.persistentId.toLowerCase()}` }),
  ...(!everywhere && { on: HERE }),
});
