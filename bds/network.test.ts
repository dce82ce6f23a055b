import { describe, expect, it } from "@jest/globals";
import type { ServerFolder } from "./folder.ts";
import { needsSamePort, networkFaults, networkOf } from "./network.ts";
import { readProperties, valuesOf } from "./properties.ts";
import { readUdpPorts } from "./udp-ports.ts";

const [OLD, NEW, NEWEST] = [
  [1, 26, 45],
  [1, 26, 52, 3],
  [1, 26, 60, 6],
];

function server(...lines: string[]): ServerFolder {
  const text = lines.join("\n");
  return {
    root: "/bds",
    program: "/bds/bedrock_server",
    propertiesFile: "/bds/server.properties",
    properties: readProperties(text),
    udpPorts: valuesOf(text, "server-udp-ports"),
    nonUtf8Lines: [],
    levelName: "",
    world: { folder: "", levelDat: "", lists: { behavior: "", resource: "" }, lock: "" },
  };
}
const faultsOf = (version: number[], ...lines: string[]) => networkFaults(server(...lines), version);

describe("the transport of players", () => {
  it("defaults to RakNet before 1.26.50 and to NetherNet from then on", () => {
    expect(networkOf(server(), OLD)).toEqual({ transport: "raknet", port: 19132, host: "" });
    expect(networkOf(server(), NEW)).toEqual({ transport: "nethernet", port: 19132, host: "" });
  });

  it("uses server-port, and server-ip only with NetherNet", () => {
    const lines = ["server-port=19140", "server-ip=192.0.2.7"];
    expect(networkOf(server(...lines), NEW)).toMatchObject({ port: 19140, host: "192.0.2.7" });
    expect(networkOf(server(...lines, "transport=raknet"), NEW)).toMatchObject({ port: 19140, host: "" });
  });

  it.each([[], ["transport=raknet"], ["transport=nethernet"], ["server-portv6=20000"]])(
    "is no fault of a game before 1.26.50: %s",
    (...lines) => {
      expect(faultsOf(OLD, ...lines)).toEqual([]);
    },
  );

  it.each([
    "",
    "transport=",
    "transport=nethernet",
    "server-portv6=19133",
    "server-ip=",
    "server-udp-ports=",
  ])("is valid by default: %s", line => {
    expect([faultsOf(NEW, line), faultsOf(NEWEST, line)]).toEqual([[], []]);
  });

  it("warns of the effects of RakNet in each version", () => {
    const said = (version: number[]): string => faultsOf(version, "transport=raknet")[0]?.what ?? "";
    expect(said(NEW)).toContain("players of 1.26.60 and later cannot join");
    expect(said(NEWEST)).toContain("players of this game cannot join");
  });

  it("is RakNet for a game before 1.26.50 with an invalid transport, and NetherNet for a later one", () => {
    expect(faultsOf(OLD, "transport=udp")[0]?.fix).toEqual({ pair: "transport=raknet" });
    expect(faultsOf(NEW, "transport=udp")[0]?.fix).toEqual({ pair: "transport=nethernet" });
  });

  it("has a second port only with RakNet", () => {
    expect(faultsOf(OLD, "server-portv6=0")).toMatchObject([{ fix: { pair: "server-portv6=19133" } }]);
    expect(faultsOf(NEW, "server-portv6=0")).toMatchObject([{ fix: undefined }]);
  });

  it("ignores server-ip and server-udp-ports with RakNet, valid or not", () => {
    const found = faultsOf(OLD, "server-ip=x", "server-udp-ports=y");
    const nothing = "has no effect while transport is raknet";
    expect(found.map(({ what, fix }) => [what, fix])).toEqual([
      [`server-ip ${nothing}`, undefined],
      [`server-udp-ports ${nothing}`, undefined],
    ]);
  });
});

