import { join } from "node:path";
import { isLoopbackHost } from "../../bds/address.ts";
import { readText } from "../../bds/folder.ts";
import { quoted } from "../../cli/commands.ts";
import { checkJson, object, text } from "../../shared/guard.ts";
import { parseSecrets } from "../../sidecar/features/sign-in/rules/secrets.ts";
import { SIGN_IN_SECRETS } from "../../sidecar/features/sign-in/secrets-file.ts";
import { sharedModeFault } from "./file-permissions.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { byRestart, bySetting, commandsOf, configCommand } from "./fixes.ts";
import { type Answer, checkClock, HOST_NOT_ALLOWED, isHostNotAllowed, sendRequest } from "./http-request.ts";
import type { CheckedSidecar } from "./target.ts";

/** Most sites that get a request. */
const MAX_SITES_ASKED = 20;
/** Codes of a missing host name, and of TLS that browsers refuse. */
const NO_NAME = /^ENOTFOUND$/;
const NO_TLS = /CERT|SIGNATURE|SSL|EPROTO/;
/** Browsers accept a cookie with this prefix only from this host. */
const OWN_HOST = "__Host-";

const discovery = object({ issuer: text(2_048) });

const DISCOVERY_PATH = "/.well-known/openid-configuration";

/** Checks the sign-in keys in the storage folder, and the session cookie. */
export function checkSignInFiles(sidecar: CheckedSidecar): (Verdict | undefined)[] {
  const { signIn, storage, modules } = sidecar.config;
  if (!signIn.enabled) return [];
  const keys = storage.kind === "embedded" ? checkKeyFile(sidecar) : undefined;
  const { name } = modules.api.sessionCookie;
  if (!signIn.issuer.startsWith("https:") || name.startsWith(OWN_HOST)) return [keys];
  const key = "modules.api.session-cookie.name";
  const command = configCommand(sidecar, "set", key, `${OWN_HOST}${name}`);
  const what = `${key} is ${name}: another host of the same domain could give browsers a session that it knows; unless you run all of them: ${command} (players have to link again)`;
  return [keys, note(what)];
}

function checkKeyFile(sidecar: CheckedSidecar): Verdict {
  const { config, system } = sidecar;
  const file = join(config.storage.folder, SIGN_IN_SECRETS);
  const read = readText(file, system.files);
  const words = "delete it: new ones are made at the next start, and nobody has to sign in again";
  const fix = { text: words, command: commandsOf(sidecar).start };
  const keys = checkKeys(read === undefined ? "" : "fault" in read ? "?" : read.text.trim(), file, fix);
  const shared = sharedModeFault(file, system);
  if (keys.state !== "ok" || shared === undefined) return keys;
  return problem(`${shared}, and sign in as anybody`, { command: `chmod 600 ${quoted(file)}` });
}

/** Whether the sign-in keys can be read. `stored`: their text; blank: none yet. */
export function checkKeys(stored: string, place: string, fix: Fix): Verdict {
  if (stored === "") return ok("the sign-in keys are made when the sidecar starts the next time");
  const what = `${place}: the sign-in keys are damaged: the sidecar does not start with them`;
  return parseSecrets(stored) === undefined ? problem(what, fix) : ok("the sign-in keys can be read");
}

/** Whether players can sign in to other sites. */
export async function checkSignIn(sidecar: CheckedSidecar): Promise<(Verdict | undefined)[]> {
  const { enabled, clients, issuer } = sidecar.config.signIn;
  if (!enabled) return [];
  if (clients.length === 0) {
    const make = `${sidecar.system.programs.key} --sign-in forum --name Forum --redirect https://forum.example/signed-in`;
    return [note(`sign-in.clients is empty: no site can use it; to add one: ${make}`)];
  }
  const answer = await sendRequest(`${issuer}${DISCOVERY_PATH}`, sidecar.system);
  const sites = await Promise.all(sitesOf(sidecar).map(site => checkSite(site, sidecar)));
  return [checkIssuer(answer, sidecar), ...sites];
}

