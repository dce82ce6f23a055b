import type { PlayerRef } from "../../shared/actions.ts";
import {
  type AppPack,
  browsersOf,
  createTestApp,
  row,
  STEVE,
  sessionOf,
  type TestApp,
  type TestAppOptions,
} from "./test-app.ts";

export const OWN = sessionOf(0x0123abcd);
export const SENT = { answer: "verification_sent" };

const further = (name: string): string => `{name: ${name}, token: "token-of-${name}-${"0".repeat(32)}"}`;
export const yamlOf = (...names: string[]): string => `servers: [${names.map(further).join(", ")}]`;
export const YAML = yamlOf("survival", "creative");

/** Who is listed where, the first game server first; undefined: it is away. */
export type Online = readonly (readonly string[] | undefined)[];

/** A player, or somebody else of the same name. */
export const named = (name: string, more: Partial<PlayerRef> = {}): PlayerRef => ({
  ...row(name).player,
  ...more,
});

/** Several game servers, of which three have names here, and browsers that ask for players on them. */
export class SeveralServers {
  #app: TestApp | undefined;
  readonly #browsers = browsersOf(() => this.app);

  /** What is listed to begin with; a game server of which that is nothing is not connected. */
  async begin(online: Online, options?: TestAppOptions): Promise<void> {
    this.#app = await createTestApp({ yaml: YAML, ...options });
    await this.list(...online);
  }

  async list(...online: Online): Promise<void> {
    for (const [i, names] of online.entries()) {
      if (names === undefined) continue;
      const pack = this.pack(i);
      if (pack.session === "") await pack.connect();
      await pack.snapshot(...names);
    }
  }

  get app(): TestApp {
    if (!this.#app) throw new Error("it has not begun");
    return this.#app;
  }

  pack(at: number): AppPack {
    const pack = this.app.packs[at];
    if (!pack) throw new Error(`there are fewer than ${at + 1} game servers`);
    return pack;
  }
  get main(): AppPack {
    return this.pack(0);
  }
  get survival(): AppPack {
    return this.pack(1);
  }
  get creative(): AppPack {
    return this.pack(2);
  }

  /** What each of them has been asked that it has not taken. */
  waiting = () => Promise.all(this.app.packs.map(pack => pack.waiting()));

  /** Asks as the route does: of those that are fresh, or of one. */
  ask = (own = OWN, username = "Steve", server?: string) =>
    this.#browsers.ask(
      own,
      username,
      "192.0.2.1",
      this.app.gameServers.all.filter(
        ({ name, snapshots }) => snapshots.fresh() && (server === undefined || name === server),
      ),
    );

  status = (own = OWN): Promise<string> => this.#browsers.status(own);

  /** A request that reaches a player whom that game server lists; its id. */
  async opened(pack: AppPack, own = OWN, player = STEVE): Promise<string> {
    const asked = this.ask(own, player.name);
    const { id } = await pack.carryOut("done", { player });
    const { answer } = await asked;
    if (answer !== SENT.answer) throw new Error(`the request was answered ${answer}`);
    return id;
  }

  /** The same, and the player accepts. */
  async accepted(pack: AppPack, own = OWN, player = STEVE): Promise<void> {
    await pack.report({ is: "answered", request: await this.opened(pack, own, player), accepted: true });
  }
}

/** What a game server is asked, which has not taken it yet. */
export const bodies = async (pack: AppPack) => (await pack.take()).map(({ body }) => body);
