import { SETTING_PATHS, settingAt, variableOf } from "./settings.ts";

const HEAD = `# Configuration of the web bridge. Every key is optional; what is written here are the defaults.
# Each key can be overridden by an environment variable, for example ${variableOf("modules.api.port")}.
# Durations are written like 500ms, 20s, 2m, 12h or 30d.
`;

const TEXTS = "messages.";

/** The file that is made on first start: every key with its default and a comment. */
export function defaultConfigFile(): string {
  const lines = [HEAD];
  let open: string[] = [];
  for (const at of SETTING_PATHS) {
    const { standard, help } = settingAt(at);
    const parts = at.startsWith(TEXTS) ? ["messages", at.slice(TEXTS.length)] : at.split(".");
    const sections = parts.slice(0, -1);
    const shared = sections.findIndex((part, i) => part !== open[i]);
    for (let i = shared === -1 ? sections.length : shared; i < sections.length; i++)
      lines.push(`${i === 0 && open.length > 0 ? "\n" : ""}${"  ".repeat(i)}${sections[i]}:`);
    open = sections;
    const indent = "  ".repeat(sections.length);
    lines.push(`${indent}# ${help}`, `${indent}${parts.at(-1)}: ${written(standard)}`);
  }
  return `${lines.join("\n")}\n`;
}

// JSON is YAML too; plain words are easier on the eye without quotes.
const written = (value: unknown): string =>
  typeof value === "string" && /^\d*[a-z_]+$/.test(value) ? value : JSON.stringify(value);
