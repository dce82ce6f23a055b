import { randomUUID } from "node:crypto";
import type { Records } from "./kernel/storage/records.ts";
import { collection } from "./kernel/storage/records.ts";

export const META = collection<string>({ name: "meta", parse: text => text, format: text => text });
export const BRIDGE_ID = "bridge-id";

/** The id of these records, made once. */
export function bridgeIdIn(records: Records): Promise<string> {
  const made = randomUUID();
  return records.transact(transaction => {
    const stored = transaction.get(META, BRIDGE_ID);
    if (stored !== undefined) return stored;
    transaction.put(META, BRIDGE_ID, made);
    transaction.makeDurable();
    return made;
  });
}