function checkIssuer(answer: Answer, sidecar: CheckedSidecar): Verdict {
  const { issuer } = sidecar.config.signIn;
  const fault = issuerFault(issuer, answer);
  if (fault === undefined) return ok(`sites can reach the service at ${issuer}`);
  if (fault === "unreached")
    return note(
      `${issuer} cannot be reached from this machine: open ${issuer}${DISCOVERY_PATH} from another one, as sites do`,
    );
  const [why, help] = fault;
  const what = `sign-in.issuer ${issuer}: ${why}`;
  if (help === undefined) return problem(what, byRestart(sidecar));
  const text = `${help}, or write the address that browsers see`;
  return problem(what, bySetting(sidecar, "sign-in.issuer", "-", text));
}

/** Why sites do not find the service, and the help; without help a restart fixes it. */
type IssuerFault = readonly [what: string, help?: string];

/** Why the response at the issuer's address is not from this service; undefined: it is. */
function issuerFault(issuer: string, answer: Answer): IssuerFault | "unreached" | undefined {
  const { hostname, pathname } = new URL(issuer);
  const { status, says, text: body, code = "no answer" } = answer;
  if (status === 0) {
    if (NO_NAME.test(code)) return [`there is no ${hostname} (${code})`, "point that name to this machine"];
    const help = `give the proxy in front of it a certificate for ${hostname}, as deploy/caddy/Caddyfile does automatically`;
    if (NO_TLS.test(code)) return [`no certificate that browsers and sites accept (${code})`, help];
    // Many routers do not connect machines inside to their outer address.
    if (!isLoopbackHost(hostname)) return "unreached";
    return [`nothing answers (${code})`, "start the program that should listen there"];
  }
  const read = status === 200 ? checkJson(discovery, body) : { fault: "" };
  if ("value" in read && read.value.issuer === issuer) return undefined;
  if ("value" in read) return ["it has another issuer, or was started with older settings"];
  if (isHostNotAllowed(answer))
    return [`the sidecar ${HOST_NOT_ALLOWED}`, `add ${hostname} to modules.api.hosts`];
  if (status >= 300 && status < 400)
    return [`it redirects to another address (${status})`, "remove the redirect: sites do not follow it"];
  if (says !== "not_found") {
    const help = "make the proxy in front of it forward all requests, including those below /.well-known/";
    return [`it does not reach the sidecar (${status})`, help];
  }
  if (pathname !== "/")
    return ["the proxy forwards its path to the sidecar", `make the proxy in front of it strip ${pathname}`];
  return ["sign-in is off on that sidecar"];
}

/** A site for sign-in, with the entry that names it first. */
interface Site {
  origin: string;
  hostname: string;
  by: string;
}

function sitesOf({ config }: CheckedSidecar): Site[] {
  const sites = config.signIn.clients.flatMap(({ id, redirectUris }, place) =>
    redirectUris
      .filter(uri => /^https?:/.test(uri))
      .map(uri => new URL(uri))
      .map(({ origin, hostname }) => ({ origin, hostname, by: `sign-in.clients[${place}] (${id})` })),
  );
  const isFirst = ({ origin }: Site, place: number): boolean =>
    sites.findIndex(each => each.origin === origin) === place;
  return sites.filter(isFirst).slice(0, MAX_SITES_ASKED);
}

/** Whether browsers can return to a site, and whether its clock accepts what the service signs. */
async function checkSite(
  { origin, hostname, by }: Site,
  sidecar: CheckedSidecar,
): Promise<Verdict | undefined> {
  if (isLoopbackHost(hostname)) {
    const isLocal = isLoopbackHost(new URL(sidecar.config.signIn.issuer).hostname);
    return isLocal
      ? undefined
      : note(`${by}: ${origin} is each visitor's own machine: nobody else can sign in there`);
  }
  const {
    status,
    date,
    code = "no answer",
  } = await sendRequest(`${origin}/`, sidecar.system, { method: "HEAD" });
  if (status > 0) return checkClock(origin, date, sidecar.system);
  if (!NO_NAME.test(code) && !NO_TLS.test(code))
    return note(`${by}: ${origin} cannot be reached from this machine (${code})`);
  const why = NO_NAME.test(code) ? `there is no ${hostname}` : "no certificate that browsers accept";
  return problem(
    `${by}: ${origin}: ${why} (${code}): players cannot return there`,
    byRestart(sidecar, `fix it in ${sidecar.configFile}, or at that site`),
  );
}
