import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";
import { configShown } from "../docs/config-lines.ts";
import { linesUnder } from "../docs/pages.ts";
import { ROOT } from "../package/packages.ts";
import { recipe } from "./front.ts";

// Blocks of deploy/README.md: several-sidecars sh

describe("the commands for several sidecars", () => {
  const lines = linesUnder("deploy/README.md", "several-sidecars", "sh")
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n");

  it("run existing units and programs", () => {
    for (const line of lines) {
      for (const [, path = ""] of line.matchAll(/\/opt\/web-bridge\/(deploy\/\S+)/g))
        expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      for (const [, instance = ""] of line.matchAll(/web-bridge@(?!\.)(\S*)/g))
        expect(instance).toMatch(/^[1-9]$/);
    }
    expect(lines.filter(line => line.startsWith("sudo systemctl"))).toHaveLength(5);
    expect(lines.filter(line => line.includes("/web-bridge doctor "))).toHaveLength(1);
  });

  it("use the ports of the first sidecar as in its unit and the proxies", () => {
    const known = [...SETTINGS_BY_PATH.keys()].map(variableOf);
    const set = [...lines.join("\n").matchAll(/(WEB_BRIDGE_\w+)=(\d+)/g)];
    expect(set).toHaveLength(2);
    for (const [, name = "", value = ""] of set) {
      expect(known).toContain(name);
      expect(recipe("systemd/web-bridge@.service")).toContain(`${name}=${value.slice(0, -1)}%i`);
      for (const proxy of ["nginx/web-bridge-scale.conf", "caddy/Caddyfile.scale"])
        for (const each of [1, 2, 3])
          expect(recipe(proxy)).toContain(`127.0.0.1:${value.slice(0, -1)}${each}`);
    }
  });

  it("are next to settings that make one service of all sidecars", () => {
    const { storage, modules } = configShown("deploy/README.md", "several-sidecars");
    expect([storage.kind, modules.api.trustProxy]).toEqual(["redis", ["loopback"]]);
    expect(recipe("redis/redis.conf")).toContain(storage.url);
  });
});

describe("the commands for several sidecars in containers", () => {
  it("come after the variables of .env that they need", () => {
    const [before = ""] = recipe("docker/README.md").split("## Several sidecars\n")[1]?.split("```sh") ?? [];
    const read = [...recipe("docker/compose.scale.yml").matchAll(/\$\{(SITE|\w+(?=:\?))/g)];
    expect(read.length).toBeGreaterThan(1);
    for (const [, name = ""] of read) expect(before).toContain(`\`${name}`);
  });
});
