import { type CollectionTag, parse, YAMLSeq } from "yaml";
import { recipe } from "./front.ts";

/** The parts of a service in a composition that these tests use. */
interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  extends?: { file: string; service: string };
  profiles?: string[];
  user?: string;
  env_file?: { path: string; required: boolean }[];
  environment?: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  ports?: string[];
  network_mode?: string;
  volumes?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
}

/** Removes a list of the previous file; its value is not used. */
const RESET: CollectionTag = { tag: "!reset", collection: "seq", resolve: () => new YAMLSeq() };

/**
 * The services of a composition by name, with what they extend from those of another file. `over`: a file that is
 * named after the first one, and overrides it.
 */
export function servicesOf(file = "docker/compose.yml", over?: string): Record<string, Service> {
  const options = { merge: true, customTags: [RESET] };
  const { services }: { services: Record<string, Service> } = parse(recipe(file), options);
  const below = over === undefined ? {} : servicesOf(over);
  return Object.fromEntries(
    Object.entries(services).map(([name, { extends: from, ...own }]) => {
      const base = from === undefined ? undefined : servicesOf(`docker/${from.file}`)[from.service];
      const top = below[name];
      const environment = { ...base?.environment, ...own.environment, ...top?.environment };
      return [name, { ...base, ...own, ...top, environment }];
    }),
  );
}

interface ComposeInput {
  /** variables of .env, or of the shell */
  values?: Record<string, string>;
  /** texts of the files in `env_file`, by name */
  files?: Record<string, Record<string, string>>;
}

const filled = (text: string, values: Record<string, string> = {}): string =>
  text.replace(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_all, key: string, standard = "") => values[key] ?? standard,
  );

/** The published ports of a service. */
export const portsOf = ({ ports = [] }: Service = {}, { values }: ComposeInput = {}): string[] =>
  ports.map(port => filled(port, values));

/** The environment of a service. */
export function environmentOf(
  { env_file = [], environment = {} }: Service = {},
  { values, files = {} }: ComposeInput = {},
): Record<string, string> {
  const own = Object.entries(environment).map(([name, value]) => [name, filled(value, values)]);
  return Object.assign({}, ...env_file.map(({ path }) => files[path] ?? {}), Object.fromEntries(own));
}
