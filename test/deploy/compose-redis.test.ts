import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createClient } from "@redis/client";
import { parse } from "yaml";
import { findRedisServer } from "../../lab/scale/redis-server.ts";
import { eventually } from "../helpers/eventually.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { DEPLOY, findProgram, freePort, recipe, replaced } from "./front.ts";

const { redis } = parse(recipe("docker/compose.scale.yml")).services;
const isHere = findRedisServer() !== undefined && findProgram(["redis-cli"], "--version") !== undefined;
const PASSWORD = "0123456789abcdef";

needs("redis-server and redis-cli", isHere).describe("Redis as started by the composition", () => {
  const folder = newFolder("compose-");
  let port = 0;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    port = await freePort();
    for (const name of ["run", "data"]) mkdirSync(join(folder, name));
    const [program, ...args]: string[] = redis.entrypoint;
    const [command = ""]: string[] = redis.command;
    // As Compose fills it in, with the folders of a test.
    const line = replaced(command.replaceAll("$$", "$"), [
      ["/recipe/", join(DEPLOY, "redis/")],
      ["/run/redis/", `${join(folder, "run")}/`],
      ["--dir /data", `--dir ${join(folder, "data")} --port ${port}`],
    ]);
    const child = spawn(program ?? "", [...args, line], {
      env: { ...process.env, REDIS_PASSWORD: PASSWORD },
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    stop = () => {
      child.kill("SIGTERM");
      return ended;
    };
  });
  afterAll(async () => {
    await stop?.();
  });

  /** Runs the check of the container. */
  const check = (password: string): Promise<unknown> => {
    const [, program = "", ...args]: string[] = redis.healthcheck.test;
    const env = { ...process.env, REDISCLI_AUTH: password };
    return promisify(execFile)(program, ["-p", `${port}`, ...args], { env });
  };

  it("passes its own check, which needs only its password", async () => {
    await eventually(() => check(PASSWORD));
    await expect(check("another")).rejects.toMatchObject({ code: 1 });
  });

  it("accepts the sidecar", async () => {
    const client = createClient({ url: `redis://web-bridge:${PASSWORD}@127.0.0.1:${port}` });
    await client.connect();
    expect(await client.set("{web-bridge}:room", "1")).toBe("OK");
    client.destroy();
  });
});
