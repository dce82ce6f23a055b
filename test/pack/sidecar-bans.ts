import { type BanChange, beats, ends, entryKey } from "../../shared/bans.ts";
import type { BansAnswer } from "../../shared/frames.ts";
import { BANS_PART } from "../../shared/limits.ts";
import type { BansFrame } from "../../shared/requests.ts";

/** A list of bans as a sidecar keeps one, of one game server. */
export class SidecarBans {
  list = "list";
  held = new Map<string, { n: number; change: BanChange }>();
  n = 0;
  /** what packs have decided, as the audit has it */
  audit: BanChange[] = [];
  asked = 0;

  /** The bans that hold. */
  bans(now = 0): BanChange[] {
    return [...this.held.values()]
      .map(({ change }) => change)
      .filter(({ lifted, until = Infinity }) => !lifted && until > now);
  }

  /** Something is decided here. */
  decide(change: BanChange): void {
    const held = this.held.get(entryKey(change));
    this.keep({ ...change, at: Math.max(change.at, (held?.change.at ?? 0) + 1) });
  }

  answer({ list, after, changes }: Omit<BansFrame, "session">): BansAnswer {
    this.asked++;
    for (const change of changes) this.take(change);
    if (list !== this.list || after > this.n) return { list: this.list, upTo: 0, changes: [], more: true };
    const news = [...this.held.values()].filter(({ n }) => n > after).sort((one, other) => one.n - other.n);
    const part = news.slice(0, BANS_PART);
    const more = news.length > BANS_PART;
    const upTo = more ? (part.at(-1)?.n ?? after) : this.n;
    return { list: this.list, upTo, changes: part.map(({ change }) => change), more };
  }

  private take({ again, ...change }: BanChange): void {
    const held = this.held.get(entryKey(change))?.change;
    if (held?.at === change.at && held.lifted === change.lifted) return;
    if (held !== undefined && !beats(change, held)) this.number(held);
    else {
      if (!again) this.audit.push(change);
      this.keep(change);
    }
  }

  private keep(change: BanChange): void {
    this.number(change);
    for (const { change: other } of [...this.held.values()])
      if (!other.lifted && ends(change, other)) this.number({ ...other, at: change.at, lifted: true });
    const { name, everywhere = false } = change;
    const byName = this.held.get(entryKey({ name, everywhere }))?.change;
    if (byName !== undefined && !change.lifted && ends(byName, change))
      this.number({ ...change, at: byName.at, lifted: true });
  }

  private number(change: BanChange): void {
    const key = entryKey(change);
    this.held.delete(key);
    this.held.set(key, { n: ++this.n, change });
  }
}
