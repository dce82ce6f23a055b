import { beforeEach, describe, expect, it } from "@jest/globals";
import type { ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Answer } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { keyOf, keysOf } from "../../../test/helpers/sidecar.ts";
import type { AuditEntry } from "../../features/moderation/audit.ts";

const SCOPES = ["chat:announce", "players:kick"] as const;

const side = serving();
const { pack } = side;
let audit: AuditEntry[];
async function start(): Promise<void> {
  audit = [];
  const env = keysOf(keyOf("moderator", SCOPES), keyOf("other", SCOPES));
  await side.start({ env, audit: { write: async entry => void audit.push(entry) } }, ["Steve"]);
}

const said = ({ status, json }: Answer): unknown[] => [status, json];
const refused = (status: number, error: ServiceErrorCode): unknown[] => [status, errorBody(error)];

describe("an announcement with an Idempotency-Key", () => {
  beforeEach(() => start());
  const announce = (key: string, content = "hi", of = "moderator"): Promise<Answer> =>
    side.ask("/announce", {
      method: "POST",
      headers: { "X-Service-Api-Key": `key of the ${of}`, "Idempotency-Key": key },
      body: { content },
    });
  const done = [200, { status: "announced" }];

  it("is made once, and repeats its response to the same request within an hour", async () => {
    const pending = announce('"one key"');
    await pack.carryOut("done");
    expect(said(await pending)).toEqual(done);
    expect(said(await announce('"one key"'))).toEqual(done);
    const byOther = announce('"one key"', "of another key", "other");
    await pack.carryOut("done");
    expect([said(await byOther), audit.length]).toEqual([done, 2]);
    expect(said(await announce('"one key"', "other"))).toEqual(refused(422, "idempotency_key_reused"));
    side.clock.advance(60 * 60_000);
    await pack.snapshot("Steve");
    const later = announce('"one key"');
    await pack.carryOut("done");
    expect([said(await later), audit.length]).toEqual([done, 3]);
  });

  it("is rejected while the first one is running", async () => {
    const pending = announce("8e03978e-40d5");
    const [action] = await pack.take();
    expect(said(await announce('"8e03978e-40d5"'))).toEqual(refused(409, "idempotency_key_in_use"));
    await pack.report({ is: "outcome", id: action?.id ?? "", do: "chat", status: "done" });
    expect(said(await pending)).toEqual(done);
  });

  it("is made after an attempt without effect, such as without a game server", async () => {
    side.clock.advance(15_000);
    expect(said(await announce("a"))).toEqual(refused(503, "server_unavailable"));
    await pack.snapshot("Steve");
    const pending = announce("a");
    await pack.carryOut("done");
    expect(said(await pending)).toEqual(done);
  });

  it.each(["", '"', '""', "two words", "x".repeat(129), '"\u00fc"'])("is not made with %j", async key => {
    expect(said(await announce(key))).toEqual(refused(400, "invalid_idempotency_key"));
    expect(audit).toEqual([]);
  });
});

it("a thousand answers are stored, and for one more the oldest is forgotten", async () => {
  await start();
  const kick = async (key: number, playerName = "x".repeat(100)): Promise<unknown> =>
    (
      await side.ask("/kick", {
        body: { playerName },
        headers: { "X-Service-Api-Key": "key of the moderator", "Idempotency-Key": `${key}` },
      })
    ).json;
  for (const key of [0, 1]) await kick(key);
  for (let key = 2; key <= 1_000; key += 111)
    await Promise.all(Array.from({ length: 111 }, (_, i) => kick(key + i)));
  const other = "y".repeat(100);
  expect(await kick(1, other)).toMatchObject({ error: "idempotency_key_reused" });
  expect(await kick(0, other)).toMatchObject({ error: "player_offline" });
});
