import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { together } from "../../lab/stand-in/course.ts";
import { coursesOf, type Given } from "../../lab/stand-in/deviations.ts";
import { makeWhatIsMissing } from "../../lab/stand-in/new-world.ts";
import { type StandIn, startStandIn } from "../../lab/stand-in/server.ts";
import { openServer } from "../../owner/bds/folder.ts";
import { askJoin } from "../../owner/bds/join.ts";
import { systemFiles } from "../../owner/bds/system.ts";
import { atEnd, install, makeFolder } from "./process.ts";

// Own connections: plays a service for the script's requests.

/** Tells on the console what it finds, one line for each thing that it is asked. */
const script = (url: string): string => `
  import { system, world } from "@minecraft/server";
  import * as mc from "@minecraft/server";
  import { ActionFormData } from "@minecraft/server-ui";
  import { http, HttpRequest } from "@minecraft/server-net";
  import { dedicatedServer } from "@minecraft/server-admin";
  import * as gametest from "@minecraft/server-gametest";
  const tell = (name, what) => console.warn("fact " + name + ": " + what);
  const seen = [];
  const hear = (name, signal, of) => signal?.subscribe(event => seen.push(name + of(event)));
  const name = ({ player }) => player ? "" : "?";
  hear("before chat", world.beforeEvents.chatSend, ({ targets }) => " " + (targets ? targets.length : "everybody"));
  hear("chat", world.afterEvents.chatSend, () => "");
  hear("health", world.afterEvents.entityHealthChanged, () => "");
  hear("die", world.afterEvents.entityDie, () => "");
  hear("join", world.afterEvents.playerJoin, () => "");
  hear("spawn", world.afterEvents.playerSpawn, name);
  hear("leave", world.afterEvents.playerLeave, () => "");
  world.afterEvents.worldLoad.subscribe(() => console.warn("loaded"));
  system.beforeEvents.shutdown.subscribe(() => console.warn("shutdown"));
  system.beforeEvents.startup.subscribe(({ customCommandRegistry }) => {
    const command = { name: "bridge:status", description: "d", permissionLevel: 0, cheatsRequired: false };
    try { customCommandRegistry.registerCommand(command, () => ({ status: 0, message: "registered" })); }
    catch (error) { console.warn(error.name + " " + error.reason); }
  });
  const ticks = count => new Promise(resolve => system.runTimeout(resolve, count));
  const named = error => [error.name, error.errorCode].filter(part => part !== undefined).join(" ");
  async function send(path, timeout = 20, body = "x", to = ${JSON.stringify(url)}) {
    const request = new HttpRequest(to + path).setMethod("Post").setBody(body).setTimeout(timeout);
    return http.request(request).then(({ status, body }) => status + " " + body.length, named);
  }
  const tried = call => { try { call(); return "done"; } catch (error) { return error.name; } };
  const place = { x: 0, y: 0, z: 0 };
  const spawn = name =>
    gametest.spawnSimulatedPlayer({ dimension: world.getDimension("overworld"), ...place }, name, "Survival");
  const facts = {
    held: () => send("/held"),
    timeout: () => send("/held", 1),
    two: async () => (await Promise.all([send("/count"), send("/count")])).join(", "),
    body: () => send("/body", 20, "b".repeat(100000)),
    answer: () => send("/large"),
    refused: () => send("/", 20, "x", "http://127.0.0.1:1"),
    address: () => send("/anywhere"),
    listTwice: () => {
      const list = dedicatedServer.allowList;
      return ["add", "add", "remove", "remove"].map(what => tried(() => list[what]({ name: "Twice" }))).join(" ");
    },
    listBlank: () => tried(() => dedicatedServer.allowList.add({ name: "Two Words" })),
    property: () => tried(() => world.setDynamicProperty("long", "p".repeat(2000))),
    rate: async () => {
      const [at, tick] = [Date.now(), system.currentTick];
      await ticks(20);
      return (system.currentTick - tick) / ((Date.now() - at) / 1000) > 14 ? "twenty" : "fewer";
    },
    line: () => "l".repeat(400),
    id: async () => {
      const ids = [];
      for (let i = 0; i < 2; i++) {
        const player = spawn("Come Back");
        await ticks(8);
        ids.push(player.persistentId);
        player.disconnect();
        await ticks(4);
      }
      return typeof ids[0] + " " + (ids[0] === ids[1] ? "same" : "other");
    },
    life: async () => {
      seen.length = 0;
      const player = spawn("Bot");
      await ticks(12);
      player.chat("hello");
      await ticks(3);
      player.kill();
      await ticks(3);
      player.disconnect();
      await ticks(70);
      return seen.join(", ");
    },
    form: async () => {
      const player = spawn("Reader");
      await ticks(8);
      const form = new ActionFormData().title("t").button("b").show(player);
      const result = await Promise.race([form.then(() => "answered", error => error.name), ticks(20).then(() => "open")]);
      player.disconnect();
      return result;
    },
  };
  system.afterEvents.scriptEventReceive.subscribe(async ({ id }) => {
    const asked = id.slice("fact:".length);
    const result = await facts[asked]();
    tell(asked, result);
  }, { namespaces: ["fact"] });
`;

