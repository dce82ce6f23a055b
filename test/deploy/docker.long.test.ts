import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { sidecarFiles } from "../../scripts/package.mjs";
import { blocks, linesUnder } from "../docs/pages.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";
import { IS_BUILT, ROOT } from "../package/packages.ts";
import { environmentOf, portsOf, servicesOf } from "./compose.ts";
import { freePort, recipe } from "./front.ts";

// Blocks of deploy/docker/README.md: two-containers sh, one-container sh, several-sidecars sh
// Blocks of deploy/docker/README.md: one-container properties, add-the-sidecar-to-your-composeyml yaml
// Blocks of deploy/docker/README.md: add-the-sidecar-to-your-composeyml sh, with-docker-alone sh

const DOCKER = "deploy/docker/README.md";
const dockerfile = recipe("docker/Dockerfile").replace(/\\\n\s*/g, " ");
const composition = parse(recipe("docker/compose.yml"), { merge: true });
const { bds, setup, doctor, "web-bridge": sidecar } = composition.services;

const all = (pattern: RegExp): string[] => [...dockerfile.matchAll(pattern)].map(([, found]) => found ?? "");

const wordBehind = (option: string, words: string[]): string | undefined => words[words.indexOf(option) + 1];

describe("the image", () => {
  needs("npm run build", IS_BUILT).it("is built from files that the repository and the archive have", () => {
    for (const script of all(/\bRUN node (\S+)/g)) expect(existsSync(join(ROOT, script))).toBe(true);
    const packed = sidecarFiles("0.0.0").map(({ path }) => path);
    const [from, to] = /^COPY --from=build \/out\/(\S+) (\S+)$/m.exec(dockerfile)?.slice(1) ?? [];
    expect(packed.length).toBeGreaterThan(5);
    for (const path of packed) expect(path.startsWith(`${from}/`)).toBe(true);
    expect(all(/^ENTRYPOINT (.*)$/gm)).toEqual([`["sh", "${to}/entrypoint.sh"]`]);
    expect(dockerfile).toContain(`&& cp deploy/docker/entrypoint.sh /out/${from}/\n`);
    for (const [, path = ""] of recipe("docker/entrypoint.sh").matchAll(/^ *exec node (\S+)/gm))
      expect(packed).toContain(path.replace(`${to}/`, `${from}/`));
    expect(setup.entrypoint.slice(0, 2)).toEqual(["node", `${to}/dist/tools/setup.js`]);
    expect(doctor.entrypoint.slice(0, 2)).toEqual(["node", `${to}/dist/tools/doctor.js`]);
  });

  it("keeps nothing of the build stage, installs only what the game needs, and runs as an unprivileged user", () => {
    const [, , amd64 = "", arm64 = "", last = "", ...others] = dockerfile.split(/^(?=FROM )/m);
    expect(others).toEqual([]);
    for (const stage of [amd64, arm64])
      expect(stage).toMatch(/^FROM \$\{NODE_IMAGE\} AS for-(amd64|arm64)$/m);
    expect(last).toMatch(/^FROM for-\$\{TARGETARCH\}$/m);
    expect(arm64 + last).not.toMatch(/npm|apt-get|^RUN /m);
    const installed = /^if command -v apt-get; then .* --no-install-recommends ([a-z\d -]+?) +&& .*; +fi$/;
    const [words = "", ...more] = [...amd64.matchAll(/^RUN (.*)$/gm)].map(([, each]) => each);
    expect([installed.exec(words)?.[1], more]).toEqual(["ca-certificates libcurl4", []]);
    const [user, ...otherUsers] = [...last.matchAll(/^USER (.*)$/gm)].map(([, each]) => each);
    expect(otherUsers).toEqual([]);
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(last).toContain(`COPY --from=build --chown=${user} /out/data /data\n`);
    // Node 20 is no longer maintained.
    expect(all(/^ARG NODE_IMAGE=node:(\d+)-slim$/gm).map(Number)[0]).toBeGreaterThanOrEqual(22);
  });

  it("checks /healthz, at the port in the file or a variable", async () => {
    const [folder, port] = [newFolder("health-"), await freePort()];
    const file = join(folder, "config.yml");
    const [program, ...words]: string[] = JSON.parse(all(/HEALTHCHECK .* CMD (\[.*\])$/gm)[0] ?? "[]");
    expect([program, words[0]]).toEqual(["node", "/app/main.js"]);
    const args = words.map(word => word.replace("/data", folder).replace("/app", join(ROOT, "dist/sidecar")));
    const check = (env = {}): Promise<unknown> => promisify(execFile)(process.execPath, args, { env });
    const said = (text: string) => ({ code: 1, stderr: expect.stringContaining(text) });
    await expect(check()).rejects.toMatchObject(said("config.yml: cannot be read"));
    expect(existsSync(file)).toBe(false);
    for (const host of ["127.0.0.1", "::", "localhost"]) {
      const yaml = `modules: {api: {host: "${host}", port: ${port}, hosts: [bridge.example.com]}}`;
      writeFileSync(file, yaml);
      const env = { WEB_BRIDGE_MODULES_API_HOST: host, WEB_BRIDGE_MODULES_API_PORT: `${port}` };
      const running = await startTestSidecar({ yaml, env });
      await check();
      await running.stop();
    }
    await expect(check()).rejects.toMatchObject(said(`port ${port}: ECONNREFUSED`));
    await expect(check({ WEB_BRIDGE_MODULES_API_PORT: "1" })).rejects.toMatchObject(said("port 1: "));
  });
});

