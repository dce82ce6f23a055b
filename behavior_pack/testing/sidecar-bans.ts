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

/** The list of bans of a sidecar with one game server, by its own rules, without all that is around them. */
export class SidecarBans {
  list = "list";
  held = createBanList();
  n = 0;
  /** what packs have decided, as the audit has it */
  audit: BanChange[] = [];
  asked = 0;

  /** The bans that hold. */
  bans(now = 0): BanChange[] {
    return rules.activeBans(this.held, { now, on: HERE }).flatMap(ban => rules.changesFor(ban, HERE));
  }

  /** Something is decided here. */
  decide(change: BanChange): void {
    const ban = read(change);
    const { at = 0 } = this.held.get(keyOf(ban)) ?? {};
    this.#change(draft => rules.applyChange(draft, { ...ban, at: Math.max(ban.at, at + 1) }));
  }

  answer({ list, after, changes }: Omit<BansFrame, "session">): BansAnswer {
    this.asked++;
    this.#change(draft => {
      for (const change of changes) {
        const how = { now: Number.MAX_SAFE_INTEGER, isAgain: change.again === true, most: 10_000 };
        if (rules.applyFromGame(draft, read(change), how) === "kept" && !change.again)
          this.audit.push(change);
      }
    });
    if (list !== this.list || after > this.n) return { list: this.list, upTo: 0, changes: [], more: true };
    const news = [...this.held.after(after)];
    const part = news.slice(0, BANS_PER_FRAME);
    const more = news.length > BANS_PER_FRAME;
    const upTo = more ? (part.at(-1)?.n ?? after) : this.n;
    return {
      ...{ list: this.list, upTo, more },
      changes: part.flatMap(({ ban }) => rules.changesFor(ban, HERE)),
    };
  }

  #change(decide: (draft: Draft) => void): void {
    const draft = draftOf(this.held);
    decide(draft);
    for (const ban of draft.puts()) this.held.put(++this.n, ban);
  }
}

const read = ({ everywhere, again: _again, ...change }: BanChange): Ban => ({
  ...change,
  ...(change.persistentId !== undefined && { uuid: `uuid of ${change.persistentId.toLowerCase()}` }),
  ...(!everywhere && { on: HERE }),
});
