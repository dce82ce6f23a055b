import { setByVariable } from "./image.ts";
import type { Target } from "./target.ts";

/** A key of server.properties in lower case, with what the server takes where it is missing. */
export const settingOf = ({ server }: Pick<Target, "server">, key: string, standard: string): string =>
  (server.properties.get(key) || standard).toLowerCase();

export const isOn = (target: Pick<Target, "server">, key: string, standard: boolean): boolean =>
  settingOf(target, key, String(standard)) === "true";

/** The edit of one key, in the place that counts. */
export const set = (target: Target, pair: string): string =>
  setByVariable(target, pair) ?? `set ${pair} in ${target.server.propertiesFile}`;
