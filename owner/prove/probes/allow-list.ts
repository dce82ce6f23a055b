import { parseJson } from "../../bds/json-text.ts";
import type { Seen, Trial } from "../probe.ts";
import {
  ask,
  askRecord,
  broken,
  failureIn,
  type Held,
  judge,
  listOf,
  probesOf,
  recordOf,
  until,
} from "./say.ts";

const LIST = "@minecraft/server-admin / `dedicatedServer.allowList`";
const NAME = "ProveListed";
const OTHER = "Prove Listed";

const call = (trial: Trial, what: string, name = NAME): Promise<Held> =>
  askRecord(trial, `list-${what}`, { name });
const isListed = async (trial: Trial, name = NAME): Promise<boolean> =>
  (await call(trial, "contains", name)).value === true;
const entries = async (trial: Trial, name = NAME): Promise<Held[]> =>
  listOf((await call(trial, "entries")).value)
    .map(recordOf)
    .filter(entry => entry.name === name);

/** Names in the file of the list; undefined where it cannot be read. */
function namesInFile(trial: Trial): string[] | undefined {
  const read = parseJson(trial.read("allowlist.json") ?? "[]");
  if ("fault" in read) return undefined;
  return listOf(read.value).flatMap(entry => {
    const { name } = recordOf(entry);
    return typeof name === "string" ? [name] : [];
  });
}

/** Waits until the file of the list holds a name, or no longer. */
export async function inFile(trial: Trial, name: string, holds: boolean): Promise<boolean> {
  const found = await until(trial, 5_000, () =>
    namesInFile(trial)?.includes(name) === holds ? true : undefined,
  );
  return found === true;
}

/** With nobody of ours on the list, before and after. */
async function clean(trial: Trial, use: () => Promise<Seen>): Promise<Seen> {
  const clear = async (): Promise<void> => {
    for (const name of [NAME, OTHER]) if (await isListed(trial, name)) await call(trial, "remove", name);
  };
  await clear();
  const seen = await use();
  await clear();
  return seen;
}

