import { expect } from "@jest/globals";
import { type Answer, ask, newSession } from "../helpers/client.ts";
import { type FakePack, row } from "../helpers/fake-pack.ts";
import type { TestSidecar } from "../helpers/sidecar.ts";

export const held = ({ status, json, headers }: Answer) => [status, json, headers.get("retry-after")];
export const refusal = (seconds: number) => [429, { error: "rate_limited" }, String(seconds)];

/** Browsers that ask Steve and Alex, and what the game makes of it; `of`: the sidecar and its pack as they are at the moment. */
export function createAsking(of: () => { side: TestSidecar; pack: FakePack }) {
  const session = async (): Promise<string> => (await newSession(of().side.base)).cookie;
  const link = (cookie: string, username = "Steve", address = "192.0.2.1"): Promise<Answer> =>
    ask(of().side.base, "/link-player", {
      cookie,
      body: { username },
      headers: { "X-Forwarded-For": address },
    });
  const status = async (cookie: string): Promise<unknown> =>
    (await ask(of().side.base, "/linked-player", { cookie })).json;
  /** Asks, and the request reaches the player; its id. */
  async function opened(cookie: string, username = "Steve", address?: string): Promise<string> {
    const asked = link(cookie, username, address);
    const { id } = await of().pack.carryOut("done", { player: row(username).player });
    expect((await asked).status).toBe(202);
    return id;
  }

  async function answered(accepted: boolean, ...asking: Parameters<typeof opened>): Promise<void> {
    await of().pack.report({ is: "answered", request: await opened(...asking), accepted });
  }

  /** Time passes, and the game goes on reporting. */
  async function later(ms: number): Promise<void> {
    of().side.clock.advance(ms);
    await of().pack.snapshot("Steve", "Alex");
  }

  /** What the game has been asked that it has not taken. */
  async function asked(): Promise<string[]> {
    const { body } = await of().pack.snapshot("Steve", "Alex");
    return body.actions.map(({ body }) => body.do);
  }

  return { session, link, status, opened, answered, later, asked };
}
