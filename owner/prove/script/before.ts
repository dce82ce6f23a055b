import type { CustomCommandRegistry, Entity, Player } from "@minecraft/server";
import { admin, mc, net, ui } from "../../../behavior_pack/game/modules.ts";
import { tried } from "./failure.ts";

const { system, world } = mc;

/** One thing that has happened, as it was told. */
interface Noted {
  readonly is: string;
  readonly tick: number;
  readonly [key: string]: string | number | boolean;
}

const MOST = 400;
const noted: Noted[] = [];
let dropped = 0;

/** Notes what happens, for the probes to ask. */
export function note(is: string, what: Readonly<Record<string, string | number | boolean>> = {}): void {
  noted.push({ is, tick: system.currentTick, ...what });
  if (noted.length <= MOST) return;
  noted.shift();
  dropped++;
}

/** What has happened from the place `since` on, with the place to go on from. */
export const notedSince = (since: number): { next: number; noted: Noted[] } => ({
  next: dropped + noted.length,
  noted: noted.slice(Math.max(0, since - dropped)),
});

/** Events that this game does not let anybody subscribe to. */
export const unheard: string[] = [];

function hear(name: string, subscribe: () => unknown): void {
  if ("failure" in tried(subscribe)) unheard.push(name);
}

const nameOf = (entity: Entity | undefined): string => {
  const read = tried(() => (entity as Player | undefined)?.name);
  return "value" in read && typeof read.value === "string" ? read.value : "";
};

/** A line that begins so is cancelled, as another pack could. */
const CANCELLED = "cancelled ";

interface Line {
  readonly message: string;
  readonly sender: Player;
  readonly targets?: readonly Player[] | undefined;
}
const lineOf = ({ message, sender, targets }: Line) => ({
  text: message,
  name: nameOf(sender),
  targets: targets === undefined ? "undefined" : targets.length,
});

hear("startup", () =>
  system.beforeEvents.startup.subscribe(({ customCommandRegistry: registry }) => {
    note("startup");
    const types = tried(() => registerOwn(registry));
    if ("failure" in types) unheard.push(`registerCommand: ${types.failure.name}`);
  }),
);
hear("worldLoad", () =>
  world.afterEvents.worldLoad.subscribe(() => {
    note("worldLoad");
    // Not to be had before.
    hear("asyncPlayerJoin", () =>
      admin.beforeEvents.asyncPlayerJoin.subscribe(async ({ name }) => note("asked", { name })),
    );
  }),
);
hear("shutdown", () =>
  system.beforeEvents.shutdown.subscribe(() => {
    world.setDynamicProperty("prove:shutdown", String(world.getDynamicProperty("prove:before") ?? "unasked"));
    system.run(() => world.setDynamicProperty("prove:after", "ran"));
    void Promise.resolve().then(() => world.setDynamicProperty("prove:promise", "ran"));
  }),
);
hear("beforeEvents.chatSend", () =>
  world.beforeEvents.chatSend.subscribe(event => {
    note("before-chat", { ...lineOf(event), mode: modeNow() });
    if (event.message.startsWith(CANCELLED)) event.cancel = true;
  }),
);
hear("chatSend", () => world.afterEvents.chatSend.subscribe(event => note("chat", lineOf(event))));
hear("playerJoin", () =>
  world.afterEvents.playerJoin.subscribe(({ playerId, playerName }) =>
    note("join", { id: playerId, name: playerName, listed: isListed(playerId) }),
  ),
);
hear("playerSpawn", () =>
  world.afterEvents.playerSpawn.subscribe(({ player, initialSpawn }) =>
    note("spawn", { name: nameOf(player), initial: initialSpawn }),
  ),
);
hear("playerLeave", () =>
  world.afterEvents.playerLeave.subscribe(({ playerId, playerName }) =>
    note("leave", { id: playerId, name: playerName, listed: isListed(playerId) }),
  ),
);
hear("beforeEvents.playerLeave", () =>
  world.beforeEvents.playerLeave.subscribe(({ player }) => note("before-leave", { name: nameOf(player) })),
);
hear("entityDie", () =>
  world.afterEvents.entityDie.subscribe(
    ({ deadEntity, damageSource: { cause, damagingEntity, damagingProjectile } }) =>
      note("die", {
        name: nameOf(deadEntity),
        cause: String(cause),
        by: nameOf(damagingEntity),
        isProjectile: damagingProjectile !== undefined,
        health: healthOf(deadEntity),
      }),
    { entityTypes: ["minecraft:player"] },
  ),
);
hear("entityHealthChanged", () =>
  world.afterEvents.entityHealthChanged.subscribe(({ entity, newValue }) =>
    note("health", { name: nameOf(entity), health: newValue }),
  ),
);

