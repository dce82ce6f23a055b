import type { OpenForm } from "../../lab/simulator/player.ts";
import type { Player } from "../../lab/simulator/simulator.ts";
import type { TestBridge } from "./bridge.ts";
import { type Answer, type Ask, newSession } from "./client.ts";

/** A browser session on a running bridge. */
export class Browser {
  readonly #bridge: TestBridge;
  readonly cookie: string;
  readonly userId: string;

  constructor(bridge: TestBridge, cookie: string, userId: string) {
    this.#bridge = bridge;
    this.cookie = cookie;
    this.userId = userId;
  }

  static async open(bridge: TestBridge): Promise<Browser> {
    const { cookie, userId } = await newSession(bridge.base);
    return new Browser(bridge, cookie, userId);
  }

  /** the code of this session in the form */
  get label(): string {
    return `browser ${this.userId.slice(0, 8)}`;
  }

  /** Sends a link request, with its own client address if the sidecar trusts proxies. */
  #asking(username: string): Ask {
    const bytes = [...Buffer.from(this.userId.replaceAll("-", ""), "hex")];
    const headers = { "X-Forwarded-For": `10.${bytes.slice(0, 3).join(".")}` };
    return { cookie: this.cookie, body: { username }, headers };
  }

  /** Sends a link request and ticks until there is a response. */
  link(username: string): Promise<Answer> {
    return this.#bridge.askGame("/link-player", this.#asking(username));
  }

  /** Sends a link request without ticking. */
  sendLink(username: string): Promise<Answer> {
    return this.#bridge.ask("/link-player", this.#asking(username));
  }

  async linked(): Promise<{ status: string; playerData?: { name: string } }> {
    const { json } = await this.#bridge.ask("/linked-player", { cookie: this.cookie });
    return json as { status: string; playerData?: { name: string } };
  }

  async status(): Promise<string> {
    return (await this.linked()).status;
  }

  /** Ticks until the link has this status. */
  reaches(status: string): Promise<void> {
    return this.#bridge.until(async () => (await this.status()) === status);
  }

  unlink(): Promise<Answer> {
    return this.#bridge.ask("/unlink-player", { cookie: this.cookie, method: "POST" });
  }

  /** Links the session to a player, who accepts. */
  async linkTo(player: Player): Promise<void> {
    const { status } = await this.link(player.name);
    if (status !== 202) throw new Error(`the link request was answered ${status}`);
    await formOf(this.#bridge, player);
    player.answer(ACCEPT);
    await this.reaches("accepted");
  }
}

/** Buttons of the link form. */
export const ACCEPT = 0;
export const DECLINE = 1;

/** Ticks until the player has a form open. */
export async function formOf(bridge: TestBridge, player: Player): Promise<OpenForm> {
  await bridge.until(() => player.form);
  if (!player.form) throw new Error("the form is gone");
  return player.form;
}
