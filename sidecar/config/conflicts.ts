import { type Config, SETTINGS } from "./settings.ts";

/** Faults of settings that are valid one by one, one line each. */
export const conflictsIn = (config: Config): string[] => [
  ...samePort(config),
  ...missingSettings(config),
  ...serverConflicts(config),
];

/** Two listeners cannot share a port, unless each has its own address. */
function samePort({ bridge, modules: { api } }: Config): string[] {
  const hosts = [bridge.host, api.host];
  if (bridge.port === 0 || bridge.port !== api.port) return [];
  if (bridge.host !== api.host && !hosts.includes("0.0.0.0") && !hosts.includes("::")) return [];
  return [`bridge.port: ${bridge.port}: expected a port other than that of modules.api.port`];
}

/** Blank settings that another setting needs. */
function missingSettings({ storage, signIn }: Config): string[] {
  const faults: string[] = [];
  const need = (key: string, what: string): void => void faults.push(`${key}: blank: expected ${what}`);
  if (storage.kind === "redis" && storage.url === "")
    need("storage.url", `${SETTINGS.storage.url.expected}, since storage.kind is redis`);
  if ((storage.clientCert === "") !== (storage.clientKey === ""))
    need(
      storage.clientCert === "" ? "storage.client-cert" : "storage.client-key",
      "the path of a file: a certificate needs its key, and a key its certificate",
    );
  if (signIn.enabled && signIn.issuer === "")
    need("sign-in.issuer", `${SETTINGS.signIn.issuer.expected}, since sign-in.enabled is true`);
  return faults;
}

/** Names and tokens that several game servers have, and keys for servers that do not exist. */
function serverConflicts({ bridge, modules, server, servers }: Config): string[] {
  const names = [server.name, ...servers.map(({ name }) => name)];
  const repeated = servers.flatMap(({ name, token }, i) => [
    ...(name === server.name
      ? [
          `servers[${i}].name: "${name}": expected a name other than server.name, that of the first game server`,
        ]
      : []),
    ...(token !== "" && token === bridge.token
      ? [
          `servers[${i}].token: (hidden): expected a token other than bridge.token, that of the first game server`,
        ]
      : []),
  ]);
  const unknownIn = (list: string, entries: readonly { servers: string[] | undefined }[]): string[] =>
    entries.flatMap(({ servers = [] }, i) =>
      servers
        .filter(name => !names.includes(name))
        .map(
          name => `modules.api.${list}[${i}].servers: "${name}": expected one or more of ${names.join(", ")}`,
        ),
    );
  return [
    ...repeated,
    ...unknownIn("admin-keys", modules.api.adminKeys),
    ...unknownIn("moderators", modules.api.moderators),
  ];
}
