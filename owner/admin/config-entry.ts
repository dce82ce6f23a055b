import { randomBytes } from "node:crypto";
import { stringify } from "yaml";
import { EXIT } from "../../cli/arguments.ts";
import { configOption, quoted } from "../../cli/commands.ts";
import { readFileValues } from "../../sidecar/config/file.ts";
import { changeConfig } from "../setup/config-file.ts";
import { withElement } from "../setup/yaml-edit.ts";
import { commands, printChange } from "./output.ts";

const SECRET_BYTES = 32;

/**
 * A new secret.
 * @param prefix by which people, and programs that look for secrets, know what it is
 */
export const newSecret = (prefix: string): string =>
  `${prefix}${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** An entry that a list of the configuration gets. */
interface NewEntry {
  /** key of the list */
  list: string;
  /** what the entry is called */
  name: string;
  entry: object;
  /** why a list cannot have it; undefined: it can */
  refusal?(list: readonly unknown[]): string | undefined;
  /** what is shown this once, and what follows it where the owner is to write the entry */
  secret: string;
  gap: string;
  /** the lines of the configuration that has this entry alone */
  block: string;
  /** what is worth knowing at the end */
  after: string;
}

/** Writes an entry into the configuration, or shows how to do that. Ends with the exit code. */
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
    const code = printChange(changed, list, `${list} has ${JSON.stringify(name)} now`);
    if (code === EXIT.done) console.log(secret);
    return code;
  }
  const flow = stringify(entry, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();
  console.log(`${secret}${gap}What it is known by goes into the configuration:

  ${commands.config} add ${list} ${quoted(flow)}${configOption(config, commands)}

With --write that is done by itself. By hand, where ${list.split(".").at(-1)} has no entry yet, it is:

${block}
${after}`);
  return EXIT.done;
}
