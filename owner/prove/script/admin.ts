import { admin } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, textOf } from "./asked.ts";
import { tried } from "./failure.ts";

type List = NonNullable<typeof admin.dedicatedServer>["allowList"];

const on =
  (use: (list: List, name: string) => unknown): Answerer =>
  input =>
    tried(() => {
      const list = admin.dedicatedServer?.allowList;
      if (list === undefined) throw new Error("the game offers no allowlist");
      return use(list, textOf(input, "name")) ?? null;
    });

export const adminAnswers: Readonly<Record<string, Answerer>> = {
  "list-entries": on(list =>
    list.entries.map(({ name, xuid, ignoresPlayerLimit }) => ({ name, xuid, ignoresPlayerLimit })),
  ),
  "list-contains": on((list, name) => list.contains({ name })),
  "list-add": on((list, name) => list.add({ name })),
  "list-remove": on((list, name) => list.remove({ name })),
  "list-enabled": on(list => Reflect.get(list, "enabled")),
  "list-add-text": on((list, name) => Reflect.apply(list.add, list, [name])),
  "list-reload": on(list => Reflect.apply(Reflect.get(list, "reloadFile"), list, [])),
  /** Of the token only what cannot tell it. */
  settings: () => {
    const token = admin.secrets.get("bridge-token");
    const shown = [String(token), JSON.stringify(token) ?? "", `${Object.values(token ?? {})}`];
    return {
      url: typeof admin.variables.get("bridge-url"),
      none: typeof admin.variables.get("prove-none"),
      token: typeof token,
      noToken: typeof admin.secrets.get("prove-none"),
      names: tried(() => admin.variables.names.includes("bridge-url")),
      longest: Math.max(...shown.map(text => (/[0-9a-z]{20}/i.test(text) ? text.length : 0))),
    };
  },
};
