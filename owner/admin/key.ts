import { parseArgs } from "node:util";
import { misused, readOptions } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { keyName, SCOPES, scopes, sha256Of, USUAL_SCOPES } from "../../sidecar/config/admin-keys.ts";
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

Makes a key for the person or program of this name, shows it once, and prints the entry for the configuration. With --sign-in it
does so for a site that asks who somebody is; with --rotate-sign-in it makes new keys to sign what such sites are told.

  --scopes <list>  what the key is for, with commas between: ${SCOPES.join(", ")}
                   (${USUAL_SCOPES.join(", ")})
  --servers <list> game servers on which it may change the whitelist, with commas between (all)
  --sign-in <id>   what the site is called by programs
  --name <name>    what players read of it
  --redirect <uri> exact address to which browsers come back; may be given several times
  --public         the site can keep no secret
  --rotate-sign-in make new keys for sign-ins; those before them are shown for a day longer
  --write          write the entry into the configuration; otherwise nothing is changed
  --config <file>  configuration of the sidecar (${commands.home})
  --help           print this`;

const KEYS = "modules.api.admin-keys";

/** Ends with the exit code: 0 a key was made, 1 it cannot be written, 2 wrong usage. */
async function main(): Promise<number> {
  const given = readOptions(USAGE, () =>
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
  if ("exit" in given) return given.exit;
  const { "sign-in": id, "rotate-sign-in": rotates, ...how } = given.values;
  if ((id !== undefined || rotates) && given.positionals.length > 0)
    return misused("a key has a name, a site has --sign-in: one of them at a time", USAGE);
  warnOfOtherConfig(how.config);
  if (rotates) return rotateSignIn(how.config);
  if (id !== undefined) {
    const site = { id, name: how.name, redirects: how.redirect, isPublic: how.public };
    const wrong = siteFault(site);
    return wrong === undefined ? makeSite(site, how) : misused(printable(wrong), USAGE);
  }
  const [written, ...more] = given.positionals;
  if (written === undefined || more.length > 0)
    return misused("one name is needed, in quotes where it has blanks", USAGE);
  const name = keyName.read(written, "");
  if ("fault" in name) return misused(`the name: ${printable(unexpected(keyName, written))}`, USAGE);
  const list = commaList(how.scopes);
  const wanted = scopes.read(list, "");
  if ("fault" in wanted) return misused(`--scopes: ${printable(unexpected(scopes, list))}`, USAGE);
  const on = how.servers === undefined ? undefined : commaList(how.servers);
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
          ? `there is a key of the name ${label} already: to take it away: ${commands.config} remove ${KEYS} ${quoted(name.value)}${configOption(how.config, commands)}`
          : undefined,
      secret: `The key of ${name.value}, which is shown this once and cannot be shown again:

  ${key}

It is sent in the header X-Service-Api-Key.`,
      block: `modules:
  api:
    admin-keys:
      - name: ${label}
        sha256: "${sha256}"
        scopes: ${JSON.stringify(wanted.value)}${on === undefined ? "" : `\n        servers: ${JSON.stringify(on)}`}
`,
      after: "A sidecar that runs takes it within two seconds. Who takes the entry out takes the key away.",
    },
    how,
  );
}

process.exitCode = await main();
