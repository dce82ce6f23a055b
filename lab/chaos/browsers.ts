import type { Player } from "../simulator/simulator.ts";
import type { Journal } from "./journal.ts";
import type { LinkStory, NameStory } from "./ledger.ts";
import { ADMIN_KEY } from "./sidecars.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** Time between an opened form and the player's answer. */
const THINKS_MS = 300;
const LOOK_AFTER_MS = 2_500;
const ACCEPT = 0;
const DECLINE = 1;

interface Answer {
  status: number | undefined;
  cookie: string | undefined;
  json: unknown;
}

/** Browsers that send requests over HTTP, and the players who answer them. */
export class Browsers {
  readonly names: NameStory[] = [];
  /** by the browser's code in the form */
  readonly links = new Map<
    string,
    LinkStory & { cookie: string; answers: boolean; accepts: boolean; openSince: number | undefined }
  >();
  inFlight = 0;
  readonly #base: string;
  readonly #journal: Journal;

  constructor(base: string, journal: Journal) {
    this.#base = base;
    this.#journal = journal;
  }

  /** A new browser sends a link request to a player, who in turn accepts, declines or does not answer. */
  async link(player: Player): Promise<void> {
    const { cookie, json } = await this.#ask("/initialize", {});
    if (cookie === undefined) return;
    const browser = (json as { userId: string }).userId.slice(0, 8);
    const turn = this.links.size % 4;
    const story = {
      ...{ browser, cookie, answers: turn < 3, accepts: turn < 2, openSince: undefined },
      ...{
        status: undefined,
        pressed: undefined,
        seen: undefined,
        final: "no answer",
        at: this.#journal.now(),
      },
    };
    this.links.set(browser, story);
    const { status } = await this.#ask("/link-player", { cookie, body: { username: player.name } });
    Object.assign(story, { status });
    setTimeout(async () => {
      Object.assign(story, { seen: await this.#statusOf(cookie) });
    }, LOOK_AFTER_MS);
  }

  /** Handles a player with an open form. Call it every tick. */
  onForm(player: Player): void {
    const story = this.links.get(/browser (\w{8})/.exec(player.form?.body ?? "")?.[1] ?? "");
    if (!story?.answers) return;
    story.openSince ??= this.#journal.now();
    if (this.#journal.now() < story.openSince + THINKS_MS) return;
    story.pressed = story.accepts ? "accepted" : "declined";
    player.answer(story.accepts ? ACCEPT : DECLINE);
  }

  /** A new name for the allowlist. */
  async addName(): Promise<void> {
    const story: NameStory = {
      name: `name_${this.names.length}`,
      at: this.#journal.now(),
      status: undefined,
    };
    this.names.push(story);
    const { status } = await this.#ask("/whitelist", { body: { playerName: story.name } });
    Object.assign(story, { status });
  }

  /** Reads the final state of every link. */
  async settle(): Promise<void> {
    for (const story of this.links.values())
      Object.assign(story, { final: (await this.#statusOf(story.cookie)) ?? "no answer" });
  }

  async #statusOf(cookie: string): Promise<string | undefined> {
    const { status, json } = await this.#ask("/linked-player", { cookie });
    return status === 200 ? (json as { status: string }).status : undefined;
  }

  async #ask(path: string, { body, cookie }: { body?: object; cookie?: string }): Promise<Answer> {
    this.inFlight++;
    try {
      const response = await fetch(`${this.#base}${path}`, {
        headers: {
          "X-Service-Api-Key": ADMIN_KEY,
          ...(body && { "Content-Type": "application/json" }),
          ...(cookie && { Cookie: cookie }),
        },
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      const { headers, status } = response;
      const text = await response.text();
      return {
        status,
        cookie: headers.get("set-cookie")?.split(";")[0],
        json: text === "" ? undefined : JSON.parse(text),
      };
    } catch {
      return { status: undefined, cookie: undefined, json: undefined };
    } finally {
      this.inFlight--;
    }
  }
}
