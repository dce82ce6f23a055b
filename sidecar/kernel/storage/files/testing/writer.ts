// Runs in a separate process: writes to a store and prints saved values on standard output.
import { writeSync } from "node:fs";
import { openLinksFile } from "../../../../../test/helpers/files.ts";
import { away, uuidOf } from "../../../../features/known-players/testing/known-records.ts";
import { openKnownPlayers } from "../../../../files.ts";

const [folder = "", prefix = "", times = "0"] = process.argv.slice(2);
const store = openLinksFile(folder, { warn: () => {} });
const known = openKnownPlayers(folder, { warn: () => {} });

for (let i = 0; i < Number(times); i++) {
  await store.change("shared", ({ link }) => ({
    record: { link: { status: "declined", until: link.status === "declined" ? link.until + 1 : 1 } },
    answer: undefined,
  }));
  await store.change(`${prefix}-${i}`, () => ({
    record: { link: { status: "declined", until: i } },
    answer: undefined,
  }));
  await known.change(
    [uuidOf(0), uuidOf(i + 1)],
    (uuid, { visits } = away("", { visits: 0 })) => ({
      record: away(prefix, { visits: visits + 1 }),
      ended: uuid === uuidOf(0) ? [] : [{ from: i, to: i }],
    }),
    { most: 1_000 },
  );
  writeSync(1, `${prefix}-${i}\n`);
}
await known.close();
await store.close();
