import type { Fact } from "../../../shared/facts.ts";
import { PATHS } from "../../../shared/frames.ts";
import type { FactsFrame, Hello, Poll } from "../../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../../shared/version.ts";
import { damaged, oddCopy } from "../damage.ts";
import type { Dice } from "../dice.ts";
import type { Input, Target } from "../input.ts";
import { requestText } from "../request.ts";

const player = { id: "-7", persistentId: "p-7", name: "Steve" };
const row = { player, health: 20, deaths: 0, playerKills: 0, playtimeSeconds: 1 };
const FACTS: [Fact, ...Fact[]] = [
  { is: "joined", row },
  { is: "left", id: "-7" },
  { is: "said", name: "§bSteve", text: "hello §kthere" },
  { is: "answered", request: "00000000-0000-4000-8000-000000000000", accepted: true },
  { is: "unlinked-by-player", player },
  { is: "snapshot", tps: 20, part: 0, parts: 1, rows: [row] },
  { is: "names", id: "x", names: ["Steve"] },
  { is: "outcome", id: "x", status: "done", player },
  { is: "outcome", id: "x", do: "link-open", status: "done", player },
];

/** A hello of the run that plays along, which keeps its session: one of another run would take its place. */
function helloBody(dice: Dice, { run }: Target): unknown {
  const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
  const sound: Hello = { ...versions, run, firstFact: 1 };
  const odd = oddCopy(sound, dice);
  return typeof odd === "object" && !Array.isArray(odd) ? { ...odd, run: dice.pick([run, run, 7, ""]) } : odd;
}

/** The session of a poll is one that is not there: a poll of the real one would be held open. */
const pollOf = (dice: Dice): Poll => ({ session: "nobody", after: dice.below(9) });

const factsOf = (dice: Dice, session: string): FactsFrame => ({
  session: dice.happens(0.9) ? session : "nobody",
  after: 0,
  first: dice.pick([1, 2, 1_000, 2 ** 40]) + dice.below(1_000_000),
  facts: Array.from({ length: dice.below(4) }, () => dice.pick(FACTS)),
});

function body(dice: Dice, target: Target): [path: string, json: Buffer] {
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? "");
  if (dice.happens(0.1)) return [PATHS.hello, json(helloBody(dice, target))];
  const [path, sound] = dice.happens(0.1)
    ? ([PATHS.poll, pollOf(dice)] as const)
    : ([PATHS.facts, factsOf(dice, target.session())] as const);
  const bytes = json(dice.happens(0.2) ? sound : oddCopy(sound, dice));
  return [path, dice.happens(0.2) ? damaged(bytes, dice) : bytes];
}

/** One request to the bridge listener, nearly always with the token: what comes without it goes no further. */
export function bridgeInput(dice: Dice, target: Target): Input {
  const [path, bytes] = body(dice, target);
  const token = dice.happens(0.95) ? target.token : dice.pick(["", "Bearer", "wrong", "\xff"]);
  const headers = { "Content-Type": "application/json", Authorization: token };
  const to = dice.happens(0.05) ? dice.pick(["/metrics", "/", "/bridge", "/bridge/hello/"]) : path;
  const whole = requestText(dice.happens(0.95) ? "POST" : "GET", to, headers, bytes);
  if (dice.happens(0.85)) return { door: "bridge", kind: "message", pieces: [whole], isWhole: true };
  return { door: "bridge", kind: "damaged message", pieces: [damaged(whole, dice)], isWhole: false };
}
