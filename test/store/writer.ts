// Runs in a process of its own: writes to a store and says on standard output what is safe.
import { writeSync } from "node:fs";
import { openLinksFile } from "../../sidecar/store/links-file.ts";

const [folder = "", prefix = "", times = "0"] = process.argv.slice(2);
const store = openLinksFile(folder, { warn: () => {} });

for (let i = 0; i < Number(times); i++) {
  await store.change("shared", ({ link }) => ({
    record: { link: { status: "declined", until: link.status === "declined" ? link.until + 1 : 1 } },
    answer: undefined,
  }));
  await store.change(`${prefix}-${i}`, () => ({
    record: { link: { status: "declined", until: i } },
    answer: undefined,
  }));
  writeSync(1, `${prefix}-${i}\n`);
}
await store.close();
