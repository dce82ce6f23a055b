import { afterEach, describe, expect, it } from "@jest/globals";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import type { AuditEntry } from "../../sidecar/features/moderation/audit.ts";
import { TestBridge } from "../helpers/bridge.ts";
import type { Answer } from "../helpers/client.ts";
import { MODERATOR_KEY, moderators } from "../helpers/sidecar.ts";

let bridge: TestBridge;
let audit: AuditEntry[];
afterEach(() => bridge.stop());

async function begin(game?: Partial<SimulatorOptions>): Promise<void> {
  audit = [];
  bridge = await TestBridge.start(
    ["Steve", 'Ari "V" Vale'],
    {
      env: moderators(),
      audit: { write: async entry => void audit.push(entry) },
    },
    game,
  );
}
const post = (path: string, body: object): Promise<Answer> =>
  bridge.ask(path, { headers: { "X-Service-Api-Key": MODERATOR_KEY }, body });
const done = async (path: string, body: object): Promise<unknown[]> => {
  const { status, json } = await bridge.during(post(path, body));
  return [status, json];
};
const online = async (): Promise<string[]> =>
  ((await bridge.ask("/players")).json as { name: string }[]).map(({ name }) => name);

describe("a kick", () => {
  it("sends away the player of exactly this name, who reads the reason, and is gone from the list by then", async () => {
    await begin();
    const [steve, ari] = [bridge.player("Steve"), bridge.player('Ari "V" Vale')];
    expect(await done("/kick", { playerName: "steve" })).toEqual([422, { error: "player_offline" }]);
    expect(await done("/kick", { playerName: 'Ari "V" Vale', reason: "§cbe\n %gui.accept" })).toEqual([
      200,
      { status: "kicked" },
    ]);
    expect([ari.online, ari.sentAway?.reason?.replaceAll("§r", "")]).toEqual([false, "be %gui.accept"]);
    expect(await online()).toEqual(["Steve"]);
    expect(await done("/kick", { playerName: "Steve" })).toEqual([200, { status: "kicked" }]);
    expect(steve.sentAway).toEqual({ reason: undefined });
    expect(await online()).toEqual([]);
    expect(audit.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["steve", "player_offline"],
      ['Ari "V" Vale', "kicked"],
      ["Steve", "kicked"],
    ]);
  });
});
