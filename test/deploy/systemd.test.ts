import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readRunBy } from "../../cli/run-by.ts";
import { blocks, linesUnder, text } from "../docs/pages.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { findProgram, recipe } from "./front.ts";

// Blocks of deploy/README.md: linux ini, linux-both-as-one-service sh

const analyze = findProgram(["systemd-analyze"], "--version");

const linesOf = (text: string): string[] =>
  text.split("\n").filter(line => line !== "" && !line.startsWith("#"));

describe.each([
  { name: "web-bridge", instance: "web-bridge" },
  { name: "web-bridge@", instance: "web-bridge@3" },
])("the unit $name for systemd", ({ name, instance }) => {
  const file = recipe(`systemd/${name}.service`);
  const lines = linesOf(file);
  const settingOf = (key: string): string | undefined =>
    lines
      .filter(line => line.startsWith(`${key}=`))
      .at(-1)
      ?.slice(key.length + 1);

  it("keeps configuration and data in its own folder, as its own user", () => {
    expect(settingOf("StateDirectory")).toBe("web-bridge");
    expect(settingOf("ExecStart")).toMatch(/ --config \/var\/lib\/web-bridge\/config\.yml$/);
    expect(settingOf("DynamicUser")).toBe("yes");
    expect(settingOf("ProtectSystem")).toBe("strict");
    expect(settingOf("NoNewPrivileges")).toBe("yes");
  });

  it("tells the sidecar its name, so that advice is to restart the unit", () => {
    expect(lines).toContain("Environment=WEB_BRIDGE_RUN_BY=systemd:%N");
    expect(readRunBy(`systemd:${instance}`)).toEqual({ kind: "systemd", unit: instance });
  });

  it("allows to see processes of other users, and executable memory", () => {
    for (const key of ["ProtectProc", "ProcSubset", "MemoryDenyWriteExecute", "PrivateUsers"])
      expect(settingOf(key)).toBeUndefined();
  });

  needs("systemd-analyze", analyze !== undefined).it(
    "passes systemd's own check, and its security check",
    () => {
      const folder = newFolder("unit-");
      // A template is checked by one of its instances.
      writeFileSync(join(folder, `${name}.service`), file);
      const unit = join(folder, `${instance}.service`);
      const verified = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
      const security = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", unit]);
      expect(verified.stderr.split("\n").filter(line => line.includes("web-bridge"))).toEqual([]);
      expect(verified.status).toBe(0);
      expect(security.status).toBe(0);
    },
  );
});

describe("the unit for several sidecars", () => {
  const single = linesOf(recipe("systemd/web-bridge.service"));
  const template = linesOf(recipe("systemd/web-bridge@.service"));

  it("is that for one, except for its name, ports, user and Redis", () => {
    const differs = template.filter(line => !single.includes(line));
    expect(differs).toEqual([
      "Description=Web Bridge, sidecar %i of a Minecraft Bedrock server",
      "After=network-online.target redis-server.service",
      "Environment=WEB_BRIDGE_MODULES_API_PORT=810%i",
      "Environment=WEB_BRIDGE_BRIDGE_PORT=820%i",
      "User=web-bridge",
    ]);
    expect(single.filter(line => !template.includes(line)).map(line => line.split("=")[0])).toEqual([
      "Description",
      "After",
    ]);
  });
});

describe("the units for a game server and the sidecar", () => {
  const names = ["web-bridge-game.service", "web-bridge-game.socket"] as const;
  const [service, socket] = names.map(name => linesOf(recipe(`systemd/${name}`)));
  const serviceValue = (key: string) =>
    service?.find(line => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? "";

  it("start both with the command of the page about it, in the folder of the archive", () => {
    const [command = ""] = linesUnder("docs/launch.md", "start-both-with-one-command", "sh");
    expect(serviceValue("ExecStart")).toBe(
      command.replace(".", `/bin/sh ${serviceValue("WorkingDirectory")}`),
    );
  });

  it("leave the stop to launch, and wait until it has killed a game server that does not end", () => {
    expect(serviceValue("KillMode")).toBe("mixed");
    const timeout = /--stop-timeout (\d+)s`/.exec(text("docs/launch.md"))?.[1];
    expect(Number(serviceValue("TimeoutStopSec"))).toBeGreaterThan(Number(timeout) + 10);
  });

  it("are copied by the page, which writes to the console that they open", () => {
    const [copied = ""] = linesUnder("deploy/README.md", "linux-both-as-one-service", "sh");
    expect(copied).toBe(
      `sudo cp ${names.map(name => `deploy/systemd/${name}`).join(" ")} /etc/systemd/system/`,
    );
    expect(serviceValue("Sockets")).toBe(names[1]);
    const console = socket?.find(line => line.startsWith("ListenFIFO="))?.split("=")[1];
    expect(text("deploy/README.md")).toContain(`sudo tee ${console}\``);
  });

  needs("systemd-analyze", analyze !== undefined).it("pass systemd's own check", () => {
    const folder = newFolder("units-");
    for (const name of names) writeFileSync(join(folder, name), recipe(`systemd/${name}`));
    const units = names.map(name => join(folder, name));
    const verified = spawnSync("systemd-analyze", ["verify", ...units], { encoding: "utf8" });
    expect(verified.stderr.split("\n").filter(line => line.includes("web-bridge"))).toEqual([]);
    expect(verified.status).toBe(0);
  });
});

it("an unprivileged container omits lines of the unit", () => {
  const unit = linesOf(recipe("systemd/web-bridge.service")).map(line => line.split("=")[0]);
  const [file = ""] = blocks("deploy/README.md", "ini").map(block => block.text);
  const [section, ...lines] = linesOf(file);
  expect(section).toBe("[Service]");
  for (const line of lines) {
    const [key = "", value] = line.split("=");
    expect([key, value]).toEqual([key, key === "User" ? "web-bridge" : "no"]);
    expect([key, unit.includes(key)]).toEqual([key, key !== "User"]);
  }
});
