import { PRODUCT_VERSION } from "../../shared/version.ts";
import { isSetting, type Section, written } from "./setting.ts";
import { SETTINGS, variableOf } from "./settings.ts";

/** The first line of a file, with the version that wrote it. */
const MARK = /^(\ufeff?# Configuration of the web bridge, written by version )(\d+\.\d+\.\d+)/;

const MARK_LINE = `# Configuration of the web bridge, written by version ${PRODUCT_VERSION}.`;

const HEAD = `${MARK_LINE}
# Every key is optional; the values here are the defaults.
# Each key can be overridden by an environment variable, for example ${variableOf("modules.api.port")}.
# Durations are written like 500ms, 20s, 2m, 12h or 30d.
`;

/** The file that is created at the first start: every key with its default and a comment. */
export const defaultConfigFile = (): string => [HEAD, ...linesOf(SETTINGS, "")].join("\n").concat("\n");

function linesOf(section: Section, indent: string): string[] {
  return Object.entries(section).flatMap(([name, entry], i) => {
    const key = `${indent}${written(name)}:`;
    const lines = isSetting(entry)
      ? [`${indent}# ${entry.comment}`, `${key} ${inYaml(entry.default)}`]
      : [key, ...linesOf(entry, `${indent}  `)];
    return i > 0 && indent === "" ? ["", ...lines] : lines;
  });
}

/** A value on one line. JSON is YAML too; plain words are easier to read without quotes. */
export const inYaml = (value: unknown): string =>
  typeof value === "string" && /^(?!(true|false|null)$)\d*[a-z_]+$/.test(value)
    ? value
    : JSON.stringify(value);

/** The version that wrote a file, according to the file. */
export const writtenBy = (text: string): string | undefined => MARK.exec(text)?.[2];

/** The version that wrote a file, if it is later than this one. */
export function laterBuild(text: string): string | undefined {
  const version = writtenBy(text);
  const isLater = version?.localeCompare(PRODUCT_VERSION, "en", { numeric: true }) === 1;
  return isLater ? version : undefined;
}

/** The text of a file that this build changes: its first line names this version, or a later one that it named before. */
export function marked(text: string): string {
  if (laterBuild(text) !== undefined) return text;
  if (MARK.test(text)) return text.replace(MARK, `$1${PRODUCT_VERSION}`);
  return text.replace(/^\ufeff?/, `$&${MARK_LINE}${/\r?\n/.exec(text)?.[0] ?? "\n"}`);
}
