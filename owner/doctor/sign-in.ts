import { join } from "node:path";
import { quoted } from "../../cli/commands.ts";
import { checkJson, object, text } from "../../shared/guard.ts";
import { parseSecrets } from "../../sidecar/domain/sign-in-secrets.ts";
import { SIGN_IN_SECRETS } from "../../sidecar/store/sign-in-secrets.ts";
import { isOfLoopback } from "../bds/address.ts";
import { readText } from "../bds/folder.ts";
import { type Answer, ask, isMisnamed, MISNAMED, type Silence } from "./asking.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { commandsOf, configCommand, type Side, type Surroundings } from "./target.ts";

/** Sites that are asked whether they are there, at most. */
const MOST_ASKED = 20;
/** How far apart two clocks may be, in milliseconds. */
const CLOCK_MS = 60_000;
/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;

/** Codes of a name that nobody has, and of what no browser takes for TLS. */
const NO_NAME = /^ENOTFOUND$/;
const NO_TLS = /CERT|SIGNATURE|SSL|EPROTO/;

const described = object({ issuer: text(2_048) });

const ISSUER = "sign-in-issuer";
const DISCOVERY = "/.well-known/openid-configuration";

/** Whether the keys of sign-ins can be read where they lie in the storage folder. */
export function checkKeyFile(side: Side, around: Surroundings): Finding[] {
  const { config } = side;
  const { kind, folder } = config.storage;
  if (!config.signIn.enabled || kind !== "embedded") return [];
  const file = join(folder, SIGN_IN_SECRETS);
  const held = { text: readText(file, around.files), mode: around.modeOf(file) ?? 0 };
  if (held.text === undefined) return [keysOf("", file, "")];
  const mend = `delete it, and others are made: nobody has to sign in again, then: ${commandsOf(side, around).start}`;
  const keys = keysOf("fault" in held.text ? "?" : held.text.text.trim(), file, mend);
  if (keys.state !== "ok" || around.platform === "win32" || (held.mode & OTHERS) === 0) return [keys];
  const what = `${file}: others may read it (mode ${(held.mode & 0o777).toString(8)}), and be anybody to every site`;
  return [problem("sign-in-keys", what, `chmod 600 ${quoted(file)}`)];
}

/** The same of a text that was kept; blank: there are none yet. */
export function keysOf(kept: string, place: string, mend: string): Finding {
  const id = "sign-in-keys";
  if (kept === "") return ok(id, "the keys of sign-ins are made when the sidecar starts the next time");
  return parseSecrets(kept) === undefined
    ? problem(id, `${place}: the keys of sign-ins are damaged: the sidecar does not start with them`, mend)
    : ok(id, "the keys of sign-ins can be read");
}

/** A name with which browsers take the cookie of a session from this host alone. */
const OWN_HOST = "__Host-";

/** Another host below the same domain could make browsers begin in a session that somebody else knows. */
export function checkCookie(side: Side, around: Surroundings): Finding[] {
  const { signIn, modules } = side.config;
  const { name } = modules.api.sessionCookie;
  if (!signIn.enabled || !signIn.issuer.startsWith("https:") || name.startsWith(OWN_HOST)) return [];
  const set = configCommand(side, around, "set", "modules.api.session-cookie.name", `${OWN_HOST}${name}`);
  const what = `modules.api.session-cookie.name is ${name}: another host of the same domain can give browsers a session that it knows, and sign in with what a player links it to; where you do not run them all: ${set} (players link again)`;
  return [note("sign-in-cookie", what)];
}

/** Whether players can sign in to other sites with a sidecar that runs. */
export async function checkSignIn(side: Side, around: Surroundings): Promise<Finding[]> {
  const { enabled, clients } = side.config.signIn;
  if (!enabled) return [];
  if (clients.length === 0) {
    const make = `${around.programs.key} --sign-in forum --name Forum --redirect https://forum.example/signed-in`;
    return [
      note("sign-in-redirect", `sign-in.clients is empty: no site can ask; an entry is made by: ${make}`),
    ];
  }
  const [issuer, sites] = await Promise.all([checkIssuer(side, around), askSites(side, around)]);
  return [issuer, ...checkRedirects(side, sites, around), checkClock(sites, around)];
}

async function checkIssuer(side: Side, around: Surroundings): Promise<Finding> {
  const { issuer } = side.config.signIn;
  const answer = await ask(`${issuer}${DISCOVERY}`, around);
  return "status" in answer ? answered(answer, side, around) : unanswered(answer, side, around);
}

function answered(answer: Answer, side: Side, around: Surroundings): Finding {
  const { issuer } = side.config.signIn;
  const { hostname, pathname } = new URL(issuer);
  const wrong = (what: string, mend: string): Finding =>
    problem(ISSUER, `sign-in.issuer: ${issuer} ${what}`, mend);
  const again = commandsOf(side, around).restart;
  const other = `${configCommand(side, around, "set", "sign-in.issuer", "-")}, which reads the address that browsers see, then ${again}`;
  const read = answer.status === 200 ? checkJson(described, answer.text) : { fault: "" };
  if ("value" in read)
    return read.value.issuer === issuer
      ? ok(ISSUER, `sites find the service at ${issuer}`)
      : wrong(
          "leads to a service that calls itself otherwise, or was started with older settings",
          `${again}; or: ${other}`,
        );
  if (isMisnamed(answer))
    return wrong(
      `leads to the sidecar, which ${MISNAMED}`,
      `${configCommand(side, around, "add", "modules.api.hosts", hostname)}, then ${again}`,
    );
  if (answer.status >= 300 && answer.status < 400)
    return wrong(`sends on to another address (${answer.status}), which sites do not follow`, other);
  if (answer.says !== "not_found")
    return wrong(
      `does not lead to the sidecar (${answer.status})`,
      `have the proxy in front of it pass on all that is asked for there, also below /.well-known/; or: ${other}`,
    );
  return pathname === "/"
    ? wrong("leads to a sidecar that knows of no sign-ins", again)
    : wrong(
        "leads to the sidecar with its path",
        `have the proxy in front of it take ${pathname} away; or: ${other}`,
      );
}

