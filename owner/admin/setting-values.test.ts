import { expect, it } from "@jest/globals";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { elementIn, valueIn } from "./setting-values.ts";

const settingOf = (key: string) => {
  const setting = SETTINGS_BY_PATH.get(key);
  if (setting === undefined) throw new Error(`there is no ${key}`);
  return setting;
};
const ORIGINS = ["https://a.example", "https://b.example"];

it.each([
  ["modules.web.enabled", "false", false],
  ["modules.api.trust-proxy", "1", 1],
  ["modules.api.chat.web", "off", "off"],
  ["server.info.version", "1.26", "1.26"],
  ["modules.web.title", "[SMP]", "[SMP]"],
  ["messages.api.link-accept", "yes: {player} #1", "yes: {player} #1"],
  ["modules.api.cors-origins", ORIGINS.join(", "), ORIGINS],
  ["modules.api.cors-origins", JSON.stringify(ORIGINS), ORIGINS],
  ["modules.api.cors-origins", `[${ORIGINS.join(", ")}]`, ORIGINS],
])("a value of %s that is written as %s is %j", (key, written, value) => {
  const setting = settingOf(key);
  expect(setting.read(valueIn(written, setting), "/")).toEqual(setting.read(value, "/"));
});

it("an element is a text, or an object as YAML", () => {
  expect(elementIn("1.5", settingOf("modules.api.cors-origins"))).toBe("1.5");
  expect(elementIn("{name: lobby}", settingOf("servers"))).toEqual({ name: "lobby" });
});
