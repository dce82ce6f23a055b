import { Balancer } from "../../lab/scale/balancer.ts";
import { BUSY, SECOND } from "./busy-servers.ts";
import { serves } from "./contract.ts";
import { FakePack } from "./fake-pack.ts";
import type { Options, TestSidecar } from "./one-sidecar.ts";
import { row } from "./rows.ts";

/** How often the others have something to tell, in milliseconds of the clock of the test. */
const TELLS_EVERY_MS = 1_000;
/** Their players, by turns. */
const COME_AND_GO = 3;

/** Where a test asks about the game server, and where it speaks and listens. */
const ABOUT = /^\/(?=(status|players|whitelist|kick|announce|history|server)([/?]|$))/;
const HEARD = /^\/(chat|events)(?=[?]|$)\??/;

/** What is asked of the service in the place of what a test asks of its only game server. */
const ofSecond = (url: string): string =>
  url.replace(ABOUT, `/servers/${SECOND}/`).replace(HEARD, `/$1?server=${SECOND}&`).replace(/&$/, "");

/** A game server beside the one of the test: players come, talk, die and go, and it is asked for whatever the web wants of all. */
class Busy {
  readonly #pack: FakePack;
  readonly #name: string;
  #turn = 0;
  #telling: Promise<unknown> | undefined;
  #isOver = false;

  constructor(bridge: string, { name, token }: { name: string; token: string }) {
    this.#name = name;
    this.#pack = new FakePack(bridge, token);
  }

  async begin(): Promise<void> {
    await this.#pack.connect(`run of ${this.#name}`);
    await this.#pack.snapshot(this.#player(0), this.#player(1));
    void this.#carryOut();
  }

  end(): void {
    this.#isOver = true;
  }

  /** Resolves when it has told what it is telling. */
  told = async (): Promise<void> => void (await this.#telling);

  #player = (turn: number): string => `${this.#name} ${turn % COME_AND_GO}`;

  /** Tells what happens next, unless it is still telling what has happened before. */
  tell(): void {
    if (this.#telling || this.#isOver) return;
    const turn = this.#turn++;
    const [here, comes] = [this.#player(turn), row(this.#player(turn + 2))];
    const { player } = row(here);
    this.#telling = this.#pack
      .report(
        { is: "joined", row: comes },
        { is: "said", name: here, text: `line ${turn} of ${this.#name}`, player },
        { is: "died", player, killer: comes.player },
        { is: "left", id: player.id },
        {
          ...{ is: "snapshot", tps: 20, part: 0, parts: 1 },
          rows: [comes, row(this.#player(turn + 1))],
        },
      )
      // The storage of a test may be away.
      .catch(() => undefined)
      .finally(() => {
        this.#telling = undefined;
      });
  }

  /** Does all that it is asked, until the sidecar is gone. */
  async #carryOut(): Promise<void> {
    while (!this.#isOver) {
      const actions = await this.#pack.take().catch(() => undefined);
      if (actions === undefined) return;
      if (actions.length === 0) continue;
      await this.told();
      const done = ({ id, body }: (typeof actions)[number]) =>
        ({ is: "outcome", id, do: body.do, status: "done" }) as const;
      await this.#pack.report(...actions.map(done)).catch(() => undefined);
    }
  }
}

/** Sidecars for three game servers, of which the test has the second; the other two are busy. */
export async function startBesideOthers(
  options: Options,
  start: (options: Options) => Promise<TestSidecar>,
): Promise<TestSidecar> {
  const side = await start({ ...options, publicPort: 0 });
  const others = BUSY.map(each => new Busy(side.bridge, each));
  const tell = (): void => {
    for (const other of others) other.tell();
  };
  const pub = await Balancer.open({
    targets: [{ name: SECOND, url: side.base }],
    port: options.publicPort ?? 0,
    addresses: "kept",
    pathOf: ofSecond,
    onSent: tell,
  });
  const forget = serves(pub.origin, side.config.modules.api);
  await Promise.all(others.map(other => other.begin()));
  const rest = side.clock.every(TELLS_EVERY_MS, tell);
  return {
    ...side,
    sidecar: {
      ...side.sidecar,
      publicAddress: { ...side.sidecar.publicAddress, port: pub.port },
    },
    base: pub.origin,
    async quiet() {
      await side.quiet();
      await Promise.all(others.map(other => other.told()));
      await side.quiet();
    },
    async stop() {
      rest();
      for (const other of others) other.end();
      await side.stop();
      await pub.close();
      forget();
    },
  };
}
