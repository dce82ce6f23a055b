import { bool, checkJson, type Infer, int, num, object, tagged, text } from "../../../shared/guard.ts";
import { MAX_TPS, MIN_TPS, NAME_LENGTH, TEXT_LENGTH } from "./protocol.ts";

const name = text(NAME_LENGTH);
const form = int(0, Number.MAX_SAFE_INTEGER);

const command = tagged("do", {
  join: object({ name: text(TEXT_LENGTH) }),
  leave: object({ name }),
  say: object({ name, text: text(4 * TEXT_LENGTH) }),
  fight: object({ name, other: name }),
  die: object({ name }),
  busy: object({ name, on: bool }),
  answer: object({ name, form, button: int(0, 99) }),
  close: object({ name, form }),
  lag: object({ tps: num(MIN_TPS, MAX_TPS) }),
  power: object({ on: bool }),
  unplug: object({}),
  kill: object({ sidecar: text(NAME_LENGTH) }),
});

/** A command of the page for the game; `unplug`: for its own connections; `kill`: for one of several sidecars. */
export type Command = Infer<typeof command>;

const envelope = object({ id: int(0, Number.MAX_SAFE_INTEGER) });

/**
 * Reads a message from a page.
 * @returns its id, if any, and the command, if valid
 */
export function readCommand(message: string): { id: number; command?: Command } {
  const numbered = checkJson(envelope, message);
  const id = "value" in numbered ? numbered.value.id : 0;
  const read = checkJson(command, message);
  return "value" in read ? { id, command: read.value } : { id };
}
