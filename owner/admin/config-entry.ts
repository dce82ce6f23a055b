import { randomBytes } from "node:crypto";
import { stringify } from "yaml";
import { EXIT } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { changeConfig } from "../setup/config-file.ts";
import { withElement } from "../setup/yaml-edit.ts";
import { commands, printChange } from "./output.ts";

const SECRET_BYTES = 32;

/**
 * A new secret.
 * @param prefix marks it for people, and for programs that look for secrets
 */
export const newSecret = (prefix: string): string =>
  `${prefix}${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** An entry for a list of the configuration. */
interface NewEntry {
  list: string;
  name: string;
  entry: object;
  /** why a list cannot take it; undefined: it can */
  refusal?(list: readonly unknown[]): string | undefined;
  /** text with the secret, shown once, and the gap after it */
  secret: string;
  gap: string;
  /** the configuration with only this entry */
  block: string;
  after: string;
}

/** Writes an entry into the configuration, or prints how to do that. Returns the exit code. */
export function addEntry(
  { list, name, entry, refusal, secret, gap, block, after }: NewEntry,
  { write, config }: { write: boolean; config: string },
): number {
  if (write) {
    const changed = changeConfig(config, process.env, list, text => {
      const read = readFileValues(text).values.get(list);
      const entries: unknown[] = Array.isArray(read) ? read : [];
      const fault = refusal?.(entries);
      return fault === undefined ? withElement(text, list, entries, entry) : { faults: [fault] };
    });
    const code = printChange(changed, list, `added ${JSON.stringify(name)} to ${list}`);
    if (code === EXIT.done) console.log(secret);
    return code;
  }
  const flow = stringify(entry, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  console.log(`${secret}${gap}Add it to the configuration with:

  ${commands.config} add ${list} ${quoted(flow)}${configOption(config, commands)}

--write does that for you. By hand, if ${list.split(".").at(-1)} has no entry yet:

${block}
${after}`);
  return EXIT.done;
}