export const listProbes = probesOf("probes", [
  {
    id: "list-add",
    kind: "promise",
    assumes: "a name that is added is on the list at once",
    how: "a name is added, and the list asked and read in the same tick",
    rows: [LIST, "@minecraft/server-admin / reading back"],
    ask: trial =>
      clean(trial, async () => {
        const why = failureIn(await call(trial, "add"));
        if (why !== "") return broken(why);
        const [has, found] = [await isListed(trial), await entries(trial)];
        return judge(
          has && found.length === 1,
          `contains says ${has ? "yes" : "no"}, ${found.length} in the entries`,
        );
      }),
  },
  {
    id: "list-entry",
    kind: "inference",
    assumes: "an entry has name and ignoresPlayerLimit, and no xuid before the player has joined",
    how: "a name is added and its entry read",
    rows: [LIST, "@minecraft/server-admin / xuid"],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        const [entry = {}] = await entries(trial);
        const { xuid, ignoresPlayerLimit } = entry;
        const isSo = ignoresPlayerLimit === false && (xuid === undefined || xuid === "");
        return judge(
          isSo,
          `ignoresPlayerLimit ${String(ignoresPlayerLimit)}, ${xuid === undefined || xuid === "" ? "no xuid" : "with a xuid"}`,
        );
      }),
  },
  {
    id: "list-add-again",
    kind: "inference",
    assumes: "adding a name that is there throws AllowListModificationError, and it is listed once",
    how: "a name is added twice",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        const why = failureIn(await call(trial, "add"));
        const count = (await entries(trial)).length;
        return judge(
          why === "AllowListModificationError" && count === 1,
          `${why || "nothing is thrown"}, listed ${count} times`,
        );
      }),
  },
  {
    id: "list-remove",
    kind: "promise",
    assumes: "a name that is removed is off the list at once",
    how: "a name is added and removed",
    rows: [LIST, "@minecraft/server-admin / reading back"],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        const why = failureIn(await call(trial, "remove"));
        const has = await isListed(trial);
        return judge(why === "" && !has, why || (has ? "it is still there" : "it is gone"));
      }),
  },
  {
    id: "list-remove-again",
    kind: "inference",
    assumes: "removing a name that is not there throws AllowListModificationError",
    how: "a name that nobody added is removed",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        const why = failureIn(await call(trial, "remove"));
        return judge(why === "AllowListModificationError", why || "nothing is thrown");
      }),
  },
  {
    id: "list-blank",
    kind: "promise",
    assumes: "a name may have blanks",
    how: "such a name is added and removed",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        const why = failureIn(await call(trial, "add", OTHER));
        const has = (await entries(trial, OTHER)).length === 1 && (await isListed(trial, OTHER));
        return judge(why === "" && has, why || (has ? "it is listed so" : "it is not listed so"));
      }),
  },
  {
    id: "list-case",
    kind: "inference",
    assumes: "names are compared exactly",
    how: "a name is added, and asked for in small letters",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        const has = await isListed(trial, NAME.toLowerCase());
        return judge(!has, has ? "it is found all the same" : "it is not found");
      }),
  },
  {
    id: "list-plain-text",
    kind: "inference",
    assumes: "a plain text in the place of an object throws",
    how: "add is called with a text",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        const why = failureIn(await call(trial, "add-text"));
        return judge(why !== "", why || "it is taken");
      }),
  },
  {
    id: "list-off",
    kind: "promise",
    assumes: "the list can be changed while allow-list is off, and says that it is off",
    how: "enabled is read, and a name added",
    rows: [LIST],
    ask: trial =>
      clean(trial, async () => {
        const { value } = await call(trial, "enabled");
        const why = failureIn(await call(trial, "add"));
        return judge(
          value === false && why === "",
          `enabled is ${String(value)}, ${why || "a name is taken"}`,
        );
      }),
  },
  {
    id: "list-file",
    kind: "promise",
    assumes: "what is added and removed is in allowlist.json within five seconds",
    how: "a name is added and removed, and the file read",
    rows: ["@minecraft/server-admin / persistence", "A server's folder / allow list"],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        const there = await inFile(trial, NAME, true);
        await call(trial, "remove");
        const gone = await inFile(trial, NAME, false);
        return judge(
          there && gone,
          `${there ? "it is written" : "it is not written"}, ${gone ? "and taken out" : "and not taken out"}`,
        );
      }),
  },
  {
    id: "list-console",
    kind: "promise",
    assumes: "what the console adds by allowlist add is on the list of the script",
    how: "allowlist add and allowlist remove are typed with a name in quotes",
    rows: [LIST, "A server's folder / commands of the console"],
    ask: trial =>
      clean(trial, async () => {
        const typed = async (what: string, holds: boolean): Promise<boolean> => {
          trial.console.type(`allowlist ${what} "${OTHER}"`);
          return (
            (await until(trial, 3_000, async () =>
              (await isListed(trial, OTHER)) === holds ? true : undefined,
            )) === true
          );
        };
        const [there, gone] = [await typed("add", true), await typed("remove", false)];
        return judge(there && gone, `${there ? "added" : "not added"}, ${gone ? "removed" : "not removed"}`);
      }),
  },
  {
    id: "list-reload-file",
    kind: "inference",
    assumes: "reloadFile keeps what was added before",
    how: "a name is added, and the file read anew by the game",
    rows: ["@minecraft/server-admin / `reloadFile`, `allowlist reload`"],
    ask: trial =>
      clean(trial, async () => {
        await call(trial, "add");
        await inFile(trial, NAME, true);
        const why = failureIn(await ask(trial, "list-reload"));
        const has = await isListed(trial);
        return judge(why === "" && has, why || (has ? "it is still there" : "it is gone"));
      }),
  },
]);
