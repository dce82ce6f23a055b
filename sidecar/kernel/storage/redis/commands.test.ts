import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { isOfTests } from "../../../../test/helpers/test-files.ts";

const folder = new URL("./", import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  name => /\.(ts|lua)$/.test(name) && !isOfTests(name),
);

/** Files that only connect to Redis, and run scripts. */
const OF_CONNECTIONS = ["CLUSTER", "HELLO", "SCRIPT", "SENTINEL"];

it("checks every command that it uses at the start, so that missing permissions show then", () => {
  const used = sources
    .filter(name => !name.endsWith("probe.lua"))
    .flatMap(name => [
      ...textOf(name).matchAll(/(?:redis\.call\('|(?:ask(?:On)?|sendCommand)\((?:on, )?\[?")([A-Z]+)/g),
    ])
    .map(([, command = ""]) => command);
  const commands = [...textOf("lua/probe.lua").matchAll(/\{'([A-Z]+)'/g)].map(([, command = ""]) => command);
  expect(used.length).toBeGreaterThan(50);
  expect(new Set([...commands, ...OF_CONNECTIONS])).toEqual(new Set([...used, "XREAD", ...OF_CONNECTIONS]));
});
