import { Buffer } from "node:buffer";
import { createConsoleBridge } from "../../owner/launch/console-link/console-bridge.ts";
import { readTarget } from "../../owner/launch/console-link/target.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import type { TestEnvironment } from "../probe.ts";
import { fieldsOf, numberOf, probesAt, textOf } from "../values.ts";
import { callUntil, words } from "../web-client.ts";
import { changeWhitelist } from "./pack.ts";

const CONNECT_MS = 30_000;

/** Carries messages between the pack and the sidecar meanwhile, as `launch` does. */
async function withLink(
  env: TestEnvironment,
  use: (env: TestEnvironment) => Promise<string>,
): Promise<string> {
  const { console, folder, config } = env;
  await env.startSidecar();
  const faults: string[] = [];
  const bridge = createConsoleBridge({
    clock: systemClock,
    type: line => console.type(line.trimEnd()),
    target: async () => readTarget({ folder, config, as: undefined, env: {} }),
    say: line => void faults.push(line),
  });
  const forget = console.onOutput(text => void bridge.push(Buffer.from(text)));
  try {
    const last = await callUntil(env, "/console.json", CONNECT_MS, response => isByCommand(response.json));
    if (isByCommand(last.json)) return await use(env);
    return `not connected${bridge.isOpen() ? " to the sidecar" : ""}: ${faults.join(" | ") || "nothing is wrong with the settings"}`;
  } finally {
    forget();
    bridge.stop();
  }
}

/** Whether the sidecar knows from the pack that it runs without the experiment. */
const isByCommand = (json: unknown): boolean => fieldsOf(json).gameChat === "command";

/** The way from the website to the pack and back, over the console. */
export const CONNECTION_PROBES = probesAt("console", [
  {
    id: "console-connects",
    expect: "Online; allowlist: listed, in allowlist.json, removed",
    why: "pack and sidecar exchange everything over the console, and launch types commands for the pack",
    ask: env =>
      withLink(env, async () => {
        const last = await callUntil(
          env,
          "/status",
          CONNECT_MS,
          ({ json }) => numberOf(fieldsOf(json).tps) > 15,
        );
        const status = last.status === 200 ? textOf(fieldsOf(last.json).status) : words(last);
        return `${status}; allowlist: ${await changeWhitelist(env)}`;
      }),
  },
]);
