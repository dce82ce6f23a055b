import { createHash, randomBytes } from "node:crypto";
import type { PlayerRef } from "../../../shared/actions.ts";
import { freePort } from "../../scale/free-port.ts";
import { type Bench, NO_TARGET, PLAYERS } from "../bench.ts";
import { median } from "../numbers.ts";
import { snapshot } from "../pack.ts";
import { SITE, type SidecarProcess, signInAt, startSidecarProcess, UNDISTURBED } from "../sidecar.ts";
import { Teller } from "../teller.ts";

const ROUNDS = 60;
/** Those at the beginning, in which V8 gets to know the code. */
const WARM_UP = 20;

/** A browser, as far as it keeps cookies. */
class Visitor {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  constructor(base: string) {
    this.#base = base;
  }

  /** Asks by GET, or with a body by POST; the answer has been read. @throws where it is an error */
  async ask(path: string, body?: object): Promise<{ json: Record<string, unknown>; location: string }> {
    const url = new URL(path, this.#base);
    const answer = await fetch(url, {
      redirect: "manual",
      headers: {
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body && { Origin: this.#base, "Content-Type": "application/json" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${url.pathname}: ${answer.status} ${text}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return { json: isJson ? JSON.parse(text) : {}, location: answer.headers.get("location") ?? "" };
  }
}

export const signIn: Bench = {
  name: "sign-in",
  about: `CPU of the sidecar for a whole sign-in to another site: from that to the page, the form in the game, and back with a code for which it gets its tokens; against a link alone; ${ROUNDS} players after the first ${WARM_UP}`,
  async run(say) {
    const port = await freePort();
    const sidecar = await startSidecarProcess({
      ...UNDISTURBED,
      ...signInAt(port),
      WEB_BRIDGE_MODULES_API_PORT: `${port}`,
    });
    const game = await Teller.connect(sidecar.bridge);
    const facts = snapshot(PLAYERS, 0);
    await game.tell(facts);
    const players = facts.flatMap(fact => (fact.is === "snapshot" ? fact.rows.map(row => row.player) : []));
    const [whole, links]: [number[], number[]] = [[], []];
    for (const [i, player] of players.slice(0, WARM_UP + ROUNDS).entries()) {
      const cost = [await used(sidecar, () => wholeSignIn(sidecar.base, game, player))];
      cost.push(await used(sidecar, () => linkAlone(sidecar.base, game, player)));
      if (i < WARM_UP) continue;
      whole.push(cost[0] ?? 0);
      links.push(cost[1] ?? 0);
      if (whole.length % 20 === 0) say(`${whole.length} of ${ROUNDS} players`);
    }
    const [ms, linkMs] = [median(whole), median(links)];
    return {
      figure: `${ms.toFixed(1)} ms`,
      target: NO_TARGET,
      reference: `a link ${linkMs.toFixed(1)} ms`,
      ok: true,
      values: { milliseconds: ms, linkMilliseconds: linkMs },
    };
  },
};

/** CPU of the sidecar for this, in milliseconds. */
async function used({ cpu }: SidecarProcess, what: () => Promise<unknown>): Promise<number> {
  const before = await cpu();
  await what();
  return ((await cpu()) - before) / 1_000;
}

/** Has the game open the form that was asked for, and its player accept. */
async function accepted(game: Teller, player: PlayerRef, asked: Promise<unknown>): Promise<void> {
  for (;;) {
    const delivery = await game.tell([]);
    const form = delivery.actions.find(({ body }) => body.do === "link-open");
    await game.act(delivery, player);
    if (form === undefined) continue;
    await asked;
    await game.tell([{ is: "answered", request: form.id, accepted: true }]);
    return;
  }
}

async function linkAlone(base: string, game: Teller, player: PlayerRef): Promise<void> {
  const visitor = new Visitor(base);
  await visitor.ask("/initialize");
  await accepted(game, player, visitor.ask("/link-player", { username: player.name }));
  await visitor.ask("/session");
}

async function wholeSignIn(base: string, game: Teller, player: PlayerRef): Promise<void> {
  const visitor = new Visitor(base);
  const verifier = randomBytes(32).toString("base64url");
  const [back = ""] = SITE["redirect-uris"];
  const client = { client_id: SITE.id, redirect_uri: back };
  const asks = new URLSearchParams({
    ...client,
    ...{ response_type: "code", scope: "openid profile", state: "state", nonce: "nonce" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const page = new URL((await visitor.ask(`/sign-in/authorize?${asks}`)).location, base).pathname;
  await visitor.ask(page);
  await visitor.ask("/initialize");
  await accepted(game, player, visitor.ask(`${page}/player`, { username: player.name }));
  const { json } = await visitor.ask(`${page}/state`);
  const { uuid } = json.player as { uuid: string };
  const { location } = (await visitor.ask(`${page}/go-on`, { uuid })).json;
  const end = new URL((await visitor.ask(`${location}`)).location);
  const code = end.searchParams.get("code") ?? "";
  const grant = { ...client, grant_type: "authorization_code", code, code_verifier: verifier };
  const answer = await fetch(`${base}/sign-in/token`, { method: "POST", body: new URLSearchParams(grant) });
  const { access_token } = (await answer.json()) as { access_token?: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  const told = await (await fetch(`${base}/sign-in/userinfo`, { headers })).text();
  if (!told.includes(player.name)) throw new Error(`the site was told ${told}`);
}
