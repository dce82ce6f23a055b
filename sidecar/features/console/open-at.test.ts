import { expect, it } from "@jest/globals";
import { openAt } from "./open-at.ts";

const OWN = [
  { address: "127.0.0.1", family: "IPv4", internal: true },
  { address: "::1", family: "IPv6", internal: true },
  { address: "fe80::1", family: "IPv6", internal: false },
  { address: "192.168.1.20", family: "IPv4", internal: false },
  { address: "2001:db8::5", family: "IPv6", internal: false },
] as const;

it.each([
  ["0.0.0.0", "http://localhost:8080/", ["http://192.168.1.20:8080/"]],
  ["::", "http://localhost:8080/", ["http://192.168.1.20:8080/", "http://[2001:db8::5]:8080/"]],
  ["127.0.0.1", "http://localhost:8080/", []],
  ["127.0.0.2", "http://127.0.0.2:8080/", []],
  ["::1", "http://localhost:8080/", []],
  ["192.168.1.20", "http://192.168.1.20:8080/", []],
  ["2001:db8::5", "http://[2001:db8::5]:8080/", []],
])("a listener at %s is opened at %s", (address, here, others) => {
  expect(openAt({ address, port: 8080 }, OWN)).toEqual({ here, others });
});

it("names a few of many addresses", () => {
  const own = Array.from({ length: 9 }, (_, i) => ({
    ...{ address: `10.0.0.${i}`, family: "IPv4" as const, internal: false },
  }));
  expect(openAt({ address: "0.0.0.0", port: 1 }, own).others).toHaveLength(4);
});
