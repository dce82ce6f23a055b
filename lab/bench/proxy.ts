import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pidusage from "pidusage";
import { HOST, makeCertificate, type Recipe } from "../../test/helpers/recipes.ts";
import { freePort } from "../scale/free-port.ts";
import { leaveNothing } from "./leftovers.ts";

const START_MS = 10_000;
const LOOK_MS = 50;

/** A proxy that ends TLS in front of a server. */
interface Proxy {
  port: number;
  /** name that the certificate is for, and the certificate */
  host: string;
  ca: string;
  /** CPU that it has used so far, in microseconds; counted in hundredths of a second */
  cpu(): Promise<number>;
}

/** Starts a proxy as a recipe has it, in front of a server of this host and port. */
export async function startProxy(program: string, recipe: Recipe, sidecar: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-proxy-"));
  const [certificate, port] = [makeCertificate(folder), await freePort()];
  const [command = "", ...args] = recipe(program, { folder, certificate, sidecar, port });
  const home = join(folder, "home");
  mkdirSync(home);
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(command, args, { cwd: folder, env, stdio: "ignore" });
  const gone = once(child, "exit");
  leaveNothing(async () => {
    child.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  await untilOpen(port);
  return {
    port,
    host: HOST,
    ca: readFileSync(certificate.cert, "utf8"),
    cpu: async () => (await pidusage(child.pid ?? 0)).ctime * 1_000,
  };
}

/** @throws where nothing listens at the port in time */
async function untilOpen(port: number): Promise<void> {
  for (const end = performance.now() + START_MS; ; await sleep(LOOK_MS)) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (performance.now() > end) throw new Error("the proxy did not start");
  }
}
