import { describe, expect, it } from "@jest/globals";
import { isInContainer, openAt } from "./open-at.ts";

const ipv4 = (address: string, internal = false) => ({ address, family: "IPv4" as const, internal });
const ipv6 = (address: string, internal = false) => ({ address, family: "IPv6" as const, internal });

const OWN = {
  lo: [ipv4("127.0.0.1", true), ipv6("::1", true)],
  eth0: [ipv4("192.168.1.20"), ipv6("fe80::1"), ipv6("2001:db8::5")],
};
const HERE = "Open http://localhost:8080/ in a browser";

const openAny = (interfaces: Parameters<typeof openAt>[1], address = "0.0.0.0"): string[] =>
  openAt({ address, port: 80 }, interfaces, false).match(/(?<=\/\/)(?!localhost).*?(?=:80\/)/g) ?? [];

describe("the addresses in the log", () => {
  it.each([
    ["0.0.0.0", `${HERE}, or from another machine http://192.168.1.20:8080/`],
    ["::", `${HERE}, or from another machine http://192.168.1.20:8080/ or http://[2001:db8::5]:8080/`],
    ["127.0.0.1", HERE],
    ["127.0.0.2", "Open http://127.0.0.2:8080/ in a browser"],
    ["::1", HERE],
    ["192.168.1.20", "Open http://192.168.1.20:8080/ in a browser"],
    ["2001:db8::5", "Open http://[2001:db8::5]:8080/ in a browser"],
  ])("are those of a listener at %s", (address, line) => {
    expect(openAt({ address, port: 8080 }, OWN, false)).toBe(line);
  });

  it("are only that of this machine if it has no network", () => {
    expect(openAt({ address: "0.0.0.0", port: 8080 }, { lo: OWN.lo }, false)).toBe(HERE);
  });

  it("begin with the home network, and end with a VPN", () => {
    const interfaces = {
      tailscale0: [ipv4("100.100.1.2")],
      "Radmin VPN": [ipv4("26.1.2.3")],
      eth1: [ipv4("203.0.113.5")],
      "Wi-Fi": [ipv4("10.0.0.7")],
    };
    expect(openAny(interfaces)).toEqual(["10.0.0.7", "203.0.113.5", "100.100.1.2"]);
    const two = { eth0: [ipv6("fd00::7"), ipv6("2001:db8::5"), ipv4("172.20.0.7")] };
    expect(openAny(two, "::")).toEqual(["172.20.0.7", "[2001:db8::5]", "[fd00::7]"]);
  });

  it.each([
    "docker0",
    "br-0123456789ab",
    "veth12ab",
    "virbr0",
    "vEthernet (WSL (Hyper-V firewall))",
    "vEthernet (Default Switch)",
    "VirtualBox Host-Only Network",
    "VMware Network Adapter VMnet8",
  ])("have none of %s, which leads to containers and virtual machines", name => {
    expect(openAny({ [name]: [ipv4("172.17.0.1")], eth0: [ipv4("192.168.1.20")] })).toEqual(["192.168.1.20"]);
  });

  it.each(["eth0", "enp3s0", "br0", "br-lan", "vEthernet (External Switch)", "Ethernet 2"])(
    "have that of %s",
    name => expect(openAny({ [name]: [ipv4("192.168.1.20")] })).toEqual(["192.168.1.20"]),
  );

  it("have none that works only on one cable", () => {
    expect(openAny({ eth0: [ipv4("169.254.3.4"), ipv6("fe80::1"), ipv6("FEBF::1")] }, "::")).toEqual([]);
  });

  it("are at most three", () => {
    const eth0 = Array.from({ length: 9 }, (_, i) => ipv4(`10.0.0.${i}`));
    expect(openAny({ eth0 })).toEqual(["10.0.0.0", "10.0.0.1", "10.0.0.2"]);
  });
});

describe("in a container", () => {
  it("the log has the port, but no address that only the container knows", () => {
    expect(openAt({ address: "0.0.0.0", port: 8080 }, { eth0: [ipv4("172.18.0.3")] }, true)).toBe(
      "The web console is on port 8080 of this container: open it at the machine's address, by the port published for it",
    );
  });

  it("the log has the address of a listener that has only one", () => {
    expect(openAt({ address: "127.0.0.1", port: 8080 }, {}, true)).toBe(HERE);
  });

  it.each<[what: string, env: NodeJS.ProcessEnv, files: string[], is: boolean]>([
    ["Docker", {}, ["/.dockerenv"], true],
    ["Podman", {}, ["/run/.containerenv"], true],
    ["Kubernetes", { KUBERNETES_SERVICE_HOST: "10.0.0.1" }, [], true],
    ["a machine", { PATH: "/bin" }, ["/bin/sh"], false],
  ])("a process of %s knows whether it is in one", (_what, env, files, is) => {
    expect(isInContainer(env, path => files.includes(path))).toBe(is);
  });
});
