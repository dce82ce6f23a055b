import { setTimeout as sleep } from "node:timers/promises";
import type { LinkedPlayerResponse, LinkStatus, PlayerData } from "../../client/types.ts";
import type { Player } from "../simulator/simulator.ts";
import type { Surroundings } from "./journal.ts";
import type { Sample } from "./ledger/figures.ts";
import type { Showing } from "./ledger/forms.ts";
import type { LinkStory } from "./ledger/links.ts";
import type { Asked } from "./ledger/requests.ts";

export const ADMIN_KEY = "admin-key-of-the-chaos";

const HABITS = ["accept", "accept", "accept", "decline", "decline", "close", "busy", "leave"] as const;
const ACCEPT = 0;
const DECLINE = 1;
const BUSY_MS = 1_500;
const UNLINK_AFTER_MS = 2_500;
const PATIENCE_MS = 30_000;
/** For all of them together. */
const FINAL_TRIES = 40;
const AGAIN_MS = 250;

interface Asking {
  body?: object;
  cookie?: string;
  /** where it is another than that of the body */
  method?: string;
  ofGame?: boolean;
}

interface Answer {
  asked: Asked;
  cookie: string | undefined;
  json: unknown;
}

/** A browser that has asked for a player. */
interface Story extends Omit<LinkStory, "passages" | "final"> {
  asked: Asked;
  cookie: string;
  habit: (typeof HABITS)[number];
  /** when the player does something about the form that is open */
  actAt: number | undefined;
  pressed: "accepted" | "declined" | undefined;
  pressedAt: number | undefined;
  unlinked: number | "lost" | undefined;
  /** times that its form was on a screen */
  showings: Showing[];
  /** the last of them, as the game knows it, and whether the player has closed it */
  form: Player["form"];
  hasClosed: boolean;
}

/** Everybody who asks over HTTP, and the players who answer them. */
export class Browsers {
  readonly asked: Asked[] = [];
  readonly names: { name: string; asked: Asked }[] = [];
  readonly samples: Sample[] = [];
  /** by what the form shows of the browser */
  readonly stories = new Map<string, Story>();
  inFlight = 0;
  /** stays of players in the game, by number */
  readonly #stays = new WeakMap<Player, number>();
  #lastStay = 0;
  #triesLeft = FINAL_TRIES;
  readonly #base: string;
  readonly #around: Surroundings;

  constructor(base: string, around: Surroundings) {
    this.#base = base;
    this.#around = around;
  }

  /** A new browser asks for a player, who will do something about it, and perhaps ends the link later. */
  async link(player: Player): Promise<void> {
    const { journal, random } = this.#around;
    const habit = HABITS[Math.floor(random() * HABITS.length)] ?? "leave";
    const unlinks = random() < 0.3;
    const started = await this.#ask("/initialize", {}, "a new session");
    if (started.cookie === undefined) return;
    const { cookie } = started;
    const browser = (started.json as { userId: string }).userId.slice(0, 8);
    if (habit === "busy") {
      player.busy = true;
      setTimeout(() => {
        player.busy = false;
      }, BUSY_MS);
    }
    const story: Story = {
      ...{ browser, cookie, habit, actAt: undefined, unlinked: undefined, asked: started.asked },
      ...{ pressed: undefined, pressedAt: undefined, showings: [], form: undefined, hasClosed: false },
      ...{ askedAt: journal.now(), answeredAt: Number.POSITIVE_INFINITY, status: undefined },
    };
    this.stories.set(browser, story);
    const { server } = this.#around;
    const body = { username: player.name, ...(server !== undefined && { server }) };
    const options = { cookie, body, ofGame: true };
    const { asked } = await this.#ask("/link-player", options, `browser ${browser} asks for ${player.name}`);
    Object.assign(story, { asked, answeredAt: asked.answeredAt, status: asked.status });
    if (unlinks && asked.status === 202) setTimeout(() => void this.#unlink(story), UNLINK_AFTER_MS);
  }

  /** A player has a form open. To be called every tick. */
  onForm(player: Player): void {
    const story = this.stories.get(/browser (\w{8})/.exec(player.form?.body ?? "")?.[1] ?? "");
    const now = this.#around.journal.now();
    if (story) this.#seen(story, player, now);
    if (!story || story.habit === "leave") return;
    story.actAt ??= now + 100 + this.#around.random() * 1_000;
    if (now < story.actAt) return;
    story.actAt = undefined;
    this.#around.journal.trace(`${player.name} does ${story.habit} for browser ${story.browser}`);
    if (story.habit === "close") {
      story.habit = "accept";
      story.hasClosed = true;
      player.closeForm();
      return;
    }
    story.pressedAt = now;
    story.pressed = story.habit === "decline" ? "declined" : "accepted";
    player.answer(story.habit === "decline" ? DECLINE : ACCEPT);
  }

  /** Takes down a form that was not there before. */
  #seen(story: Story, player: Player, at: number): void {
    if (story.form === player.form) return;
    story.form = player.form;
    const stay = this.#stays.get(player) ?? ++this.#lastStay;
    this.#stays.set(player, stay);
    this.#around.journal.trace(`${player.name} sees the form of browser ${story.browser}`);
    story.showings.push({ at, stay, isReopened: story.hasClosed });
    story.hasClosed = false;
  }

