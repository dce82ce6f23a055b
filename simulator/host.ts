import { asRead } from "./client.ts";
import type { FormContent, Host } from "./guest/host.ts";
import type { SimulatedHttp } from "./http.ts";
import type { LogLevel } from "./types.ts";
import type { World } from "./world.ts";

const MS_PER_TICK = 50;

export interface HostParts {
  readonly world: World;
  readonly http: SimulatedHttp;
  readonly secretNames: readonly string[];
  /** Texts of the secrets, those from the configuration first; the script can add more. */
  readonly secrets: string[];
  readonly now: () => number;
  readonly log: (level: LogLevel, line: string) => void;
  readonly fatal: (reason: string) => void;
}

/**
 * The functions the script API in the VM calls. What is native code in the game and none of the script's (sending
 * requests, drawing chat on every screen, writing the log) is timed: `native` gets its milliseconds.
 */
export function makeHost(
  { world, http, secretNames, secrets, now, log, fatal }: HostParts,
  native: (ms: number) => void,
): Host {
  const timed =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      const begun = performance.now();
      const result = call(...args);
      native(performance.now() - begun);
      return result;
    };
  return {
    log: timed((level: string, text: string) =>
      log(level === "error" || level === "warn" ? level : "info", text),
    ),
    fatal,
    message: timed((playerId: string, text: string) => world.show(playerId, text)),
    said: timed((playerId: string, text: string, targets: string) =>
      world.showTyped(playerId, text, targets === "" ? undefined : JSON.parse(targets)),
    ),
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
      const content: FormContent = JSON.parse(json, (_key, held) =>
        typeof held === "string" ? asRead(held) : held,
      );
      if (player?.show({ ...content, id: formId })) return -1;
      return Math.floor((player?.ping ?? 0) / MS_PER_TICK);
    },
    closeForms(playerId) {
      const player = world.byId(playerId);
      if (player?.form) player.closeForm();
    },
    request: timed((json: string) => http.request(json)),
    cancelRequests: timed((reason: string) => http.cancelAll(reason)),
    secret: name => secretNames.indexOf(name),
    makeSecret: value => secrets.push(value) - 1,
    allowList: (operation, json) => world.allowList.operate(operation, json),
    now,
    elapsed: () => performance.now(),
  };
}
