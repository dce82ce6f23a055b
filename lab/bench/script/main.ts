// The least that a script can do for the same to happen: the calls of the pack, in the same ticks, and nothing else. It knows no
// fault, no limit and no player who leaves, checks nothing that it is answered, and counts no deaths. Bundled into
// dist/tools/script.js.
import { type Player, system, world } from "@minecraft/server";
import { secrets, variables } from "@minecraft/server-admin";
import { HttpRequest, HttpRequestMethod, http } from "@minecraft/server-net";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../../shared/version.ts";

const SNAPSHOT_TICKS = 100;
const PLAYERS_PER_TICK = 10;
const PLAYERS_PER_PART = 25;
/** Each of a hundred players once in 400 ticks. */
const STORE_EVERY = 4;

interface Delivery {
  actions: { seq: number; id: string; body: { do: string; text: string } }[];
}

let session = "";
let after = 0;
let first = 1;
let sending = false;
let facts: string[] = [];
/** what may ride with other facts */
let outcomes: string[] = [];

// Promises without `async`, which costs the engine more.
function post(path: string, body: string, use: (answer: string) => void): void {
  const request = new HttpRequest(variables.get("bridge-url") + path);
  request.setMethod(HttpRequestMethod.Post);
  request.addHeader("Content-Type", "application/json");
  const token = secrets.get("bridge-token");
  if (token !== undefined) request.addHeader("Authorization", token);
  request.setBody(body);
  request.setTimeout(30);
  void http.request(request).then(response => use(response.body));
}

function take(answer: string): void {
  const { actions }: Delivery = JSON.parse(answer);
  for (const { seq, id, body } of actions) {
    if (seq <= after) continue;
    after = seq;
    world.sendMessage({ rawtext: [{ text: body.text }] });
    outcomes.push(`{"is":"outcome","id":"${id}","do":"${body.do}","status":"done"}`);
  }
}

function poll(): void {
  post("/bridge/poll", `{"session":"${session}","after":${after}}`, answer => {
    take(answer);
    poll();
  });
}

function send(): void {
  if (sending || facts.length === 0 || session === "") return;
  sending = true;
  const all = [...facts, ...outcomes];
  [facts, outcomes] = [[], []];
  const head = `{"session":"${session}","after":${after},"first":${first},"facts":[`;
  post("/bridge/facts", `${head}${all.join(",")}]}`, answer => {
    sending = false;
    first += all.length;
    take(answer);
    send();
  });
}

const playerJson = ({ id, name }: Player): string => `{"id":"${id}","persistentId":"","name":"${name}"}`;

let tick = 0;
let reading: Player[] = [];
let read = 0;
let rows: string[] = [];

function readPlayers(): void {
  if (tick++ % SNAPSHOT_TICKS === 0) {
    reading = world.getAllPlayers();
    read = 0;
    rows = [];
  }
  if (read === reading.length) return;
  for (const player of reading.slice(read, read + PLAYERS_PER_TICK)) {
    const health = Math.round(player.getComponent("minecraft:health")?.currentValue ?? 0);
    const figures = `"deaths":0,"playerKills":0,"playtimeSeconds":${tick}`;
    rows.push(`{"player":${playerJson(player)},"health":${health},${figures}}`);
    if (read++ % STORE_EVERY === 0) world.setDynamicProperty(`bare:${player.id}`, `{${figures}}`);
  }
  if (read < reading.length) return;
  const parts = Math.ceil(rows.length / PLAYERS_PER_PART);
  for (let part = 0; part < parts; part++) {
    const own = rows.slice(part * PLAYERS_PER_PART, (part + 1) * PLAYERS_PER_PART);
    facts.push(`{"is":"snapshot","tps":20,"part":${part},"parts":${parts},"rows":[${own.join(",")}]}`);
  }
}

world.afterEvents.chatSend.subscribe(({ sender, message }) => {
  const [name, text] = [JSON.stringify(sender.name), JSON.stringify(message)];
  facts.push(`{"is":"said","player":${playerJson(sender)},"name":${name},"text":${text}}`);
  send();
});

world.afterEvents.worldLoad.subscribe(() => {
  const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
  post("/bridge/hello", JSON.stringify({ ...versions, run: "bare", firstFact: 1 }), answer => {
    ({ session } = JSON.parse(answer) as { session: string });
    poll();
  });
  system.runInterval(() => {
    readPlayers();
    send();
  });
});
