import type { Player } from "../../lab/simulator/simulator.ts";
import type { TestBridge } from "./bridge.ts";
import { ACCEPT, Browser, DECLINE } from "./browser.ts";
import type { ChatSocket } from "./chat-socket.ts";
import { ADMIN_KEY } from "./sidecar.ts";

/** Limits that let a test send much at once. */
export const NO_RATES = `
modules.api.trust-proxy: true
modules.api.limits:
  messages-per-second: 10000
  messages-burst: 10000
  messages-per-minute-per-address: 1000000
  chat-lines-per-second: 10000
  chat-lines-burst: 10000
  link-requests-per-minute: 100000
  link-requests-per-minute-per-address: 100000
  link-requests-per-minute-per-player: 1000
  link-requests-per-second: 10000
  link-requests-burst: 10000
  link-cool-down: 0s
  requests-per-minute: 1000000`;

const WEB = "§7[Web]§r <Guest> ";

/** Requests during network faults, and their results. */
export class Traffic {
  readonly fromGame: string[] = [];
  readonly fromWeb: string[] = [];
  /** names, by whether the response was 202 */
  readonly added: string[] = [];
  readonly notAdded: string[] = [];
  readonly linked: { browser: Browser; username: string; answered: number }[] = [];
  /** the button that the player pressed, by the label of the browser */
  readonly pressed = new Map<string, string[]>();
  readonly #bridge: TestBridge;
  readonly #sender: ChatSocket;
  readonly #observer: ChatSocket;
  readonly #waiting: Promise<void>[] = [];
  #settled = 0;

  constructor(bridge: TestBridge, sender: ChatSocket, observer: ChatSocket) {
    this.#bridge = bridge;
    this.#sender = sender;
    this.#observer = observer;
    bridge.onTick = () => {
      for (const player of bridge.game?.world.players ?? []) this.#answerForm(player);
    };
  }

  /** A chat message in each direction, one after the other. */
  chat(): void {
    const game = `game ${this.fromGame.length}`;
    this.fromGame.push(game);
    void this.#bridge.say("Steve", game);
    const web = `web ${this.fromWeb.length}`;
    this.fromWeb.push(web);
    this.#sender.say(web);
  }

  whitelist(): void {
    const playerName = `name_${this.added.length}_${this.#waiting.length}`;
    const headers = { "X-Service-Api-Key": ADMIN_KEY };
    this.#hold(
      this.#bridge.ask("/whitelist", { headers, body: { playerName } }).then(({ status }) => {
        (status === 202 ? this.added : this.notAdded).push(playerName);
      }),
    );
  }

  link(username: string): void {
    this.#hold(
      Browser.open(this.#bridge).then(async browser => {
        const { status } = await browser.sendLink(username);
        this.linked.push({ browser, username, answered: status });
      }),
    );
  }

  /** Ticks until every request has a response, every message has arrived and every form is answered. */
  async settle(): Promise<void> {
    await this.#bridge.until(() => this.#settled === this.#waiting.length);
    await Promise.all(this.#waiting);
    await this.#bridge.until(
      () =>
        this.receivedFromGame().length >= this.fromGame.length &&
        this.receivedFromWeb().length >= this.fromWeb.length,
    );
    await this.#bridge.until(async () => {
      const states = await Promise.all(this.linked.map(({ browser }) => browser.status()));
      return !states.includes("pending");
    });
    await this.#bridge.tick(250);
  }

  /** Game messages that the observer received, as typed. */
  receivedFromGame(): string[] {
    return this.#heard().flatMap(line => (line.startsWith("§§<Steve> §§") ? [line.slice(12)] : []));
  }

  receivedFromWeb(): string[] {
    return this.#heard().filter(line => line.startsWith("web "));
  }

  /** Web messages that the game showed. */
  shownInGame(): string[] {
    const lines = this.#bridge.world.chat.map(({ text }) => text);
    return lines.filter(line => line.startsWith(WEB)).map(line => line.slice(WEB.length));
  }

  /** Number of errors about undelivered messages that the sender got. */
  failures(): number {
    return this.#sender.received.filter(({ content }) => content === "server unavailable").length;
  }

  #heard(): string[] {
    return this.#observer.received.filter(({ type }) => type === "CHAT").map(({ content }) => content);
  }

  #hold(promise: Promise<void>): void {
    const count = (): void => {
      this.#settled++;
    };
    promise.then(count, count);
    this.#waiting.push(promise);
  }

  #answerForm(player: Player): void {
    const label = /browser \w{8}/.exec(player.form?.body ?? "")?.[0];
    if (label === undefined) return;
    const button = Number.parseInt(label.slice(-1), 16) % 2 === 0 ? ACCEPT : DECLINE;
    player.answer(button);
    const pressed = this.pressed.get(label) ?? [];
    this.pressed.set(label, [...pressed, button === ACCEPT ? "accepted" : "declined"]);
  }
}
