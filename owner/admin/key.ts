import { parseArgs } from "node:util";
import { misused, readOptions } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { SCOPES, USUAL_SCOPES } from "../../shared/public/words.ts";
import { keyName, scopes, sha256Of } from "../../sidecar/config/admin-keys.ts";
import { commaList, unexpected } from "../../sidecar/config/kind.ts";
import { serverNames } from "../../sidecar/config/servers.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { addEntry, newSecret } from "./config-entry.ts";
import { commands, OWN_OPTIONS, warnOfOtherConfig } from "./output.ts";
import { rotateSignIn } from "./rotate-sign-in-keys.ts";
import { makeSite, siteFault } from "./site-key.ts";

const USAGE = `usage: ${commands.key} <name> [--scopes <scope>,<scope>] [--servers <name>,<name>] [--write [--config <file>]]
       ${commands.key} --sign-in <id> --name <name> --redirect <uri> [--public] [--write [--config <file>]]
       ${commands.key} --rotate-sign-in [--config <file>]

Makes a key for a moderator or a program, and shows it once. With --sign-in: the secret of a site that players can sign
in to. With --rotate-sign-in: new keys that sign these sign-ins.

  --scopes <list>  what the key allows, separated by commas (default: ${USUAL_SCOPES.join(",")}):
                   ${SCOPES.slice(0, 5).join(", ")},
                   ${SCOPES.slice(5).join(", ")}
  --servers <list> game servers that the key is for, separated by commas (default: all)
  --sign-in <id>   id of the site, for programs
  --name <name>    name of the site that players see
  --redirect <uri> exact address that browsers return to; can be repeated
  --public         the site cannot keep a secret
  --rotate-sign-in make new signing keys; the old ones stay valid for one more day
  --write          write it to the configuration; without it you get the lines to add yourself
  --config <file>  configuration of the sidecar (default: ${commands.home})
  --help           print this`;

const KEYS = "modules.api.admin-keys";

/** Exit code: 0 a key was made, 1 it cannot be written, 2 wrong usage. */
async function main(): Promise<number> {
  const parsed = readOptions(USAGE, () =>
    parseArgs({
      options: {
        ...OWN_OPTIONS,
        scopes: { type: "string", default: USUAL_SCOPES.join() },
        servers: { type: "string" },
        "sign-in": { type: "string" },
        name: { type: "string" },
        redirect: { type: "string", multiple: true, default: [] },
        public: { type: "boolean", default: false },
        "rotate-sign-in": { type: "boolean", default: false },
        write: { type: "boolean", default: false },
      },
      allowPositionals: true,
    }),
  );
  if ("exit" in parsed) return parsed.exit;
  const { "sign-in": id, "rotate-sign-in": rotates, ...options } = parsed.values;
  if ((id !== undefined || rotates) && parsed.positionals.length > 0)
    return misused("give a name for a key, or --sign-in for a site, not both", USAGE);
  warnOfOtherConfig(options.config);
  if (rotates) return rotateSignIn(options.config);
  if (id !== undefined) {
    const site = { id, name: options.name, redirects: options.redirect, isPublic: options.public };
    const wrong = siteFault(site);
    return wrong === undefined ? makeSite(site, options) : misused(printable(wrong), USAGE);
  }
  const [written, ...more] = parsed.positionals;
  if (written === undefined || more.length > 0)
    return misused("expected one name for the key, in quotes if it has spaces", USAGE);
  const name = keyName.read(written, "");
  if ("fault" in name) return misused(`the name: ${printable(unexpected(keyName, written))}`, USAGE);
  const list = commaList(options.scopes);
  const wanted = scopes.read(list, "");
  if ("fault" in wanted) return misused(`--scopes: ${printable(unexpected(scopes, list))}`, USAGE);
  const on = options.servers === undefined ? undefined : commaList(options.servers);
  if (on !== undefined && "fault" in serverNames.read(on, ""))
    return misused(`--servers: ${printable(unexpected(serverNames, on))}`, USAGE);

  const key = newSecret("wbk_");
  const [label, sha256] = [JSON.stringify(name.value), sha256Of(key)];
  return addEntry(
    {
      list: KEYS,
      name: name.value,
      gap: " ",
      entry: { name: name.value, sha256, scopes: wanted.value, ...(on !== undefined && { servers: on }) },
      refusal: list =>
        list.some(each => SETTINGS_BY_PATH.get(KEYS)?.items?.calledBy(each)[0] === name.value)
          ? `there is already a key named ${label}: to remove it: ${commands.config} remove ${KEYS} ${quoted(name.value)}${configOption(options.config, commands)}`
          : undefined,
      secret: `The key of ${name.value}, shown only this once:

  ${key}

People enter it on the web console under "Administration"; programs send it in the header X-Service-Api-Key.`,
      block: `modules:
  api:
    admin-keys:
      - name: ${label}
        sha256: "${sha256}"
        scopes: ${JSON.stringify(wanted.value)}${on === undefined ? "" : `\n        servers: ${JSON.stringify(on)}`}
`,
      after: "A running sidecar uses it within two seconds. To revoke the key, remove the entry.",
    },
    options,
  );
}

process.exitCode = await main();
