import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { freePort } from "../../lab/scale/free-port.ts";
import { type RealtimeDriver, runRealtime } from "../../lab/simulator/realtime.ts";
import { createSimulator, type Player, type Simulator } from "../../lab/simulator/simulator.ts";
import { PACK } from "../helpers/bridge.ts";
import { ACCEPT } from "../helpers/browser.ts";
import { ask } from "../helpers/client.ts";
import { ownProcess } from "../helpers/own-process.ts";
import { eventually } from "../helpers/runner.ts";
import { serving } from "../helpers/serving.ts";
import { TOKEN } from "../helpers/sidecar.ts";
import type { SignInBrowser } from "../helpers/sign-in-browser.ts";
import { type Asked, signingIn, sitesOf } from "../helpers/signing-in.ts";

// Own connections: a browser that goes from site to site, and the library of a site.

/** Steps of a sign-in, in their order. */
const STEPS = ["begun", "asked", "shown", "accepted", "agreed", "issued", "exchanged"] as const;
type Step = (typeof STEPS)[number];

/** Steps that are an answer of the service, which may get lost while it is on its way. */
const ANSWERS: readonly Step[] = ["begun", "asked", "agreed", "issued", "exchanged"];
/** When the service is killed then, in milliseconds after it was asked. */
const MOMENTS = [1];

const own = ownProcess();
const sites = signingIn(serving());
let game: Simulator;
let driver: RealtimeDriver;
let steve: Player;

beforeEach(async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const signIn = { enabled: true, issuer, clients: sitesOf() };
  await own.start({ WEB_BRIDGE_MODULES_API_PORT: `${port}` }, folder =>
    writeFileSync(join(folder, "config.yml"), JSON.stringify({ "sign-in": signIn })),
  );
  sites.startedAt(issuer);
  game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": own.urls.bridge },
    secrets: { "bridge-token": TOKEN },
  });
  driver = runRealtime(game, { tps: 100 });
  steve = game.world.join("Steve");
  await eventually(async () => expect((await ask(own.urls.public, "/players")).text).toContain("Steve"));
});
afterEach(async () => {
  await driver.stop();
  game.dispose();
});

/** A visitor of a site, during whose sign-in the service is killed. */
class Visit {
  readonly #kill: { step: Step; ms?: number };
  #isKilled = false;
  readonly browser: SignInBrowser = sites.browser();
  /** how often it had to begin again */
  again = 0;
  #session = "";

  constructor(kill: { step: Step; ms?: number }) {
    this.#kill = kill;
  }

  /** Takes a step; undefined: what came of it got lost. */
  async #step<T>(step: Step, act: () => Promise<T>): Promise<T | undefined> {
    if (this.#isKilled || this.#kill.step !== step) return act();
    this.#isKilled = true;
    const { ms } = this.#kill;
    const acting = act();
    const done = ms === undefined ? await acting : undefined;
    const lost = acting.catch(() => undefined);
    if (ms !== undefined) await wait(ms);
    await own.sidecar.kill();
    await own.sidecar.start();
    return done ?? lost;
  }

  /** What the site is told in the end, by however many sign-ins; the code that it was told by. */
  async signIn(): Promise<{
    asked: Asked;
    location: string;
    tokens: Awaited<ReturnType<typeof sites.back>>;
  }> {
    for (let begun = 0; begun < 3; begun++) {
      const asked = await sites.ask();
      const isBegun = await this.#step("begun", async () => {
        await this.browser.go(asked.url.href);
        return true;
      });
      const location = isBegun && (await this.#page());
      const tokens = location && (await this.#exchange(asked, location));
      if (location && tokens) return { asked, location, tokens };
      this.again++;
    }
    throw new Error("the sign-in has not come to its end");
  }

  /** Goes through the page as its script does; where it leads, or undefined where the page says that it is over. */
  async #page(): Promise<string | undefined> {
    const { pathname } = this.browser.at;
    const call = (path: string, body?: object) => this.browser.call(`${pathname}/${path}`, body);
    this.#session ||= (await this.browser.call("/initialize")).json.userId;
    for (const until = performance.now() + 30_000; performance.now() < until; await wait(10)) {
      const read = await call("state").catch(() => undefined);
      if (read?.status === 404) return undefined;
      if (read?.status !== 200) continue;
      const { status, player } = read.json;
      if (status === "waiting") await this.#inGame();
      else if (player === null) await this.#step("asked", () => call("player", { username: "Steve" }));
      else {
        if (status === "accepted") await this.#step("accepted", async () => undefined);
        const end = await this.#step("agreed", () => call("go-on", { uuid: player.uuid }));
        if (end?.status === 200) return this.#back(end.json.location);
      }
    }
    throw new Error("the page has not come to its end");
  }

  async #inGame(): Promise<void> {
    const isShown = (): boolean => steve.form?.body.includes(this.#session.slice(0, 8)) ?? false;
    if (!isShown()) return;
    await this.#step("shown", async () => undefined);
    if (isShown()) steve.answer(ACCEPT);
  }

  /** Goes on to the site, also by loading the page once more. */
  async #back(end: string): Promise<string | undefined> {
    const page =
      (await this.#step("issued", () => this.browser.go(end, "own"))) ?? (await this.browser.go(end, "own"));
    return page.location;
  }

  /** What the site is told for a code, which it tries once more where it hears nothing; undefined: nothing. */
  async #exchange(asked: Asked, location: string) {
    const exchange = async () => {
      try {
        return await sites.back(asked, location);
      } catch (error) {
        if ((error as { error?: string }).error === "invalid_grant") return "used";
        throw error;
      }
    };
    const told = (await this.#step("exchanged", exchange)) ?? (await exchange());
    return told === "used" ? undefined : told;
  }
}

/** The status of `userinfo` for a token. */
async function userinfo({ access_token }: { access_token: string }): Promise<number> {
  const headers = { Authorization: `Bearer ${access_token}` };
  return (await fetch(`${sites.issuer()}/sign-in/userinfo`, { headers })).status;
}

describe("a sign-in during which the service is killed", () => {
  const after = STEPS.map(step => ({ step, when: "after this" }));
  const amid = ANSWERS.flatMap(step =>
    MOMENTS.map(ms => ({ step, ms, when: `${ms} ms after it was asked for` })),
  );

  it.each([...after, ...amid])(
    "goes on, or is begun again, and comes to its end: $step, $when",
    async kill => {
      const visit = new Visit(kill);
      const { asked, location, tokens } = await visit.signIn();
      // Between two steps nothing is lost.
      expect(visit.again).toBeLessThanOrEqual("ms" in kill ? 1 : 0);
      const { uuid } = (await visit.browser.call("/session")).json.player;
      expect(tokens.claims()).toMatchObject({ sub: uuid, name: "Steve" });
      expect(await userinfo(tokens)).toBe(200);
      expect((await visit.browser.call("/session/sites")).json).toMatchObject([{ id: "tea-house" }]);
      await eventually(() => expect(steve.form).toBeUndefined());
      await expect(sites.back(asked, location)).rejects.toMatchObject({ error: "invalid_grant" });
      expect(await userinfo(tokens)).toBe(401);
    },
  );
});
