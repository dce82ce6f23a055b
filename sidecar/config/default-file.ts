import { isSetting, type Section, written } from "./setting.ts";
import { SETTINGS, variableOf } from "./settings.ts";

const HEAD = `# Configuration of the web bridge. Every key is optional; what is written here are the defaults.
# Each key can be overridden by an environment variable, for example ${variableOf("modules.api.port")}.
# Durations are written like 500ms, 20s, 2m, 12h or 30d.
`;

/** The file that is made on first start: every key with its default and a comment. */
export const defaultConfigFile = (): string => [HEAD, ...linesOf(SETTINGS, "")].join("\n").concat("\n");

function linesOf(section: Section, indent: string): string[] {
  return Object.entries(section).flatMap(([name, held], i) => {
    const key = `${indent}${written(name)}:`;
    const lines = isSetting(held)
      ? [`${indent}# ${held.comment}`, `${key} ${inYaml(held.default)}`]
      : [key, ...linesOf(held, `${indent}  `)];
    return i > 0 && indent === "" ? ["", ...lines] : lines;
  });
}

/** A value on one line. JSON is YAML too; plain words are easier on the eye without quotes. */
export const inYaml = (value: unknown): string =>
  typeof value === "string" && /^(?!(true|false|null)$)\d*[a-z_]+$/.test(value)
    ? value
    : JSON.stringify(value);
