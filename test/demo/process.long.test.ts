import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import type { ListedServer } from "../../client/index.ts";
import { checkedFetch } from "../helpers/client.ts";
import { needs } from "../helpers/runner.ts";

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
