import { NAME_LENGTH, NAMES_PER_FACT } from "../../shared/limits.ts";
import {
  type ActionHandlers,
  type ActionResult,
  answered,
  confirmed,
  DONE,
  type PendingAction,
} from "../bridge/action-queue.ts";
import type { PackContext } from "../context.ts";
import type { AllowList, Poll } from "../ports.ts";

const NO_LIST: ActionResult = { status: "failed", reason: "the game does not offer an allowlist" };
const UNCHANGED = "the list did not change";

/** Bytes of names in one fact. */
const NAMES_BYTES = 32 * 1024;

/** Reads and changes the allowlist of the server. */
export function createWhitelist(
  { report }: Pick<PackContext<unknown>, "report">,
  allowList: () => AllowList | undefined,
) {
  function withList(act: (list: AllowList) => ActionResult | PendingAction): ActionResult | PendingAction {
    const list = allowList();
    return list === undefined ? NO_LIST : act(list);
  }

  const actions: Pick<ActionHandlers, "allowlist-read" | "allowlist-add" | "allowlist-remove"> = {
    "allowlist-read": (_body, { id }) =>
      withList(list =>
        answered(list.names(), all => {
          // No player has a name longer than the protocol allows.
          const names = all.filter(name => name !== "" && name.length <= NAME_LENGTH);
          for (const part of splitNames(names)) report({ is: "names", id, names: part });
          return DONE;
        }),
      ),
    "allowlist-add": ({ name }) =>
      withList(list => {
        const isListed = () => list.holds(name);
        const add = () => list.add(name);
        return answered(isListed(), listed => (listed ? DONE : confirmed(isListed, add, UNCHANGED)));
      }),
    "allowlist-remove": ({ name }) =>
      withList(list => {
        const isRemoved = () => not(list.lists(name));
        return answered(list.count(name), count => {
          if (count === 0) return { status: "absent" };
          return confirmed(isRemoved, () => last(count, () => list.remove(name)), UNCHANGED);
        });
      }),
  };
  return { actions };
}

function not(poll: Poll<boolean>): Poll<boolean> {
  return () => {
    const answer = poll();
    return answer === undefined ? undefined : !answer;
  };
}

/** Begins something `count` times. Returns the answer of the last. */
function last(count: number, begin: () => Poll<true>): Poll<true> | undefined {
  let answer: Poll<true> | undefined;
  for (let i = 0; i < count; i++) answer = begin();
  return answer;
}

/** Splits names into lists that each fit into one fact. */
export function splitNames(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const name of names) {
    // An escaped character can take six bytes; counting exact bytes would cost a whole tick on a long list.
    const size = 6 * name.length + 3;
    if (part.length > 0 && (part.length >= NAMES_PER_FACT || bytes + size > NAMES_BYTES)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(name);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
