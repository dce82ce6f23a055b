import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { readConfig } from "../../sidecar/config/read.ts";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";
import { DEPLOY, recipe } from "./front.ts";

const files = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => `${entry.parentPath}/${entry.name}`.slice(DEPLOY.length).replace(/^[\\/]/, ""));

const faultsOf = (yaml: string, env: Record<string, string>): string[] => {
  const result = readConfig(yaml, env, "/nowhere");
  return "faults" in result ? result.faults : [];
};

describe("the settings in the recipes", () => {
  const known = [...SETTINGS_BY_PATH.keys()].map(variableOf);

  it.each(files)("exist, as far as %s names variables", file => {
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
    expect(Object.keys(env)).toEqual(["WEB_BRIDGE_STORAGE_FOLDER"]);
    expect(faultsOf("", env)).toEqual([]);
  });

  it("of the composition are accepted, as it is and filled in", () => {
    const { environment } = parse(recipe("docker/compose.yml")).services["web-bridge"];
    const filled: Record<string, string> = {
      CORS_ORIGINS: "https://www.example.com,https://example.com",
      ADMIN_API_KEY: "a-key-of-somebody",
    };
    for (const values of [{}, filled]) {
      const given = Object.entries<string>(environment).map(([name, value]) => [
        name,
        substituted(value, values),
      ]);
      expect(faultsOf("", Object.fromEntries(given))).toEqual([]);
    }
  });

  it.each(["caddy/Caddyfile", "nginx/web-bridge.conf"])("that %s asks for are accepted", file => {
    const yaml = [...recipe(file).matchAll(/^# {8}(.*)$/gm)].map(([, line]) => line).join("\n");
    expect(parse(yaml)).toEqual({ modules: { api: { host: "127.0.0.1", "trust-proxy": "loopback" } } });
    expect(faultsOf(yaml, {})).toEqual([]);
  });

  it("in YAML that the page shows are accepted", () => {
    for (const [, yaml = ""] of recipe("README.md").matchAll(/```yaml\n([\s\S]*?)```/g))
      expect(faultsOf(yaml, {})).toEqual([]);
  });
});

/** A value of a composition with its `${NAME:-default}` replaced. */
const substituted = (value: string, values: Record<string, string>): string =>
  value.replace(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, standard: string) => values[name] ?? standard);
