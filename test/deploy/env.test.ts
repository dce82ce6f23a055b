import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { CONFIG_FILE, RUN_BY } from "../../cli/variables.ts";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";
import { configLines, configShown } from "../docs/config-lines.ts";
import { faultsFrom as faultsOf } from "../helpers/config.ts";
import { environmentOf, servicesOf } from "./compose.ts";
import { DEPLOY, recipe } from "./front.ts";

// Blocks of deploy/docker/README.md: settings properties
// Blocks of deploy/README.md: a-proxy-with-tls sh

const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => `${entry.parentPath}/${entry.name}`.slice(DEPLOY.length).replace(/^[\\/]/, ""));

describe("the settings in the recipes", () => {
  const known = [...SETTINGS_BY_PATH.keys()].map(variableOf).concat(RUN_BY, CONFIG_FILE);

  it.each(files)("exist, as far as %s has variables", file => {
    const named = [...recipe(file).matchAll(/WEB_BRIDGE_[A-Z][A-Z_]*[A-Z]/g)].map(([name]) => name);
    expect(named.filter(name => !known.includes(name))).toEqual([]);
  });

  it("of the image are accepted", () => {
    const text = recipe("docker/Dockerfile").replace(/\\\n\s*/g, " ");
    const env = Object.fromEntries(
      [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = ""]) =>
        pairs
          .split(/\s+/)
          .filter(pair => pair.startsWith("WEB_BRIDGE_"))
          .map(pair => pair.split("=") as [string, string]),
      ),
    );
    expect(Object.keys(env)).toEqual(["WEB_BRIDGE_CONFIG", "WEB_BRIDGE_STORAGE_FOLDER"]);
    expect(faultsOf("", env)).toEqual([]);
  });

  it.each([
    ["docker/compose.yml", undefined],
    ["docker/compose.yml", "docker/compose.host.yml"],
    ["docker/compose.scale.yml", undefined],
    ["docker/compose.game.yml", undefined],
  ])("of %s are accepted for each service, unchanged and filled in, with %s over it", (file, over) => {
    const services = servicesOf(file, over);
    const own = {
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: "https://www.example.com,https://example.com",
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "a-key-of-somebody",
    };
    for (const name of ["web-bridge", "setup", "doctor"])
      for (const files of [{}, { "web-bridge.env": own }]) {
        const env = environmentOf(services[name], { files, values: { REDIS_PASSWORD: "secret" } });
        expect(Object.keys(env)).toEqual(expect.arrayContaining(Object.keys(Object.values(files)[0] ?? {})));
        expect([name, faultsOf("", env)]).toEqual([name, []]);
      }
  });

  it("of the file on the page are accepted, and none of them is overridden", () => {
    const examples =
      /`web-bridge\.env`[\s\S]*?```properties\n([\s\S]*?)```/.exec(recipe("docker/README.md"))?.[1] ?? "";
    const own = Object.fromEntries(
      examples
        .trim()
        .split("\n")
        .map(line => line.split("=") as [string, string]),
    );
    expect(Object.keys(own).length).toBeGreaterThan(1);
    const env = environmentOf(servicesOf()["web-bridge"], { files: { "web-bridge.env": own } });
    expect(env).toMatchObject(own);
    expect(faultsOf("", env)).toEqual([]);
  });

  it.each(["caddy/Caddyfile", "nginx/web-bridge.conf"])("that %s needs are accepted", file => {
    const lines = [...recipe(file).matchAll(/^# {8}(.*)$/gm)].map(([, line = ""]) => line);
    expect(lines).toEqual(configLines("deploy/README.md", "a-proxy-with-tls"));
  });

  it("on the page about proxies are those that a local proxy needs", () => {
    const { host, trustProxy } = configShown("deploy/README.md", "a-proxy-with-tls").modules.api;
    expect([host, trustProxy]).toEqual(["127.0.0.1", ["loopback"]]);
  });
});
