/** Something that is written down of who did it. */
interface Audited {
  /** wall time in milliseconds since 1970 */
  at: number;
  address: string;
  /** whom it is about; of an announcement what it says */
  name: string;
  /** status or error code of the answer */
  outcome: string;
}

/** What players and operators of one of several game servers change for all of them. */
export type GameChange =
  | "link.accept"
  | "link.end"
  | "webchat.set"
  | "browser.mute"
  | "browser.unmute"
  | `player.${"hide" | "show" | "block" | "unblock" | "forget"}`;

/** A change that the holder of a key has asked of the game, and what became of it. */
export interface AuditedChange extends Audited {
  /** name of the key, or `game:` and who decided it there */
  key: string;
  action:
    | "whitelist.add"
    | "whitelist.remove"
    | "player.kick"
    | "chat.announce"
    | "ban.add"
    | "ban.remove"
    | "ban.bind"
    | GameChange;
  /** name of the game server, where there are several */
  server?: string;
  /** where one was given */
  reason?: string;
}

/** Another site has asked who somebody is. */
export interface AuditedSignIn extends Audited {
  /** id of the site */
  client: string;
  action: "sign-in";
}

export type AuditEntry = AuditedChange | AuditedSignIn;

/** The record of that; each process has its own. */
export interface Audit {
  /** Settles once the entry is written, or cannot be, which is told in the log. Never rejects. */
  write(entry: AuditEntry): Promise<void>;
}
