import { randomBytes } from "node:crypto";
import { stringify } from "yaml";
import { EXIT } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { readFileValues } from "../../sidecar/config/file.ts";
import { unexpected } from "../../sidecar/config/kind.ts";
import { clientId, clientName, redirectUri } from "../../sidecar/config/sign-in.ts";
import { changeConfig } from "../setup/config-file.ts";
import { withElement } from "../setup/yaml-edit.ts";
import { commands, printChange } from "./output.ts";

const SITES = "sign-in.clients";

/** A prefix by which people, and programs that look for secrets, know what it is. */
const PREFIX = "wbs_";
const SECRET_BYTES = 32;

interface Site {
  id: string;
  name: string | undefined;
  redirects: readonly string[];
  /** whether it can keep no secret, such as a page without a server behind it */
  isPublic: boolean;
}

/** What is wrong with what a site is to be; undefined: nothing. */
export function wrongWith({ id, name, redirects }: Site): string | undefined {
  if ("fault" in clientId.read(id, "")) return `--sign-in: ${unexpected(clientId, id)}`;
  if (name === undefined || "fault" in clientName.read(name, ""))
    return `--name: ${unexpected(clientName, name)}`;
  if (redirects.length === 0) return "--redirect: at least one is needed";
  const wrong = redirects.find(each => "fault" in redirectUri.read(each, ""));
  return wrong === undefined ? undefined : `--redirect: ${unexpected(redirectUri, wrong)}`;
}

/** Makes the entry of a site that may ask who somebody is, and shows its secret once. Ends with the exit code. */
export function makeSite(site: Site, { write, config }: { write: boolean; config: string }): number {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`;
  const entry = {
    id: site.id,
    name: site.name,
    "redirect-uris": [...site.redirects],
    ...(!site.isPublic && { "secret-sha256": sha256Of(secret) }),
  };
  const shown = site.isPublic
    ? `${site.id} has no secret: it is a site that could keep none.`
    : `The secret of ${site.id}, which is shown this once and cannot be shown again:

  ${secret}`;
  if (write) {
    const changed = changeConfig(config, process.env, SITES, text => {
      const read = readFileValues(text).values.get(SITES);
      return withElement(text, SITES, Array.isArray(read) ? read : [], entry);
    });
    const code = printChange(changed, SITES, `${SITES} has ${JSON.stringify(site.id)} now`);
    if (code === EXIT.done) console.log(shown);
    return code;
  }
  const own = configOption(config, commands);
  const flow = stringify(entry, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  const block = stringify({ "sign-in": { clients: [entry] } }, { lineWidth: 0 });
  console.log(`${shown}

What it is known by goes into the configuration:

  ${commands.config} add ${SITES} ${quoted(flow)}${own}

With --write that is done by itself. By hand, where clients has no entry yet, it is:

${block}
It counts after a restart. Who takes the entry out takes the site away.`);
  return EXIT.done;
}
