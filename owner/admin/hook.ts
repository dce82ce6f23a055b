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

Sends one of each event to an address, as the sidecar does with what happens, and prints what is answered. All of them are of
a player called WebhookTest.

  --test <address>   where to send to: any address, or a webhook of the configuration by its place there, such as ${quoted("[0]")}
  --format <format>  discord or standard; otherwise as in the configuration, or as the address looks
  --secret <secret>  what requests of the format standard are signed with, where it is not in the configuration
  --allow-private    the address may be in your own network, and http://
  --config <file>    configuration of the sidecar (${commands.home}), which need not be there
  --help             print this

In the place of an address or of a secret, - reads it from the standard input, so that it is in no list of processes.`;

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

/** Ends with the exit code: 0 all was taken, 1 something was not, or the configuration is wrong, 2 wrong usage. */
async function main(): Promise<number> {
  const given = readOptions(USAGE, () =>
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
  if ("exit" in given) return given.exit;
  const { test, format, secret, config } = given.values;
  if (test === undefined) return misused("--test is missing", USAGE);
  if (test === "-" && secret === "-") return misused("- can stand for one of them only", USAGE);
  const args = {
    test: test === "-" ? fromInput() : test,
    format,
    secret: secret === "-" ? fromInput() : secret,
    isPrivate: given.values["allow-private"],
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
  if (at === "[0].secret" && secret === undefined && "faults" in read) return { faults: read.faults };
  return { misuse: `${OPTIONS[at.replace("[0].", "")] ?? "--test"}: ${what}` };
}

async function report(hook: Webhook, name: string): Promise<number> {
  const all = samplesFor(hook);
  console.log(printable(`${name}, format ${hook.format}: ${counted(all)}`));
  const deps = { clock: systemClock, tell, wait: (ms: number) => wait(ms) };
  const { sent, taken } = await testWebhook(hook, deps);
  const unsent = all - sent;
  const rest = unsent > 0 ? `; ${counted(unsent)} not sent any more` : "";
  console.log(`${taken} of ${counted(all)} taken${rest}.`);
  return taken === all ? EXIT.done : EXIT.failed;
}

const counted = (events: number): string => `${events} ${events === 1 ? "event" : "events"}`;

function tell({ event, outcome, reason, ms, answer }: Attempt): void {
  const isPrivate = reason.includes("allow-private");
  const meaning = isPrivate ? "where it is meant to be, --allow-private lets it" : (NO_ANSWER[reason] ?? "");
  console.log(printable(`  ${event.padEnd(6)}  ${outcome}: ${reason}, ${ms} ms${meaning && `: ${meaning}`}`));
  if (answer !== undefined) console.log(printable(`          it says: ${answer}`));
}

/** The likely cause of a missing answer. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host, or the machine's resolver does not know it",
  ECONNREFUSED: "nobody listens there: look at host and port",
  EPROTO: "it does not speak TLS there: it may be an address with http://",
};

process.exitCode = await main();
