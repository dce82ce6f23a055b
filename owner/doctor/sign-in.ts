import { join } from "node:path";
import { isLoopbackHost } from "../../bds/address.ts";
import { readText } from "../../bds/folder.ts";
import { quoted } from "../../cli/commands.ts";
import { checkJson, object, text } from "../../shared/guard.ts";
import { parseSecrets } from "../../sidecar/features/sign-in/rules/secrets.ts";
import { SIGN_IN_SECRETS } from "../../sidecar/features/sign-in/secrets-file.ts";
import { type Fix, note, ok, problem, type Verdict } from "./finding.ts";
import { byRestart, bySetting, commandsOf, configCommand } from "./fixes.ts";
import {
  type Answer,
  ask,
  checkClock,
  HOST_NOT_ALLOWED,
  isHostNotAllowed,
  type Silence,
} from "./http-request.ts";
import type { CheckedSidecar, DoctorSystem } from "./target.ts";

/** Sites that are sent a request to see whether they are there, at most. */
const MOST_ASKED = 20;
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
/** Codes of a name that nobody has, and of what no browser accepts as TLS. */
const NO_NAME = /^ENOTFOUND$/;
const NO_TLS = /CERT|SIGNATURE|SSL|EPROTO/;
/** A name with which browsers take the cookie of a session from this host alone. */
const OWN_HOST = "__Host-";

const described = object({ issuer: text(2_048) });

const DISCOVERY = "/.well-known/openid-configuration";

/** What can be said of sign-ins without asking anybody: their keys in the storage folder, and the cookie of sessions. */
export function checkSignInFiles(sidecar: CheckedSidecar, system: DoctorSystem): Verdict[] {
  const { signIn, storage, modules } = sidecar.config;
  if (!signIn.enabled) return [];
  const findings = storage.kind === "embedded" ? [checkKeyFile(sidecar, system)] : [];
  const { name } = modules.api.sessionCookie;
  if (signIn.issuer.startsWith("https:") && !name.startsWith(OWN_HOST)) {
    const command = configCommand(
      sidecar,
      system,
      "set",
      "modules.api.session-cookie.name",
      `${OWN_HOST}${name}`,
    );
    const what = `modules.api.session-cookie.name is ${name}: another host of the same domain can give browsers a session that it knows; where you do not run them all: ${command} (players link again)`;
    findings.push(note(what));
  }
  return findings;
}

function checkKeyFile(sidecar: CheckedSidecar, system: DoctorSystem): Verdict {
  const file = join(sidecar.config.storage.folder, SIGN_IN_SECRETS);
  const kept = readText(file, system.files);
  const words = "delete it: others are made at the next start, and nobody has to sign in again";
  const fix = { text: words, command: commandsOf(sidecar, system).start };
  const keys = checkKeys(kept === undefined ? "" : "fault" in kept ? "?" : kept.text.trim(), file, fix);
  const mode = system.accessOf(file)?.mode ?? 0;
  if (keys.state !== "ok" || system.platform === "win32" || (mode & OTHERS) === 0) return keys;
  const what = `${file}: others may read it (mode ${(mode & 0o777).toString(8)}), and sign in as anybody`;
  return problem(what, { command: `chmod 600 ${quoted(file)}` });
}

/** Whether the keys of sign-ins can be read. `kept`: their text; blank: there are none yet. */
export function checkKeys(kept: string, place: string, fix: Fix): Verdict {
  if (kept === "") return ok("the keys of sign-ins are made when the sidecar starts the next time");
  const what = `${place}: the keys of sign-ins are damaged: the sidecar does not start with them`;
  return parseSecrets(kept) === undefined ? problem(what, fix) : ok("the keys of sign-ins can be read");
}

/** Whether players can sign in to other sites with a sidecar that runs. */
export async function checkSignIn(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const { enabled, clients, issuer } = sidecar.config.signIn;
  if (!enabled) return [];
  if (clients.length === 0) {
    const make = `${system.programs.key} --sign-in forum --name Forum --redirect https://forum.example/signed-in`;
    return [note(`sign-in.clients is empty: no site can use it; to add one: ${make}`)];
  }
  const found = faultOf(issuer, await ask(`${issuer}${DISCOVERY}`, system));
  const sites = await Promise.all(sitesOf(sidecar).map(site => checkSite(site, sidecar, system)));
  return [verdictOf(found, sidecar, system), ...sites.flat()];
}

/** What keeps sites from finding the service, and what would help; undefined: a restart of the sidecar. */
type IssuerFault = { what: string; help: string | undefined };