  /** A new name for the whitelist. */
  async addName(): Promise<void> {
    const name = `name_${this.names.length}`;
    const asked: Asked = { what: name, askedAt: 0, answeredAt: 0, status: undefined, life: 0, ofGame: true };
    const entry = { name, asked };
    this.names.push(entry);
    const asking = { body: { playerName: name }, ofGame: true };
    entry.asked = (await this.#ask(this.#ofServer("/whitelist"), asking, `name ${name}`)).asked;
  }

  /** Takes down what the service tells of the players. */
  async look(): Promise<void> {
    const { asked, json } = await this.#ask(this.#ofServer("/players"), {}, "the players");
    if (asked.status === 200) this.samples.push({ at: asked.answeredAt, players: json as PlayerData[] });
  }

  async statusOf(story: Story): Promise<LinkStatus | undefined> {
    const { browser, cookie } = story;
    const { asked, json } = await this.#ask("/linked-player", { cookie }, `browser ${browser}`);
    return asked.status === 200 ? (json as LinkedPlayerResponse).status : undefined;
  }

  /** The same in the end: what is away for a moment is asked again. */
  async finalOf(story: Story): Promise<LinkStatus | "no answer"> {
    for (;;) {
      const status = await this.statusOf(story);
      if (status !== undefined) return status;
      if (this.#triesLeft-- <= 0) return "no answer";
      await sleep(AGAIN_MS);
    }
  }

  async #unlink(story: Story): Promise<void> {
    if ((await this.statusOf(story)) !== "accepted") return;
    const options = { cookie: story.cookie, method: "POST" };
    const { asked } = await this.#ask("/unlink-player", options, `browser ${story.browser} unlinks`);
    story.unlinked = asked.status ?? "lost";
  }

  #ofServer(path: string): string {
    const { server } = this.#around;
    return server === undefined ? path : `/servers/${server}${path}`;
  }

  /** Asks the service and holds the answer to its description. */
  async #ask(path: string, { body, cookie, method, ofGame = false }: Asking, what: string): Promise<Answer> {
    const { contract, journal, life } = this.#around;
    const [askedAt, status] = [journal.now(), undefined];
    const asked: Asked = { what, askedAt, answeredAt: 0, status, life: life(), ofGame };
    let answer: Omit<Answer, "asked"> = { cookie: undefined, json: undefined };
    this.inFlight++;
    try {
      const used = method ?? (body ? "POST" : "GET");
      const response = await fetch(`${this.#base}${path}`, {
        method: used,
        headers: {
          "X-Service-Api-Key": ADMIN_KEY,
          ...(body ? { "Content-Type": "application/json" } : {}),
          ...(cookie ? { Cookie: cookie } : {}),
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { headers, status } = response;
      const text = await response.text();
      if (!response.ok) journal.trace(`${what}: ${text}`);
      asked.status = status;
      const seen = { method: used, path, status, header: (name: string) => headers.get(name), text };
      journal.hold(what, () => contract.answer(seen));
      answer = {
        cookie: headers.get("set-cookie")?.split(";")[0],
        json: text === "" ? undefined : JSON.parse(text),
      };
    } catch (error) {
      journal.trace(`${what}: ${error instanceof Error ? (error.cause ?? error) : error}`);
    }
    this.inFlight--;
    asked.answeredAt = journal.now();
    const ms = Math.round(asked.answeredAt - asked.askedAt);
    journal.trace(`${what}: ${asked.status ?? "no answer"} after ${ms} ms`);
    this.asked.push(asked);
    return { ...answer, asked };
  }
}
