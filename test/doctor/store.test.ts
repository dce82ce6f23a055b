import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "@jest/globals";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { openLinksFile } from "../../sidecar/store/links-file.ts";
import { standing } from "./fixture.ts";
import { follow } from "./mends.ts";

const fixture = standing();
const data = join(fixture.folder, "sidecar", "data");

const first = async (env = {}) => (await fixture.wrong({ env }))[0];

it("tells to start a sidecar, and to start it again, as it is run", async () => {
  const note = join(dirname(fixture.tokenFile), "run-by");
  writeFileSync(note, "systemd:web-bridge\n");
  fixture.edit(fixture.config, text => `${text}server:\n  process: "1"\n`);
  expect(await first()).toMatchObject({ id: "running-settings", mend: "systemctl restart web-bridge" });
  fixture.edit(fixture.config, text => text.replace('server:\n  process: "1"\n', ""));
  await fixture.stopSidecar();
  expect(await first()).toMatchObject({ id: "sidecar-running", mend: "systemctl start web-bridge" });
  expect(await first({ WEB_BRIDGE_RUN_BY: "compose" })).toMatchObject({
    mend: expect.stringMatching(/ up -d web-bridge$/),
  });
  rmSync(note);
  expect(await first()).toMatchObject({ mend: expect.stringMatching(/^npm start -- --config /) });
});

it("names files with which the sidecar does not start, and what is lost without them", async () => {
  await fixture.stopSidecar();
  for (const [name, id, lost] of [
    ["links.db", "storage-links", "players link again"],
    ["feed.db", "storage-feed", "what happened before is forgotten"],
    ["players.db", "storage-players", "who has been here is forgotten"],
  ] as const) {
    const file = join(data, name);
    writeFileSync(file, "no database".repeat(1000));
    const before = readdirSync(data);
    const found = await fixture.wrong();
    expect(found).toEqual([
      {
        id,
        state: "problem",
        what: `${file}: is damaged: the sidecar does not start with it`,
        mend: `put a backup of it in its place, or move it and ${name}-wal away (${lost}), then: npm start -- --config "${fixture.config}"`,
      },
    ]);
    expect(readdirSync(data)).toEqual(before);
    rmSync(file);
    await follow(fixture, "", found[0]?.mend.replace(/^.*, then: /, "") ?? "");
    expect(await fixture.problems()).toEqual([]);
    await fixture.stopSidecar();
  }
  const file = join(data, "links.db");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE others (a)");
  expect(await fixture.wrong()).toMatchObject([
    {
      what: `${file}: is another program's: the sidecar does not start with it`,
      mend: expect.stringContaining("npm run config -- set storage.folder - --config "),
    },
  ]);
  database.exec("PRAGMA user_version = 99");
  database.close();
  expect((await fixture.wrong()).map(({ what }) => what)).toEqual([
    `${file}: is of a newer sidecar: the sidecar does not start with it`,
  ]);
  rmSync(file);
  openLinksFile(data, fixture.log).close();
  await fixture.startSidecar();
  expect(await fixture.problems()).toEqual([]);
});

it("finds nothing wrong with the files of a sidecar that was ended, large ones and those of Redis aside", async () => {
  await fixture.stopSidecar();
  await openLinksFile(data, fixture.log).close();
  openFeedFile(data, fixture.log).close();
  expect(await fixture.problems()).toEqual(["sidecar-running"]);
  writeFileSync(join(data, "links.db"), new Uint8Array(33 * 1024 * 1024));
  expect(await fixture.problems()).toEqual(["sidecar-running"]);
});
