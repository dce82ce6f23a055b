import type { FormContent, Host } from "./guest/host.ts";
import type { SimulatedHttp } from "./http.ts";
import type { LogLevel } from "./types.ts";
import type { World } from "./world.ts";

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

/** The functions the script API in the VM calls. */
export function makeHost({ world, http, secretNames, secrets, now, log, fatal }: HostParts): Host {
  return {
    log: (level, text) => log(level === "error" || level === "warn" ? level : "info", text),
    fatal,
    message: (playerId, text) => world.show(playerId, text),
    said: (playerId, text, targets) =>
      world.showTyped(playerId, text, targets === "" ? undefined : JSON.parse(targets)),
    setPlayer(playerId, field, json) {
      if (field !== "namePrefix" && field !== "nameSuffix" && field !== "messagePrefix") return;
      world.byId(playerId)?.setText(field, json === "" ? undefined : JSON.parse(json));
    },
    location: entityId => JSON.stringify(world.byId(entityId)?.position ?? { x: 0, y: 0, z: 0 }),
    property(id, json) {
      if (json === "") world.dynamicProperties.delete(id);
      else world.dynamicProperties.set(id, JSON.parse(json));
    },
    showForm(playerId, formId, json) {
      const content: FormContent = JSON.parse(json);
      return world.byId(playerId)?.show({ ...content, id: formId }) ?? false;
    },
    closeForms(playerId) {
      const player = world.byId(playerId);
      if (player?.form) player.closeForm();
    },
    request: json => http.request(json),
    cancelRequests: reason => http.cancelAll(reason),
    secret: name => secretNames.indexOf(name),
    makeSecret: value => secrets.push(value) - 1,
    allowList: (operation, json) => world.allowList.operate(operation, json),
    now,
    elapsed: () => performance.now(),
  };
}
