import { act } from "./acts.ts";
import { asRead } from "./client.ts";
import type { FormContent, Host } from "./guest/host.ts";
import type { SimulatedHttp } from "./http.ts";
import type { LogLevel } from "./types.ts";
import type { World } from "./world.ts";

const MS_PER_TICK = 50;

interface HostParts {
  readonly world: World;
  readonly http: SimulatedHttp;
  readonly secretNames: readonly string[];
  /** Values of the secrets, first those of the configuration; the script can add more. */
  readonly secrets: string[];
  readonly log: (level: LogLevel, line: string) => void;
  readonly fatal: (reason: string) => void;
}

/** What native code does in the real game, outside the script: log, chat on screens, saved data, requests. */
export const NATIVE: ReadonlySet<string> = new Set<keyof Host>([
  "log",
  "message",
  "said",
  "property",
  "request",
  "cancelRequests",
]);

/** The functions that the script API calls from the VM. */
export function makeHost({ world, http, secretNames, secrets, log, fatal }: HostParts): Host {
  return {
    log: (level, text) => log(level === "error" || level === "warn" ? level : "info", text),
    fatal,
    message: (playerId, text) => world.show(playerId, text),
    said: (playerId, text, targets) =>
      world.showTyped(playerId, text, targets === "" ? undefined : JSON.parse(targets)),
    setPlayer(playerId, field, json) {
      const player = world.byId(playerId);
      if (
        player &&
        (field === "chatNamePrefix" || field === "chatNameSuffix" || field === "chatMessagePrefix")
      )
        player[field] = json === "" ? undefined : JSON.parse(json);
    },
    location: entityId => JSON.stringify(world.byId(entityId)?.position ?? { x: 0, y: 0, z: 0 }),
    property(id, json) {
      if (json === "") world.dynamicProperties.delete(id);
      else world.dynamicProperties.set(id, JSON.parse(json));
    },
    showForm(playerId, formId, json) {
      const player = world.byId(playerId);
      const content: FormContent = JSON.parse(json, (_key, value) =>
        typeof value === "string" ? asRead(value) : value,
      );
      if (player?.show({ ...content, id: formId })) return -1;
      return Math.floor((player?.ping ?? 0) / MS_PER_TICK);
    },
    closeForms(playerId) {
      const player = world.byId(playerId);
      if (player?.form) player.closeForm();
    },
    request: (json, body) => http.request(json, body),
    cancelRequests: reason => http.cancelAll(reason),
    secret: name => secretNames.indexOf(name),
    makeSecret: value => secrets.push(value) - 1,
    allowList: (operation, json) => world.allowList.operate(operation, json),
    act: (playerId, json) => JSON.stringify(act(world, playerId, JSON.parse(json))),
    elapsed: () => performance.now(),
  };
}
