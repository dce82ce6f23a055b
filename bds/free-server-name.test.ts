import { expect, it } from "@jest/globals";
import { readConfig } from "../sidecar/config/read.ts";
import { freeName } from "./free-server-name.ts";

it.each([
  ["Bedrock level", [], "bedrock-level"],
  ["Bedrock level", ["bedrock-level"], "bedrock-level-2"],
  ["Bedrock level", ["bedrock-level", "bedrock-level-2"], "bedrock-level-3"],
  ["Ülis schöne Welt 世界", [], "ulis-schone-welt"],
  ["世界", ["main"], "server"],
  ["", [], "server"],
  ["--- a".repeat(20), [], "a-a-a-a-a-a-a-a-a-a-a-a"],
  [`${"a".repeat(23)} b`, [`${"a".repeat(23)}`], `${"a".repeat(23)}-2`],
])("a world called %j beside %j gets a name that is valid in the configuration: %s", (world, taken, name) => {
  expect(freeName(world, new Set(taken))).toBe(name);
  expect(readConfig(`servers: [{name: ${name}}]`, {}, "/")).toHaveProperty("config");
});