/** A stand-in within this process, with a script that can be asked. */
export interface Asked {
  readonly folder: string;
  readonly port: number;
  readonly lines: readonly string[];
  readonly server: StandIn;
  /** Types a line, and waits for one that fits. */
  typed(line: string, pattern: RegExp): Promise<string>;
  /** What the script finds. */
  fact(name: string): Promise<string>;
  join(): Promise<string>;
  file(path: string): string;
}

export async function asked(...deviations: readonly Given[]): Promise<Asked> {
  const { folder, port } = await makeFolder();
  const server = openServer(folder, systemFiles);
  if ("faults" in server) throw new Error(server.faults.join());
  await makeWhatIsMissing(server);
  const url = await service();
  install({ folder }, script(url), { allowed_uris: [`${url}/`, "http://127.0.0.1:1/"] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const running = await startStandIn(folder, together(coursesOf(deviations)), {
    write: text => {
      lines.push(text.trimEnd().replace(/^\[[^\]]*\] /, ""));
      for (const look of waiting) look();
    },
    lanPort: 0,
    crash: () => void lines.push("crashed"),
  });
  atEnd(async () => {
    running.type("stop");
    await running.ended;
  });
  const typed = (line: string, pattern: RegExp): Promise<string> =>
    new Promise(resolve => {
      const since = lines.length;
      const look = (): void => {
        const found = lines.slice(since).find(each => pattern.test(each));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      running.type(line);
    });
  return {
    ...{ folder, port, lines, typed, server: running },
    fact: async name =>
      (await typed(`scriptevent fact:${name}`, new RegExp(`fact ${name}: `))).replace(/^.*?fact \w+: /, ""),
    async join() {
      const told = await askJoin(port, AbortSignal.timeout(5_000));
      return "fault" in told
        ? told.fault
        : Object.values(told.value)
            .filter(each => each !== undefined)
            .join(" ");
    },
    file: path => readFileSync(join(folder, path), "utf8"),
  };
}

/** Answers `/held` late, `/large` with much, and `/count` with how many it has at once. */
async function service(): Promise<string> {
  let atOnce = 0;
  const server = createServer((request, response) => {
    atOnce++;
    request.resume();
    const answer = (): void => {
      const body = request.url === "/large" ? "a".repeat(100_000) : "x".repeat(atOnce);
      atOnce--;
      response.end(request.url === "/held" ? "late" : body);
    };
    if (request.url === "/held") setTimeout(answer, 2_500);
    else if (request.url === "/count") setTimeout(answer, 600);
    else request.on("end", answer);
  });
  await new Promise<void>(resolve => void server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
