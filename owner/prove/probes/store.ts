import { ask, askRecord, failureIn, judge, numberOf, probesOf, recordOf, textOf } from "./say.ts";

const ROW = "@minecraft/server / dynamic properties of the world";
/** Longest text that a property takes, in bytes. */
const MOST_BYTES = 32_767;

export const storeProbes = probesOf("probes", [
  {
    id: "store-text",
    kind: "inference",
    assumes: `a dynamic property takes a text of ${MOST_BYTES} bytes`,
    how: "one is set and read back",
    rows: [ROW],
    async ask(trial) {
      const set = await askRecord(trial, "set-long", { length: MOST_BYTES });
      return judge(
        set.isSame === true,
        failureIn(set) || (set.isSame === true ? "read back as it was" : "read back otherwise"),
      );
    },
  },
  {
    id: "store-too-long",
    kind: "inference",
    assumes: "a text that is a byte longer throws ArgumentOutOfBoundsError",
    how: "one is set, and the error read",
    rows: [ROW],
    async ask(trial) {
      const why = failureIn(await askRecord(trial, "set-long", { length: MOST_BYTES + 1 }));
      return judge(why === "ArgumentOutOfBoundsError", why || "it is taken");
    },
  },
  {
    id: "store-bytes",
    kind: "inference",
    assumes: "the limit counts bytes of UTF-8",
    how: "a text of half as many letters with three bytes each is set",
    rows: [ROW],
    async ask(trial) {
      const why = failureIn(
        await askRecord(trial, "set-long", { length: Math.ceil(MOST_BYTES / 2), letter: "\u20ac" }),
      );
      return judge(why !== "", why || "it is taken");
    },
  },
  {
    id: "store-types",
    kind: "inference",
    assumes:
      "numbers, truth values and places are read back as they were set, and what was never set is undefined",
    how: "one of each is set and read back",
    rows: [ROW],
    async ask(trial) {
      const wrong: string[] = [];
      for (const value of [0.5, true, { x: 1, y: 2, z: 3 }]) {
        await ask(trial, "set", { key: "prove:type", value });
        const { value: back } = await askRecord(trial, "get", { key: "prove:type" });
        const isSame =
          typeof value === "object" ? recordOf(back).x === 1 && recordOf(back).z === 3 : back === value;
        if (!isSame) wrong.push(typeof value);
      }
      const { value: none } = await askRecord(trial, "get", { key: "prove:never" });
      if (none !== null) wrong.push("never set");
      return judge(
        wrong.length === 0,
        wrong.length === 0 ? "as they were" : `otherwise: ${wrong.join(", ")}`,
      );
    },
  },
  {
    id: "store-total",
    kind: "inference",
    assumes: "the total of bytes is that of ids and values",
    how: "the total before and after a property with an id of 10 letters and a text of 100",
    rows: [ROW],
    async ask(trial) {
      await ask(trial, "set", { key: "prove:size" });
      const before = numberOf((await askRecord(trial, "total")).value);
      await ask(trial, "set", { key: "prove:size", value: "a".repeat(100) });
      const more = numberOf((await askRecord(trial, "total")).value) - before;
      await ask(trial, "set", { key: "prove:size" });
      return judge(more === 110, `${more} bytes more`);
    },
  },
]);

const ADMIN = "@minecraft/server-admin";

export const settingProbes = probesOf("probes", [
  {
    id: "settings-secret",
    kind: "inference",
    assumes: "a secret is an object that nothing turns into its text",
    how: "the token is turned into text in three ways, and only the length of what looks like one is told",
    rows: [`${ADMIN} / \`SecretString\``],
    async ask(trial) {
      const { token, longest } = await askRecord(trial, "settings");
      return judge(
        token === "object" && longest === 0,
        `${textOf(token)}${longest === 0 ? "" : ", and its text can be had"}`,
      );
    },
  },
  {
    id: "settings-missing",
    kind: "inference",
    assumes: "a setting or a secret that is not there is undefined",
    how: "both are read by a name that nobody has",
    rows: [`${ADMIN} / \`variables\`, \`secrets\``],
    async ask(trial) {
      const { url, none, noToken } = await askRecord(trial, "settings");
      return judge(
        url === "string" && none === "undefined" && noToken === "undefined",
        `${textOf(none)} and ${textOf(noToken)}, beside a ${textOf(url)}`,
      );
    },
  },
]);