describe("server-udp-ports", () => {
  const ports = (from: number, to = from) => ({ from, to });

  it.each([
    ["19140", [{ outside: ports(19140), inside: ports(19140) }]],
    ["19140-19149", [{ outside: ports(19140, 19149), inside: ports(19140, 19149) }]],
    ["30000-30001:19140-19141", [{ outside: ports(30000, 30001), inside: ports(19140, 19141) }]],
    ["192.0.2.7:1:65535", [{ address: "192.0.2.7", outside: ports(1), inside: ports(65535) }]],
    ["[2001:db8::7]:1:2", [{ address: "2001:db8::7", outside: ports(1), inside: ports(2) }]],
    ["1, 2-3,", [{ inside: ports(1) }, { inside: ports(2, 3) }]],
  ])("accepts %s", (text, read) => {
    expect(readUdpPorts([text])).toMatchObject({ ports: read });
  });

  it("may occur several times", () => {
    const read = readUdpPorts(server("server-udp-ports=1", "server-udp-ports = 3-4 ").udpPorts);
    expect(read).toMatchObject({ ports: [{ inside: ports(1) }, { inside: ports(3, 4) }] });
  });

  it.each([
    ["0", "expected ports from 1 to 65535"],
    ["65530-65536", "expected ports from 1 to 65535"],
    ["4-3", "expected the lower port first"],
    ["1-2:3-5", "expected as many ports inside as outside"],
    ["192.0.2.7:19140", "expected a port, a range"],
    ["1:2:", "expected a port, a range"],
  ])("rejects %s", (text, fault) => {
    expect(readUdpPorts(["1", text])).toMatchObject({
      fault: expect.stringContaining(`${text}: ${fault}`),
    });
  });

  const few = (version: number[], ...lines: string[]) => faultsOf(version, ...lines)[0]?.fix;

  it("needs a port per player before 1.26.60, and one for all players from then on", () => {
    expect(few(NEW, "server-udp-ports=19140")).toEqual({ pair: "server-udp-ports=19140-19149" });
    expect(few(NEW, "server-udp-ports=19140", "max-players=3")).toEqual({
      pair: "server-udp-ports=19140-19142",
    });
    expect(faultsOf(NEW, "server-udp-ports=19140", "max-players=1")).toEqual([]);
    expect(faultsOf(NEWEST, "server-udp-ports=19140")).toEqual([]);
  });

  it("keeps its address and both start ports when it is widened", () => {
    expect(few(NEW, "server-udp-ports=192.0.2.7:30000:19140", "max-players=2")).toEqual({
      pair: "server-udp-ports=192.0.2.7:30000-30001:19140-19141",
    });
    expect(few(NEW, "server-udp-ports=65535")).toMatchObject({ words: expect.stringContaining("10 ports") });
  });

  it("counts the ports of all entries, and only reports if there are too few", () => {
    const [found] = faultsOf(NEW, "server-udp-ports=19140-19142,19150", "max-players=5");
    expect(found).toMatchObject({ what: expect.stringContaining("4 ports"), fix: undefined });
    expect(faultsOf(NEW, "server-udp-ports=19140-19142,19150", "max-players=4")).toEqual([]);
  });
});

describe("a listener of the sidecar", () => {
  const own = ["192.0.2.7"];
  const game = { transport: "nethernet", port: 19132, host: "" } as const;

  it.each([
    [game, "0.0.0.0", true],
    [game, "192.0.2.7", true],
    [game, "192.0.2.8", false],
    [game, "sidecar", false],
    [{ ...game, host: "192.0.2.7" }, "127.0.0.1", false],
    [{ ...game, host: "192.0.2.7" }, "0.0.0.0", true],
    [{ ...game, port: 19133 }, "0.0.0.0", false],
    [{ ...game, transport: "raknet" } as const, "0.0.0.0", false],
  ])("of %j at %s conflicts with the game: %s", (network, host, overlaps) => {
    expect(needsSamePort(network, { host, port: 19132 }, own)).toBe(overlaps);
  });
});
