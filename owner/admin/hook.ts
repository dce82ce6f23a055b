import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { quoted } from "../../cli/commands.ts";
import { printable } from "../../cli/printable.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { isDiscord, type Webhook, webhooks } from "../../sidecar/config/webhooks.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { commands, failed, OWN_OPTIONS, warnOfOtherConfig } from "./output.ts";
import { fromInput } from "./standard-input.ts";
import { type Attempt, samplesFor, testWebhook } from "./test-webhook.ts";

const USAGE = `usage: ${commands.hook} --test <address> [options]

Sends one event of each kind to an address, as the sidecar does, and prints the responses. All events are about a player
called WebhookTest.

  --test <address>   where to send: any address, or a webhook of the configuration by its index, such as ${quoted("[0]")}
  --format <format>  discord or standard; by default as in the configuration, or as the address suggests
  --secret <secret>  secret that signs requests of the format standard, if it is not in the configuration
  --allow-private    allow addresses in your own network, and http://
  --config <file>    configuration of the sidecar (default: ${commands.home}), if there is one
  --help             print this

With - as address or secret it is read from standard input, so that it does not appear in a list of processes.`;

/** The option for each part of a webhook. */
const OPTIONS: Record<string, string> = {
  url: "--test",
  format: "--format",
  secret: "--secret",
  "allow-private": "--allow-private",
};

interface Arguments {
  test: string;
  format: string | undefined;
  secret: string | undefined;
  isPrivate: boolean;
  config: string;
}

/** Exit code: 0 all events were accepted, 1 one was not or the configuration has mistakes, 2 wrong usage. */
async function main(): Promise<number> {
  const parsed = readOptions(USAGE, () =>
    parseArgs({
      options: {
        ...OWN_OPTIONS,
        test: { type: "string" },
        format: { type: "string" },
        secret: { type: "string" },
        "allow-private": { type: "boolean", default: false },
      },
    }),
  );
  if ("exit" in parsed) return parsed.exit;
  const { test, format, secret, config } = parsed.values;
  if (test === undefined) return misused("--test is missing", USAGE);
  if (test === "-" && secret === "-") return misused("only one of them can be -", USAGE);
  const args = {
    test: test === "-" ? fromInput() : test,
    format,
    secret: secret === "-" ? fromInput() : secret,
    isPrivate: parsed.values["allow-private"],
    config,
  };
  warnOfOtherConfig(config);
  const found = hookOf(args);
  if ("faults" in found) return failed(found.faults);
  if ("misuse" in found) return misused(printable(found.misuse), USAGE);
  return report(found.hook, found.name);
}

type HookToTest = { hook: Webhook; name: string } | { faults: string[] } | { misuse: string };

/** The webhook in the configuration, or the one that the command line describes. */
function hookOf({ test, format, secret, isPrivate, config }: Arguments): HookToTest {
  const path = resolve(config);
  // A missing configuration has the defaults.
  const read = existsSync(path)
    ? readConfigFile(path, process.env)
    : readConfig("", process.env, dirname(path));
  const list = "config" in read ? read.config.webhooks : [];
  const place = /^\[(\d{1,2})\]$/.exec(test)?.[1];
  if (place !== undefined && "faults" in read) return { faults: read.faults };
  const url = URL.canParse(test) ? new URL(test).href.replace(/#.*$/, "") : test;
  const index = place === undefined ? list.findIndex(each => each.url === url) : Number(place);
  const configured = list[index];
  if (place !== undefined && configured === undefined)
    return { faults: [`${test}: ${path} has no such webhook: it has ${list.length}`] };
  const wanted = {
    url: configured?.url ?? url,
    events: configured?.events,
    format: format ?? configured?.format ?? (isDiscord(url) ? "discord" : "standard"),
    secret: secret ?? configured?.secret,
    "allow-private": isPrivate || configured?.allowPrivate === true,
  };
  const checked = webhooks.read([wanted], "/");
  if ("value" in checked) {
    const [hook] = checked.value;
    if (hook === undefined) throw new RangeError("a list of one webhook is read as such");
    const { origin } = new URL(hook.url);
    return { hook, name: configured === undefined ? origin : `webhooks[${index}] (${origin})` };
  }
  const [{ at, what } = { at: "", what: checked.fault }] = checked.parts ?? [];
  // The configuration that cannot be read may have the secret.
  if (at === "[0].secret" && secret === undefined)
    return "faults" in read ? { faults: read.faults } : { misuse: NO_SECRET };
  return { misuse: `${OPTIONS[at.replace("[0].", "")] ?? "--test"}: ${what}` };
}

async function report(hook: Webhook, name: string): Promise<number> {
  const all = samplesFor(hook);
  console.log(printable(`${name}, format ${hook.format}: ${counted(all)}`));
  const deps = { clock: systemClock, report: printAttempt, wait: (ms: number) => wait(ms) };
  const { sent, accepted } = await testWebhook(hook, deps);
  const unsent = all - sent;
  const rest = unsent > 0 ? `; ${counted(unsent)} not sent` : "";
  console.log(`${accepted} of ${counted(all)} accepted${rest}.`);
  return accepted === all ? EXIT.done : EXIT.failed;
}

const counted = (events: number): string => `${events} ${events === 1 ? "event" : "events"}`;

function printAttempt({ event, outcome, reason, ms, answer }: Attempt): void {
  const isPrivate = reason.includes("allow-private");
  const meaning = isPrivate ? "if that is intended, add --allow-private" : (NO_ANSWER[reason] ?? "");
  console.log(printable(`  ${event.padEnd(6)}  ${outcome}: ${reason}, ${ms} ms${meaning && `: ${meaning}`}`));
  if (answer !== undefined) console.log(printable(`          response: ${answer}`));
}

/** The likely cause of a missing answer. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  ENOTFOUND: "this host name does not exist, or this machine cannot resolve it",
  ECONNREFUSED: "nothing listens there: check host and port",
  EPROTO: "the receiver does not use TLS: the address may have to begin with http://",
};

const NO_SECRET =
  "--secret is missing: requests of the format standard are signed with it: pass the receiver's secret (whsec_...), or add --format discord for a webhook of Discord";

process.exitCode = await main();
