import { parse } from "yaml";
import { recipe } from "./front.ts";

/** A service of a composition, as far as these tests look at it. */
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
  volumes?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
}

/** The services of a composition by their names, with what they take from those of another file. */
export function servicesOf(file = "docker/compose.yml"): Record<string, Service> {
  const { services }: { services: Record<string, Service> } = parse(recipe(file), { merge: true });
  return Object.fromEntries(
    Object.entries(services).map(([name, { extends: from, ...own }]) => {
      const base = from === undefined ? undefined : servicesOf(`docker/${from.file}`)[from.service];
      return [name, { ...base, ...own, environment: { ...base?.environment, ...own.environment } }];
    }),
  );
}

interface Given {
  /** what stands in .env, or in the shell */
  values?: Record<string, string>;
  /** what stands in the files of `env_file`, by their names */
  files?: Record<string, Record<string, string>>;
}

/** The variables that a service is started with. */
export function environmentOf(
  { env_file = [], environment = {} }: Service = {},
  { values = {}, files = {} }: Given = {},
): Record<string, string> {
  const own = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace(
      /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
      (_all, key: string, standard = "") => values[key] ?? standard,
    ),
  ]);
  return Object.assign({}, ...env_file.map(({ path }) => files[path] ?? {}), Object.fromEntries(own));
}