/** Why what answers at the issuer's address is not this service; undefined: it is. */
function faultOf(issuer: string, answer: Answer | Silence): IssuerFault | "unreached" | undefined {
  const { hostname, pathname } = new URL(issuer);
  if (!("status" in answer)) {
    const { code = "no answer" } = answer;
    if (NO_NAME.test(code))
      return { what: `there is no ${hostname} (${code})`, help: "have that name lead here" };
    const help = `give the proxy in front of it a certificate for ${hostname}, as deploy/caddy/Caddyfile does by itself`;
    if (NO_TLS.test(code)) return { what: `no certificate that browsers and sites accept (${code})`, help };
    // Many routers do not let those inside reach what is outside of them.
    if (!isLoopbackHost(hostname)) return "unreached";
    return { what: `nobody answers (${code})`, help: "start what listens there" };
  }
  const { status, says, text: body } = answer;
  const read = status === 200 ? checkJson(described, body) : { fault: "" };
  if ("value" in read && read.value.issuer === issuer) return undefined;
  if ("value" in read) return { what: "it calls itself otherwise, or has older settings", help: undefined };
  if (isHostNotAllowed(answer))
    return { what: `the sidecar ${HOST_NOT_ALLOWED}`, help: `add ${hostname} to modules.api.hosts` };
  if (status >= 300 && status < 400)
    return { what: `it sends on to another address (${status})`, help: "end that: sites do not follow" };
  if (says !== "not_found") {
    const help = "have the proxy in front of it pass on all requests, also below /.well-known/";
    return { what: `it does not lead to the sidecar (${status})`, help };
  }
  if (pathname !== "/")
    return { what: "the sidecar gets its path", help: `have the proxy in front of it strip ${pathname}` };
  return { what: "that sidecar knows of no sign-ins", help: undefined };
}

function verdictOf(
  found: ReturnType<typeof faultOf>,
  sidecar: CheckedSidecar,
  system: DoctorSystem,
): Verdict {
  const { issuer } = sidecar.config.signIn;
  if (found === undefined) return ok(`sites find the service at ${issuer}`);
  if (found === "unreached")
    return note(
      `this machine does not reach ${issuer}: look from elsewhere at ${issuer}${DISCOVERY}, as sites do`,
    );
  const what = `sign-in.issuer ${issuer}: ${found.what}`;
  if (found.help === undefined) return problem(what, byRestart(sidecar, system));
  const text = `${found.help}, or write the address that browsers see`;
  return problem(what, bySetting(sidecar, system, "sign-in.issuer", "-", text));
}

/** A site that browsers come back to, with the entry that names it first. */
type Site = { origin: string; hostname: string; by: string };

function sitesOf({ config }: CheckedSidecar): Site[] {
  const sites = config.signIn.clients.flatMap(({ id, redirectUris }, place) =>
    redirectUris
      .filter(uri => /^https?:/.test(uri))
      .map(uri => new URL(uri))
      .map(({ origin, hostname }) => ({ origin, hostname, by: `sign-in.clients[${place}] (${id})` })),
  );
  const isFirst = ({ origin }: Site, place: number): boolean =>
    sites.findIndex(each => each.origin === origin) === place;
  return sites.filter(isFirst).slice(0, MOST_ASKED);
}

/** Whether browsers can come back to a site, and whether its clock lets it accept what the service signs. */
async function checkSite(
  { origin, hostname, by }: Site,
  sidecar: CheckedSidecar,
  system: DoctorSystem,
): Promise<Verdict[]> {
  if (isLoopbackHost(hostname)) {
    const isTried = isLoopbackHost(new URL(sidecar.config.signIn.issuer).hostname);
    return isTried
      ? []
      : [note(`${by}: ${origin} is each visitor's own machine: nobody else can sign in there`)];
  }
  const answer = await ask(`${origin}/`, system, { method: "HEAD" });
  if ("status" in answer) return [checkClock(origin, Date.parse(answer.date ?? ""), system)];
  const { code = "no answer" } = answer;
  const why = NO_NAME.test(code) ? `there is no ${hostname}` : "no certificate that browsers accept";
  if (!NO_NAME.test(code) && !NO_TLS.test(code))
    return [note(`${by}: ${origin} is not reached from this machine (${code})`)];
  const text = `correct it in ${sidecar.configFile}, or at that site`;
  return [
    problem(
      `${by}: ${origin}: ${why} (${code}): nobody can come back there`,
      byRestart(sidecar, system, text),
    ),
  ];
}
