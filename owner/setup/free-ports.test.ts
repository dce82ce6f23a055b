import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { configFrom } from "../../test/helpers/config.ts";
import { bench, freshBench } from "../../test/helpers/server-setup.ts";
import { isPortInUse } from "./free-ports.ts";

// Own connections: listens at a port, so that it is taken.

freshBench();

/** Another configuration in the folder of the bench. */
function config(name: string, text: string): string {
  const path = join(bench.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** The ports that a configuration gives its sidecar. */
function ports(): number[] {
  const { modules, bridge } = configFrom(bench.read(bench.config));
  return [modules.api.port, bridge.port];
}

const url = (): string => JSON.parse(bench.read(bench.script("variables.json")))["bridge-url"];

describe("a second sidecar", () => {
  it.each(["first/config.yml", "sidecar/first.yml", "sidecar/first.yaml"])(
    "has the next ports where the first one's configuration is at %s, and that is said",
    async name => {
      const first = config(name, defaultConfigFile());
      expect((await bench.setUp({ dryRun: true })).url).toBe("http://127.0.0.1:8083");
      expect((await bench.setUp()).url).toBe("http://127.0.0.1:8083");
      expect(ports()).toEqual([8082, 8083]);
      expect(url()).toBe("http://127.0.0.1:8083");
      expect(bench.lines).toContain(
        "      modules.api.port: 8080 -> 8082\n      bridge.port: 8081 -> 8083\n",
      );
      expect(bench.lines).toContain(
        `note: ${first} uses port 8080 or 8081 for its sidecar: this one gets 8082 and 8083. If browsers reach both under one host name, give this one its own cookie name: modules.api.session-cookie.name`,
      );
      expect((await bench.setUp()).end).toBe("nothing");
      expect(ports()).toEqual([8082, 8083]);
    },
  );

  it("gets ports that no other sidecar uses, however their files are written", async () => {
    config("a/config.yml", "log.level: info\n");
    config("b/config.yml", "modules: {api: {port: 8082}}\nbridge.port: 9000\n");
    config("c/config.yml", "modules.api.port: 9001\nbridge.port: 8085\n");
    bench.taken = [8086];
    await bench.setUp();
    expect(ports()).toEqual([8088, 8089]);
    expect(bench.lines).toMatch(/^ *note: .+ uses port 8080 or 8081 .+: this one gets 8088 and 8089\. If/m);
    await bench.undo();
    expect(bench.read(bench.config)).toBe(
      defaultConfigFile().replace("port: 8080", "port: 8088").replace("port: 8081", "port: 8089"),
    );
  });

  it("keeps the default ports if the first one has others, and ignores other programs' configurations", async () => {
    config("a/config.yml", "modules.api.port: 9001\nbridge.port: 9002\n");
    config("b/config.yml", "listeners:\n- host: 0.0.0.0:25577\n");
    config("c/config.yml", "");
    config("d/config.yml", "[".repeat(1000));
    config("sidecar/compose.yml", "services: {}\n");
    await bench.setUp();
    expect(ports()).toEqual([8080, 8081]);
    expect(bench.lines).not.toContain("gets");
  });

  it("keeps the ports in its own configuration, however many others claim them", async () => {
    config("first/config.yml", "");
    config("first/config.yml", defaultConfigFile());
    config("sidecar/config.yml", "log.level: info\n");
    bench.taken = [8080];
    await bench.setUp();
    expect(ports()).toEqual([8080, 8081]);
  });

  it.each<[string, object, Record<string, string>]>([
    ["address was named", { bridgeUrl: "http://10.0.0.1:8081" }, {}],
    ["port is in the environment", {}, { WEB_BRIDGE_BRIDGE_PORT: "8081" }],
    ["public port is in the environment", {}, { WEB_BRIDGE_MODULES_API_PORT: "8080" }],
  ])("keeps the default ports if its %s", async (_what, options, env) => {
    config("first/config.yml", defaultConfigFile());
    bench.env = env;
    await bench.setUp(options);
    expect(ports()).toEqual([8080, 8081]);
  });

  it("keeps the default ports, with a warning, if no free one is found", async () => {
    bench.taken = Array.from({ length: 1000 }, (_, i) => 8080 + i);
    await bench.setUp();
    expect(ports()).toEqual([8080, 8081]);
    expect(bench.lines).toContain(
      "note: another program uses port 8080 or 8081 on this machine: choose other ports, with modules.api.port and bridge.port in",
    );
  });
});

describe("a port of this machine", () => {
  it("is in use if a program listens on that address or on all", async () => {
    const port = await freePort();
    expect(await isPortInUse({ host: "127.0.0.1", port })).toBe(false);
    const other = createServer();
    await new Promise<void>(done => other.listen(port, "127.0.0.1", done));
    expect(await isPortInUse({ host: "127.0.0.1", port })).toBe(true);
    expect(await isPortInUse({ host: "0.0.0.0", port })).toBe(process.platform === "linux");
    await new Promise(done => other.close(done));
    expect(await isPortInUse({ host: "127.0.0.1", port })).toBe(false);
  });

  it("is not in use if that is not known", async () => {
    expect(await isPortInUse({ host: "192.0.2.1", port: 8080 })).toBe(false);
  });
});
