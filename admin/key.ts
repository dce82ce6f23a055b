import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../cli/arguments.ts";
import { commandsIn } from "../cli/commands.ts";
import { printable } from "../cli/printable.ts";
import { keyName, SCOPES, scopes, sha256Of } from "../sidecar/config/admin-keys.ts";
import { commaList, unexpected } from "../sidecar/config/kind.ts";

const { key: command } = commandsIn(fileURLToPath(new URL("../../", import.meta.url)));

const USAGE = `usage: ${command} <name> [--scopes <scope>,<scope>]

Makes a key for the person or program of this name, shows it once, and prints the entry for config.yml. It changes nothing.

  --scopes <list>  what the key is for, with commas between: ${SCOPES.join(", ")} (all)
  --help           print this`;

/** A prefix by which people, and programs that look for secrets, know what it is. */
const PREFIX = "wbk_";
const KEY_BYTES = 32;

/** Ends with the exit code: 0 a key was made, 2 wrong usage. */
function main(): number {
  const given = readOptions(USAGE, () =>
    parseArgs({
      options: {
        scopes: { type: "string", default: SCOPES.join() },
        help: { type: "boolean", default: false },
      },
      allowPositionals: true,
    }),
  );
  if ("exit" in given) return given.exit;
  const [written, ...more] = given.positionals;
  if (written === undefined || more.length > 0)
    return misused("one name is needed, in quotes where it has blanks", USAGE);
  const name = keyName.read(written, "");
  if ("fault" in name) return misused(`the name: ${printable(unexpected(keyName, written))}`, USAGE);
  const list = commaList(given.values.scopes);
  const wanted = scopes.read(list, "");
  if ("fault" in wanted) return misused(`--scopes: ${printable(unexpected(scopes, list))}`, USAGE);

  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString("base64url")}`;
  console.log(`The key of ${name.value}, which is shown this once and cannot be shown again:

  ${key}

It is sent in the header X-Service-Api-Key. In config.yml goes what it is known by. Where admin-keys has entries already,
add the last three lines to them:

modules:
  api:
    admin-keys:
      - name: ${JSON.stringify(name.value)}
        sha256: "${sha256Of(key)}"
        scopes: ${JSON.stringify(wanted.value)}

A sidecar that runs takes it within two seconds. Who takes the entry out takes the key away.`);
  return EXIT.done;
}

process.exitCode = main();
