import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import type { ListedServer } from "../../client/index.ts";
import { checkedFetch } from "../helpers/client.ts";
import { needs } from "../helpers/runner.ts";

// Own connections: speaks to the panel of the demo; the service is asked with checks.

const DEMO = fileURLToPath(new URL("../../dist/tools/demo.js", import.meta.url));

/** The built demo in a process of its own, on free ports, until it has printed a line that begins with this. */
async function startDemo(last: string, ...options: string[]) {
  const child = spawn(process.execPath, [DEMO, "--port", "0", "--panel-port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith(last)) break;
  }
  child.stdout.resume();
  const address = (name: string): string =>
    lines.find(line => line.startsWith(name))?.replace(/^.*\s/, "") ?? "";
  const [panel, tea] = ["Panel", "Tea house"].map(name => address(name).replace(/\/$/, ""));
  return { child, lines, panel: panel ?? "", tea: tea ?? "", rest: address("REST") };
}

/** What the demo says to these options on one of its outputs, and with which code it ends. */
async function said(
  where: "stdout" | "stderr",
  ...options: string[]
): Promise<[text: string, code: unknown]> {
  const child = spawn(process.execPath, [DEMO, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const each of ["stdout", "stderr"] as const)
    child[each].on("data", chunk => {
      texts[each] += chunk;
    });
  const [code] = await once(child, "close");
  return [texts[where].trim(), code];
}

const refusal = (...options: string[]) => said("stderr", ...options);

needs("npm run build", existsSync(DEMO)).it(
  "the demo plays several game servers behind one sidecar, and ends them all when it is told to",
  async () => {
    const { child, lines, rest } = await startDemo("No terminal", "--servers", "3");
    const ended = once(child, "exit");
    expect(lines.join("\n")).toContain("there are survival, creative");
    const listed = (await (await checkedFetch(`${rest}/servers`)).json()) as ListedServer[];
    expect(listed).toMatchObject([
      { name: "lobby", title: "Lobby", state: "online", onlinePlayerCount: 4 },
      { name: "survival", state: "online" },
      { name: "creative", state: "online" },
    ]);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);

needs("npm run build", existsSync(DEMO)).it(
  "names the option of a port that is none or that is taken, or of servers that cannot be",
  async () => {
    const many = "--servers 6: expected a whole number from 1 to 5";
    expect(await refusal("--servers", "6")).toEqual([many, 1]);
    const own = "--servers: they are behind one sidecar, which is the demo's own";
    expect(await refusal("--servers", "2", "--server", ".")).toEqual([own, 1]);
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const none = (option: string): string => `${option} abc: expected a whole number from 0 to 65535`;
    try {
      expect(await refusal("--panel-port", "abc")).toEqual([none("--panel-port"), 1]);
      expect(await refusal("--panel-port", "0", "--port", "abc")).toEqual([none("--port"), 1]);
      expect(await refusal("--panel-port", `${port}`)).toEqual([
        `--panel-port ${port}: expected a port that is free and may be used`,
        1,
      ]);
    } finally {
      taken.close();
    }
  },
);