function isListed(id: string): boolean {
  const all = tried(() => world.getAllPlayers().some(player => player?.id === id));
  return "value" in all && all.value === true;
}

function healthOf(entity: Entity | undefined): number | string {
  const read = tried(() => entity?.getComponent("minecraft:health")?.currentValue);
  if ("failure" in read) return read.failure.name;
  return typeof read.value === "number" ? read.value : "none";
}

/** In which mode calls are at the moment, by what the game refuses. */
export function modeNow(): string {
  const made = tried(() => new ui.ActionFormData());
  if ("failure" in made) return `early: ${made.failure.name}: ${made.failure.message}`;
  const moved = tried(() => world.afterEvents.worldLoad.unsubscribe(() => undefined));
  return "failure" in moved ? `restricted: ${moved.failure.name}: ${moved.failure.message}` : "normal";
}

/** Commands whose parameters and mode the probes ask of the console, in the one namespace that a pack may have. */
function registerOwn(registry: CustomCommandRegistry): void {
  registry.registerCommand(
    {
      name: "bridge:prove_said",
      description: "Asked by the trial",
      permissionLevel: mc.CommandPermissionLevel.Owner,
      cheatsRequired: false,
      mandatoryParameters: [{ name: "text", type: mc.CustomCommandParamType.String }],
      optionalParameters: [{ name: "more", type: mc.CustomCommandParamType.String }],
    },
    (origin, ...given: unknown[]) => {
      const args = given.map(each => (each === undefined ? "undefined" : JSON.stringify(each))).join(" ");
      note("command", { args, count: given.length, mode: modeNow(), source: String(origin.sourceType) });
      return { status: 0, message: `prove said ${args}` };
    },
  );
}

/** What the game says to calls while the script loads. */
export const early: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "system.currentTick": () => system.currentTick,
    "variables.get": () => admin.variables.get("bridge-url"),
    "secrets.get": () => admin.secrets.get("bridge-token"),
    "system.run": () => system.run(() => note("run-of-load")),
    "world.getAllPlayers": () => world.getAllPlayers(),
    "world.getDynamicProperty": () => world.getDynamicProperty("prove:early"),
    "new HttpRequest": () => new net.HttpRequest("http://127.0.0.1"),
    "new ActionFormData": () => new ui.ActionFormData(),
    "dedicatedServer.allowList": () => admin.dedicatedServer?.allowList.entries,
  }).map(([name, call]) => {
    const result = tried(call);
    return [name, "failure" in result ? `${result.failure.name}: ${result.failure.message}` : "done"];
  }),
);
note("load");
void Promise.resolve().then(() => note("promise-of-load", { mode: modeNow() }));

/** Time in milliseconds: to the microsecond where the engine tells it so. */
export const clock = (): number => (typeof __date_clock === "function" ? __date_clock() / 1000 : Date.now());

let begunAt = 0;
export const pace = { ticks: 0, packMs: 0, mostMs: 0, firstAt: 0, lastAt: 0, firstTick: 0, lastTick: 0 };

/** From before the pack's own part of a tick to behind it, as timers run in the order in which they were asked for. */
export function behindPack(): void {
  const ms = clock() - begunAt;
  pace.ticks++;
  pace.packMs += ms;
  pace.mostMs = Math.max(pace.mostMs, ms);
}

system.runInterval(() => {
  begunAt = clock();
  pace.lastAt = Date.now();
  pace.lastTick = system.currentTick;
  if (pace.firstAt !== 0) return;
  pace.firstAt = pace.lastAt;
  pace.firstTick = pace.lastTick;
}, 1);