describe("the composition", () => {
  it("publishes the public listener on this machine only and the bridge listener nowhere, and keeps its volumes", () => {
    const mounts: string[] = [...bds.volumes, ...sidecar.volumes, ...setup.volumes, ...doctor.volumes];
    expect(new Set(mounts.map(mount => mount.split(":")[0]))).toEqual(
      new Set(Object.keys(composition.volumes)),
    );
    expect(sidecar.volumes).toEqual(["web-bridge:/data"]);
    expect(portsOf(sidecar)).toEqual(["127.0.0.1:8080:8080"]);
    expect(portsOf(bds)).toEqual(["19132:19132/tcp", "19140-19155:19140-19155/udp"]);
    expect(sidecar.environment.WEB_BRIDGE_BRIDGE_HOST).toBe("0.0.0.0");
  });

  it("lets the doctor read both sides without write access, with the variables of both", () => {
    expect(doctor.volumes).toEqual([`${bds.volumes[0].split(":")[0]}:/server:ro`, sidecar.volumes[0]]);
    expect([doctor.read_only, doctor.cap_drop]).toEqual([true, ["ALL"]]);
    expect(wordBehind("--sidecar", doctor.entrypoint)).toBe("web-bridge");
    const own = { files: { "bds.env": { ALLOW_LIST_USERS: "Steve" }, "web-bridge.env": { A: "b" } } };
    const known = environmentOf(doctor, own);
    expect(known.WEB_BRIDGE_RUN_BY).toBe("compose");
    expect(known).toEqual({ ...environmentOf(bds, own), ...environmentOf(sidecar, own) });
  });

  it("overrides no setting of the owner, accepts no licence, and writes no names to the allowlist", () => {
    expect(bds.environment.EULA).toBe(["${EULA", "FALSE}"].join(":-"));
    expect(bds.environment.ALLOW_LIST).toBe(["${ALLOW_LIST", "true}"].join(":-"));
    expect(Object.keys(bds.environment)).not.toContain("ALLOW_LIST_USERS");
    const own = Object.keys(sidecar.environment).sort();
    expect(own).toEqual([
      "WEB_BRIDGE_BRIDGE_HOST",
      "WEB_BRIDGE_LOG_FORMAT",
      "WEB_BRIDGE_MODULES_API_TRUST_PROXY",
      "WEB_BRIDGE_RUN_BY",
    ]);
  });

  it("has the tools in the sidecar's container print commands for the host", () => {
    const folder = newFolder("container ");
    writeFileSync(join(folder, "config.yml"), "");
    const own = environmentOf(servicesOf()["web-bridge"]);
    const env = { ...own, WEB_BRIDGE_CONFIG: join(folder, "config.yml") };
    const run = (tool: string, ...args: string[]): string =>
      execFileSync(process.execPath, [join(ROOT, `dist/tools/${tool}.js`), ...args], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
    const compose = "docker compose -f deploy/docker/compose.yml";
    const apart = `${compose} run --rm --entrypoint node web-bridge /app/dist/tools`;
    expect(run("config", "set", "log.level", "warn")).toContain(
      `It takes effect after a restart: ${compose} restart web-bridge\n`,
    );
    expect(run("key", "panel")).toContain(`${apart}/config.js add modules.api.admin-keys `);
  });
});

describe("the composition for one container", () => {
  const { services, volumes } = parse(recipe("docker/compose.game.yml"), { merge: true });
  const { "web-bridge": both } = services;

  it("mounts the folder of the game server where the image looks for it, and keeps the sidecar's data", () => {
    for (const { volumes: mounts } of Object.values<{ volumes: string[] }>(services))
      expect(mounts).toEqual([expect.stringMatching(/^\$\{GAME_FOLDER:\?.+\}:\/game$/), "web-bridge:/data"]);
    expect(Object.keys(volumes)).toEqual(["web-bridge"]);
    expect(recipe("docker/entrypoint.sh")).toContain("--server /game ");
    for (const tool of [services.setup, services.doctor])
      expect(wordBehind("--server", tool.entrypoint)).toBe("/game");
  });

  it("publishes the ports of the page for the game, and the public listener on this machine only", () => {
    const [port = "", udp = ""] = linesUnder(DOCKER, "one-container", "properties").slice(1);
    const [, number] = port.split("=");
    const [, outside, inside] = udp.split(":");
    expect(portsOf(both)).toEqual([
      `${number}:${number}/tcp`,
      `${outside}:${inside}/udp`,
      "127.0.0.1:8080:8080",
    ]);
    expect(environmentOf(both)).not.toHaveProperty("WEB_BRIDGE_BRIDGE_HOST");
    expect(environmentOf(both).WEB_BRIDGE_RUN_BY).toBe("compose:deploy/docker/compose.game.yml");
  });

  it("is what the command for Docker alone runs", () => {
    const command = linesUnder(DOCKER, "with-docker-alone", "sh").join(" ");
    const values = (option: string): (string | undefined)[] =>
      [...command.matchAll(new RegExp(` ${option} ([\\w.:/-]+)`, "g"))].map(([, value]) => value);
    expect(command).toMatch(/^docker run -it /);
    expect(values("-p")).toEqual(portsOf(both));
    expect(values("-v")).toEqual(
      both.volumes.map((mount: string) => mount.replace(/^\$\{.*\}/, "/srv/bedrock")),
    );
    expect(values("--cap-drop")).toEqual(both.cap_drop);
    expect(values("--security-opt")).toEqual(both.security_opt);
    expect(values("--restart")).toEqual([both.restart]);
    expect(values("--stop-timeout").map(value => `${value}s`)).toEqual([both.stop_grace_period]);
    const name = "WEB_BRIDGE_MODULES_API_TRUST_PROXY";
    expect(command).toContain(` -e ${name}="${environmentOf(both)[name]}" `);
  });

  it("has a console, and more time to stop than the game has to save", () => {
    expect([both.stdin_open, both.tty]).toEqual([true, true]);
    const [, standard] =
      /"stop-timeout": \{ type: "string", default: "(\d+)s" \}/.exec(
        readFileSync(join(ROOT, "owner/launch/main.ts"), "utf8"),
      ) ?? [];
    expect(Number.parseInt(both.stop_grace_period, 10)).toBeGreaterThanOrEqual(Number(standard) + 30);
  });
});

describe("the lines for a composition of the owner", () => {
  const lines = linesUnder(DOCKER, "add-the-sidecar-to-your-composeyml", "yaml").join("\n");
  const { services } = parse(lines, { merge: true });
  /** `--name=value` as the two words of the composition. */
  const words = (entrypoint: string[]): string[] =>
    entrypoint.flatMap(word => word.split(/(?<=^--[a-z-]+)=/));

  it("have the sidecar, setup and doctor of the composition, with the image of the forge", () => {
    const values = { LOG_FORMAT: "pretty" };
    const own = { ...environmentOf(sidecar, { values }), WEB_BRIDGE_RUN_BY: "compose:compose.yml" };
    expect(services["web-bridge"].environment).toEqual(own);
    expect(services["web-bridge"].ports).toEqual(portsOf(sidecar));
    for (const [name, tool] of Object.entries({ setup, doctor })) {
      expect(services[name].environment).toEqual(own);
      expect(services[name].user).toBe(tool.user);
      const standard = tool.entrypoint.filter(
        (word: string) => !["--config", "/data/config.yml"].includes(word),
      );
      expect(words(services[name].entrypoint)).toEqual(standard);
    }
    // Tools use the configuration of the image.
    expect(dockerfile).toContain("WEB_BRIDGE_CONFIG=/data/config.yml");
    const images = new Set(["web-bridge", "setup", "doctor"].map(name => services[name].image));
    expect([...images]).toEqual(["ghcr.io/<owner>/<repository>"]);
  });

  it("give the game server the setting that its own image writes at each start", () => {
    const name = "CONTENT_LOG_CONSOLE_OUTPUT_ENABLED";
    expect(services.bds.environment).toEqual({ [name]: bds.environment[name] });
  });

  it("have the services that the commands name", () => {
    const named = linesUnder(DOCKER, "add-the-sidecar-to-your-composeyml", "sh").flatMap(
      line => /^docker compose (?:up -d|stop|restart|run --rm) ?(\S*)$/.exec(line)?.slice(1) ?? ["?"],
    );
    expect(Object.keys(services)).toEqual(expect.arrayContaining(named.filter(name => name !== "")));
    expect(named).toContain("setup");
  });
});

describe("the composition for several sidecars", () => {
  const scaled = parse(recipe("docker/compose.scale.yml"), { merge: true });
  const { services } = scaled;

  it("publishes only the proxy; sidecars and Redis, which has a password, stay internal", () => {
    const published = Object.entries<{ ports?: string[] }>(services).filter(([, { ports }]) => ports);
    expect(Object.fromEntries(published.map(([name, { ports }]) => [name, ports]))).toEqual({
      caddy: ["80:80", "443:443"],
    });
    expect(services.redis.environment.REDIS_PASSWORD).toMatch(/^\$\{REDIS_PASSWORD:\?.+\}$/);
  });

  it("reuses game server, setup, project and volumes of the other composition", () => {
    for (const name of ["bds", "setup", "doctor"])
      expect(services[name].extends).toEqual({ file: "compose.yml", service: name });
    expect(scaled.name).toBe(composition.name);
    expect(Object.keys(scaled.volumes)).toEqual(expect.arrayContaining(Object.keys(composition.volumes)));
    expect(services["web-bridge"].build).toEqual(sidecar.build);
    expect(services["web-bridge"].volumes).toEqual(sidecar.volumes);
    expect(wordBehind("--bridge-url", services.setup.entrypoint)).toBe("http://caddy:8081");
  });

  it("gives the doctor the settings of the sidecars", () => {
    const all = servicesOf("docker/compose.scale.yml");
    const own = { values: { REDIS_PASSWORD: "secret" } };
    expect(environmentOf(all.doctor, own)).toMatchObject({
      ...environmentOf(all["web-bridge"], own),
      WEB_BRIDGE_RUN_BY: "compose",
    });
    expect(all.doctor?.entrypoint).toEqual(doctor.entrypoint);
  });

  it("mounts existing files, and declared volumes", () => {
    for (const { volumes = [] } of Object.values<{ volumes?: string[] }>(services))
      for (const mount of volumes) {
        const [from = ""] = mount.split(":");
        if (from.startsWith(".")) expect(existsSync(join(ROOT, "deploy/docker", from))).toBe(true);
        else expect(Object.keys(scaled.volumes)).toContain(from);
      }
  });
});

describe("the commands for Docker on the page", () => {
  const commands = blocks(DOCKER, "sh").flatMap(({ text }) =>
    text.split("\n").filter(line => line.startsWith("docker compose -f ")),
  );

  it("use existing files and services, and valid options of Compose", () => {
    expect(commands).toHaveLength(22);
    for (const command of commands) {
      const [, options = "", rest] =
        /^docker compose ((?:-f \S+ )+)(?:build|pull|up|stop|run|logs|restart)( .*)?$/.exec(command) ?? [];
      const files = [...options.matchAll(/-f deploy\/(\S+) /g)].map(([, file]) => file);
      const words = (rest ?? "").replace("--scale web-bridge=3", "web-bridge").split(" ");
      const named = words.filter(word => word !== "" && !word.startsWith("-"));
      const services = files.flatMap(file => Object.keys(servicesOf(file)));
      expect([command, files.length > 0, services]).toEqual([command, true, expect.arrayContaining(named)]);
    }
  });
});
