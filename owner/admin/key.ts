import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { stringify } from "yaml";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { keyName, SCOPES, scopes, sha256Of, USUAL_SCOPES } from "../../sidecar/config/admin-keys.ts";
import { readFileValues } from "../../sidecar/config/file.ts";
import { commaList, unexpected } from "../../sidecar/config/kind.ts";
import { serverNames } from "../../sidecar/config/servers.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { changeConfig } from "../setup/config-file.ts";
import { withElement } from "../setup/yaml-edit.ts";
import { commands, OWN_OPTIONS, printChange, warnOfOtherConfig } from "./output.ts";
import { rotateSignIn } from "./rotate-sign-in-keys.ts";
import { makeSite, wrongWith } from "./site-key.ts";

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

/** A prefix by which people, and programs that look for secrets, know what it is. */
const PREFIX = "wbk_";
const KEY_BYTES = 32;

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
    const wrong = wrongWith(site);
    return wrong === undefined ? makeSite(site, how) : misused(printable(wrong), USAGE);
  }
  const [written, ...more] = given.positionals;
  if (written === undefined || more.length > 0)
    return misused("one name is needed, in quotes where it has blanks", USAGE);
  const name = keyName.read(written, "");
  if ("fault" in name) return misused(`the name: ${printable(unexpected(keyName, written))}`, USAGE);
  const list = commaList(given.values.scopes);
  const wanted = scopes.read(list, "");
  if ("fault" in wanted) return misused(`--scopes: ${printable(unexpected(scopes, list))}`, USAGE);
  const { servers } = given.values;
  const on = servers === undefined ? undefined : commaList(servers);
  if (on !== undefined && "fault" in serverNames.read(on, ""))
    return misused(`--servers: ${printable(unexpected(serverNames, on))}`, USAGE);

  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString("base64url")}`;
  const entry = {
    name: name.value,
    sha256: sha256Of(key),
    scopes: wanted.value,
    ...(on !== undefined && { servers: on }),
  };
  const { write, config } = given.values;
  const own = configOption(config, commands);
  if (write) {
    const changed = changeConfig(config, process.env, KEYS, text => {
      const read = readFileValues(text).values.get(KEYS);
      const list: unknown[] = Array.isArray(read) ? read : [];
      const isPortTaken = list.some(
        each => SETTINGS_BY_PATH.get(KEYS)?.items?.calledBy(each)[0] === name.value,
      );
      if (isPortTaken) return { faults: [takenBy(name.value, own)] };
      return withElement(text, KEYS, list, entry);
    });
    const code = printChange(changed, KEYS, `${KEYS} has ${JSON.stringify(name.value)} now`);
    if (code === EXIT.done) console.log(shownOnce(name.value, key));
    return code;
  }
  const flow = stringify(entry, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  console.log(`${shownOnce(name.value, key)} What it is known by goes into the configuration:

  ${commands.config} add ${KEYS} ${quoted(flow)}${own}

With --write that is done by itself. By hand, where admin-keys has no entry yet, it is:

modules:
  api:
    admin-keys:
      - name: ${JSON.stringify(name.value)}
        sha256: "${entry.sha256}"
        scopes: ${JSON.stringify(wanted.value)}${
          on === undefined
            ? ""
            : `
        servers: ${JSON.stringify(on)}`
        }

A sidecar that runs takes it within two seconds. Who takes the entry out takes the key away.`);
  return EXIT.done;
}

const takenBy = (name: string, own: string): string =>
  `there is a key of the name ${JSON.stringify(name)} already: to take it away: ${commands.config} remove ${KEYS} ${quoted(name)}${own}`;

const shownOnce = (
  name: string,
  key: string,
): string => `The key of ${name}, which is shown this once and cannot be shown again:

  ${key}

It is sent in the header X-Service-Api-Key.`;

process.exitCode = await main();