function unanswered({ code = "no answer" }: Silence, side: Side, around: Surroundings): Finding {
  const { issuer } = side.config.signIn;
  const { hostname } = new URL(issuer);
  const again = commandsOf(side, around).restart;
  const other = `${configCommand(side, around, "set", "sign-in.issuer", "-")}, which reads another address, then ${again}`;
  if (NO_NAME.test(code))
    return problem(
      ISSUER,
      `sign-in.issuer: there is no ${hostname} (${code})`,
      `have that name lead here; or: ${other}`,
    );
  if (NO_TLS.test(code))
    return problem(
      ISSUER,
      `sign-in.issuer: ${issuer} has no certificate that browsers and sites take (${code})`,
      `give the proxy in front of it one for ${hostname}, as deploy/caddy/Caddyfile does by itself; or: ${other}`,
    );
  if (isOfLoopback(hostname))
    return problem(ISSUER, `sign-in.issuer: nobody answers at ${issuer} (${code})`, other);
  // Many a router does not let those inside reach what is outside of it.
  return skipped(
    ISSUER,
    `whether sites reach ${issuer}: this machine does not (${code}); look from elsewhere at ${issuer}${DISCOVERY}`,
  );
}

/** A place that browsers come back to. */
interface Site {
  origin: string;
  isLoopback: boolean;
  /** which entry names it first */
  by: string;
  /** undefined: it was not asked */
  answer: Answer | Silence | undefined;
}

async function askSites(side: Side, around: Surroundings): Promise<Site[]> {
  const found = new Map<string, Omit<Site, "answer">>();
  for (const [place, { id, redirectUris }] of side.config.signIn.clients.entries())
    for (const { origin, hostname } of redirectUris
      .filter(uri => /^https?:/.test(uri))
      .map(uri => new URL(uri)))
      if (!found.has(origin))
        found.set(origin, {
          origin,
          isLoopback: isOfLoopback(hostname),
          by: `sign-in.clients[${place}] (${id})`,
        });
  let left = MOST_ASKED;
  return Promise.all(
    [...found.values()].map(async site => {
      const isAsked = !site.isLoopback && left-- > 0;
      return {
        ...site,
        answer: isAsked ? await ask(`${site.origin}/`, around, { method: "HEAD" }) : undefined,
      };
    }),
  );
}

function checkRedirects(side: Side, sites: readonly Site[], around: Surroundings): Finding[] {
  const id = "sign-in-redirect";
  const isTried = isOfLoopback(new URL(side.config.signIn.issuer).hostname);
  const mend = `correct it in ${side.configFile}, then ${commandsOf(side, around).restart}`;
  const findings = sites.flatMap(({ origin, isLoopback, by, answer }): Finding[] => {
    if (isLoopback)
      return isTried
        ? []
        : [
            note(
              id,
              `${by}: ${origin} is each visitor's own machine: to try it out there, and for nobody else`,
            ),
          ];
    if (answer === undefined || "status" in answer) return [];
    const { code = "no answer" } = answer;
    if (NO_NAME.test(code))
      return [
        problem(
          id,
          `${by}: there is no ${new URL(origin).hostname} (${code}): nobody can come back there`,
          mend,
        ),
      ];
    if (NO_TLS.test(code)) {
      const what = `${by}: ${origin} has no certificate that browsers take (${code}): nobody can come back there`;
      return [problem(id, what, `tell whoever runs that site; or ${mend}`)];
    }
    return [note(id, `${by}: ${origin} is not reached from this machine (${code})`)];
  });
  return findings.length > 0 ? findings : [ok(id, "the sites that may ask are there")];
}

/** Sites take what the service signs for as long as their clocks are right, and ours is. */
function checkClock(sites: readonly Site[], around: Surroundings): Finding {
  const id = "sign-in-clock";
  const apart = sites.flatMap(({ origin, answer }) => {
    const then = answer !== undefined && "status" in answer ? Date.parse(answer.date ?? "") : Number.NaN;
    return Number.isNaN(then) ? [] : [{ origin, ms: Math.abs(around.now() - then) }];
  });
  if (apart.length === 0) return skipped(id, "the clock of sites: none of them tells the time");
  const off = apart.filter(({ ms }) => ms > CLOCK_MS);
  const [first] = off;
  if (first === undefined) return ok(id, "the clocks of sites and of this machine are the same");
  const whose = off.length === apart.length ? "this machine" : "that site";
  const what = `the clocks of ${first.origin} and of this machine are ${Math.round(first.ms / 1000)} s apart: sites may refuse who signs in`;
  return problem(id, what, `set the clock of ${whose} to the right time, for example with NTP`);
}
