import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@jest/globals";
import { WebSocket } from "ws";
import type { FromServer, SidecarView } from "../../lab/demo/panel/protocol.ts";
import { findRedisServer } from "../../lab/scale/redis-server.ts";
import { ask, newSession } from "../helpers/client.ts";
import { eventually, needs } from "../helpers/runner.ts";

// Own connections: speaks to the panel of the demo; the service is asked with checks.

const DEMO = fileURLToPath(new URL("../../dist/tools/demo.js", import.meta.url));
const ofBuild = needs("npm run build", existsSync(DEMO));

/** What the demo says to these options, and with which code it ends. */
async function refusal(
  options: string[],
  env: Record<string, string> = {},
): Promise<[text: string, code: unknown]> {
  const child = spawn(process.execPath, [DEMO, ...options], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", chunk => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  return [text.trim(), code];
}

ofBuild.it("the demo names the option of a number of sidecars that it does not start", async () => {
  for (const number of ["0", "6", "-1", "two", "1.5", ""])
    expect(await refusal([`--sidecars=${number}`])).toEqual([
      `--sidecars ${number}: expected a whole number from 1 to 5`,
      1,
    ]);
  expect(await refusal(["--sidecars", "2", "--server", tmpdir()])).toEqual([
    "--sidecars: the sidecar of --server is somebody else's",
    1,
  ]);
});

ofBuild.it("the demo says in one line how to get the Redis that several sidecars need", async () => {
  const [text, code] = await refusal(["--sidecars", "2"], { PATH: tmpdir(), REDIS_SERVER: "" });
  expect(text).toMatch(/^--sidecars needs redis-server .*apt install redis-server.*$/);
  expect(code).toBe(1);
});

needs("redis-server, npm run build", existsSync(DEMO) && findRedisServer() !== undefined).it(
  "the demo of this build goes on when one of its sidecars is killed, which comes back",
  async () => {
    const options = ["--port", "0", "--panel-port", "0", "--sidecars", "3"];
    const child = spawn(process.execPath, [DEMO, ...options], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line.startsWith("No terminal")) break;
    }
    child.stdout.resume();
    const address = (name: string): string =>
      lines.find(line => line.startsWith(name))?.replace(/^\S+\s+/, "") ?? "";
    const [panel, rest] = [address("Panel").replace(/\/$/, ""), address("REST")];

    const socket = new WebSocket(`${panel.replace("http", "ws")}/world`, { origin: panel });
    let sidecars: SidecarView[] = [];
    let fault: string | undefined = "none yet";
    socket.on("message", data => {
      const message: FromServer = JSON.parse(String(data));
      if (message.is === "sidecars") sidecars = message.sidecars;
      if (message.is === "answer") fault = message.fault;
    });
    await once(socket, "open");
    const { cookie } = await newSession(rest);
    const link = { cookie, body: { username: "Steve" } };
    expect((await ask(rest, "/link-player", link)).status).toBe(202);
    const status = async (): Promise<unknown> => {
      const { json } = await ask(rest, "/linked-player", { cookie });
      return (json as { status: string }).status;
    };
    for (let i = 0; i < 3; i++) expect(await status()).toBe("pending");
    await eventually(() => {
      for (const { isUp, served, fromPack, last } of sidecars)
        expect([isUp, served > 0, fromPack > 0, last.length > 0]).toEqual([true, true, true, true]);
      expect(sidecars.map(({ name }) => name)).toEqual(["1", "2", "3"]);
    });

    const holder = await eventually(() => {
      const { name } = sidecars.find(({ hasPoll }) => hasPoll) ?? {};
      expect(name).toBeDefined();
      return name;
    });
    const find = (): SidecarView | undefined => sidecars.find(({ name }) => name === holder);
    socket.send(JSON.stringify({ id: 1, do: "kill", sidecar: holder }));
    await eventually(() => expect([fault, find()?.isUp]).toEqual([undefined, false]));
    for (let i = 0; i < 6; i++) expect(await status()).toBe("pending");
    const { served } = find() ?? { served: 0 };
    await eventually(() => expect(find()?.isUp).toBe(true));
    for (let i = 0; i < 3; i++) expect(await status()).toBe("pending");
    await eventually(() => expect(find()?.served).toBeGreaterThan(served));
    socket.close();
    // Without a panel, the players answer by themselves.
    await eventually(async () => expect(await status()).toBe("accepted"));
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  },
);
