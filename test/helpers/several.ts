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

/** The players of each game server, the first one first; undefined: it is offline. */
export type Online = readonly (readonly string[] | undefined)[];

/** A player, or another player of the same name. */
export const named = (name: string, more: Partial<PlayerRef> = {}): PlayerRef => ({
  ...row(name).player,
  ...more,
});

/** Several game servers, three of which have names here, and browsers that send link requests on them. */
export class SeveralServers {
  #app: TestApp | undefined;
  readonly #browsers = browsersOf(() => this.app);

  /** The players at the start; an undefined game server is not connected. */
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

  /** Pending actions of each game server. */
  waiting = () => Promise.all(this.app.packs.map(pack => pack.waiting()));

  /** Sends a link request as the route does: to all fresh game servers, or to one. */
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

  /** A link request that reaches a player on that game server; returns its id. */
  async opened(pack: AppPack, own = OWN, player = STEVE): Promise<string> {
    const pending = this.ask(own, player.name);
    const { id } = await pack.carryOut("done", { player });
    const { answer } = await pending;
    if (answer !== SENT.answer) throw new Error(`the request was answered ${answer}`);
    return id;
  }

  /** A link request that the player accepts. */
  async accepted(pack: AppPack, own = OWN, player = STEVE): Promise<void> {
    await pack.report({ is: "answered", request: await this.opened(pack, own, player), accepted: true });
  }
}

/** Pending actions of a game server. */
export const bodies = async (pack: AppPack) => (await pack.take()).map(({ body }) => body);
