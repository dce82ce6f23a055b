import { describe, expect, it } from "@jest/globals";
import { SETTINGS } from "../../sidecar/config/settings.ts";
import { code, linesUnder, table } from "../docs/pages.ts";
import { environmentOf, portsOf, servicesOf } from "./compose.ts";
import { recipe } from "./front.ts";

// Blocks of deploy/docker/README.md: two-game-servers properties
// Blocks of docs/ports.md: choose-the-udp-ports properties, open-them sh, open-them powershell

const PAGE = "docs/ports.md";
const DOCKER = "deploy/docker/README.md";
const ADDRESS = "203.0.113.7";

/** The lines that a page shows under a heading. */
const examples = (heading: string, language: string, page = PAGE): string[] =>
  linesUnder(page, heading, language);

/** The variables of such lines of `NAME=value`. */
const setBy = (lines: string[]): Record<string, string> =>
  Object.fromEntries(lines.map(line => line.split("=") as [string, string]));

/** First and last port of a range. */
function ends(range = ""): [first: number, last: number] {
  const [first = Number.NaN, last = first] = range.split("-").map(Number);
  return [first, last];
}

const width = (range?: string): number => ends(range)[1] - ends(range)[0] + 1;

/** A published port: on the host, in the container, and its protocol. */
const published = (port = ""): string[] => port.split(/[:/]/);

describe.each(["docker/compose.yml", "docker/compose.scale.yml"])("the game server of %s", file => {
  const { bds } = servicesOf(file);

  it.each([
    ["as it is", {}],
    ["with ports of its owner", { SERVER_PORT: "19200", UDP_PORTS: "19201-19230" }],
  ])("is published on the ports where it listens, over UDP where required: %s", (_how, more) => {
    const values = { SERVER_ADDRESS: ADDRESS, ...more };
    const { TRANSPORT, SERVER_PORT, SERVER_UDP_PORTS = "" } = environmentOf(bds, { values });
    const [joining, game, ...others] = portsOf(bds, { values });
    expect(others).toEqual([]);
    expect(TRANSPORT).toBe("nethernet");
    expect(published(joining)).toEqual([SERVER_PORT, SERVER_PORT, "tcp"]);
    const [address, outside, inside, ...rest] = SERVER_UDP_PORTS.split(":");
    expect([address, rest]).toEqual([ADDRESS, []]);
    expect(published(game)).toEqual([outside, inside, "udp"]);
    expect(width(outside)).toBe(width(inside));
    const [first, last] = ends(inside);
    expect(Number(SERVER_PORT) < first || Number(SERVER_PORT) > last).toBe(true);
  });

  it("is the only published service for players, without its port for the local network", () => {
    const all = Object.entries(servicesOf(file)).map(([name, service]) => [name, portsOf(service)] as const);
    const ports = all.flatMap(([, each]) => each).map(port => published(port).at(-2));
    for (const unpublished of ["7551", "8081", "19133", "19144"]) expect(ports).not.toContain(unpublished);
    const udp = all.filter(([, each]) => each.some(port => port.endsWith("/udp")));
    expect(udp.map(([name]) => name)).toEqual(["bds"]);
    expect(bds?.environment?.SERVER_UDP_PORTS).toMatch(
      /^\$\{SERVER_ADDRESS:\?[^}]*deploy\/docker\/\.env[^}]*\}:/,
    );
  });
});

describe("two game servers on one machine", () => {
  it("have their own ports, project and volumes, with the lines of the page", () => {
    const [first, second] = [{}, setBy(examples("two-game-servers", "properties", DOCKER))].map(more => {
      const values = { SERVER_ADDRESS: ADDRESS, ...more };
      const { bds, "web-bridge": sidecar } = servicesOf();
      return [...portsOf(bds, { values }), ...portsOf(sidecar, { values })];
    });
    const outside = (ports: string[] = []): [string, number, number][] =>
      ports.map(port => {
        const own = published(port);
        const isUdp = own.at(-1) === "udp";
        const range = own[own.length - (/^\d/.test(own.at(-1) ?? "") ? 2 : 3)];
        return [isUdp ? "udp" : "tcp", ...ends(range)];
      });
    expect(outside(second)).toHaveLength(3);
    for (const [kind, from, to] of outside(second))
      for (const [otherKind, otherFrom, otherTo] of outside(first))
        expect(kind !== otherKind || to < otherFrom || from > otherTo).toBe(true);
    expect(setBy(examples("two-game-servers", "properties", DOCKER)).COMPOSE_PROJECT_NAME).toMatch(
      /^(?!web-bridge$)[a-z-]+$/,
    );
    for (const volume of ["bds", "web-bridge"])
      expect(recipe("docker/compose.yml")).toMatch(new RegExp(`^  ${volume}:$`, "m"));
  });
});

describe("the host network", () => {
  const services = servicesOf("docker/compose.yml", "docker/compose.host.yml");

  it("has game server, sidecar and doctor, without published ports", () => {
    for (const name of ["bds", "web-bridge", "doctor"])
      expect([name, services[name]?.network_mode, portsOf(services[name])]).toEqual([name, "host", []]);
    expect(environmentOf(services.bds)).toEqual(environmentOf(servicesOf().bds));
  });

  it("opens the sidecar to this machine only, for a local proxy and the pack", () => {
    for (const name of ["web-bridge", "setup", "doctor"])
      expect(environmentOf(services[name])).toMatchObject({
        WEB_BRIDGE_BRIDGE_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
        WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
      });
    const address = (name: string): string | undefined => services[name]?.entrypoint?.at(-1);
    expect([address("setup"), address("doctor")]).toEqual(["http://127.0.0.1:8081", "127.0.0.1"]);
  });
});

describe("the ports on the page", () => {
  const rows = table(PAGE, "ports");
  const values = { SERVER_ADDRESS: ADDRESS };
  const [joining, game] = portsOf(servicesOf().bds, { values }).map(port =>
    published(port).slice(1).join("/"),
  );

  it("are those of the composition and of the settings, and that of the local network", () => {
    const { modules, bridge } = SETTINGS;
    expect(rows.map(([port]) => code(port)[0])).toEqual([
      joining,
      game,
      "7551/udp",
      `${modules.api.port.default}/tcp`,
      `${bridge.port.default}/tcp`,
    ]);
    expect(rows.map(row => row[2])).toEqual([
      "players",
      "players",
      "the local network, or nobody",
      "[a proxy](../deploy/README.md#a-proxy-with-tls)",
      "nobody",
    ]);
  });

  it("are opened by the firewall commands for Linux and Windows, and no others", () => {
    const [, first, last] = /^(\d+)-(\d+)\/udp$/.exec(game ?? "") ?? [];
    expect(examples("open-them", "sh")).toEqual([
      `sudo ufw allow ${joining}`,
      `sudo ufw allow ${first}:${last}/udp`,
    ]);
    const rules = examples("open-them", "powershell").map(line =>
      /-Protocol (\w+) -LocalPort (\S+)/.exec(line)?.slice(1),
    );
    expect(rules).toEqual([
      ["TCP", joining?.split("/")[0]],
      ["UDP", `${first}-${last}`],
    ]);
  });

  it("are those in the line for server.properties, the same on host and container", () => {
    const [own, mapped] = examples("choose-the-udp-ports", "properties").map(
      line => /^server-udp-ports=(.+)$/.exec(line)?.[1],
    );
    expect(`${own}/udp`).toBe(game);
    expect(mapped).toBe(`${ADDRESS}:${own}:${own}`);
  });
});
