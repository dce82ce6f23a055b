import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setProperties } from "../../owner/bds/properties.ts";
import type { Fixture } from "./fixture.ts";

const CONFIG = fileURLToPath(new URL("../../dist/tools/config.js", import.meta.url));

/** The file that a problem begins with. */
const fileIn = (what: string): string => /^(.+?): /.exec(what)?.[1] ?? "";

/**
 * Does what a problem's advice says: a command, a deletion before it, a key of server.properties, or a restart of the
 * sidecar.
 */
export async function follow(fixture: Fixture, what: string, mend: string): Promise<void> {
  const setup = /npm run setup .*?(?= {2}\(|; |$)/.exec(mend)?.[0];
  const property = /^set ([\w-]+)=(.*?) in (.+?)(?:, or .*)?$/.exec(mend);
  const setting = /^npm run config -- (.+? --config "[^"]+")/.exec(mend)?.[1];
  const isOfFiles = /^(chmod|chown) \S+ /.test(mend);
  const copy = /^cp "(.+?)" "(.+?)"(?:, then: |$)/.exec(mend);
  const rename = /^rename the folder to (\S+)$/.exec(mend);
  const folder = /^delete the folder (.+?), then: /.exec(mend)?.[1];
  if (/^(stop the sidecar and start it again: )?npm start -- --config /.test(mend)) {
    await fixture.stopSidecar();
    return fixture.startSidecar();
  }
  if (property !== null) {
    const [, key = "", value = "", file = ""] = property;
    const text = readFileSync(file, "utf8");
    return writeFileSync(file, setProperties(text, { [key]: value }));
  }
  if (setting !== undefined) {
    execFileSync("sh", ["-c", `"${process.execPath}" "${CONFIG}" ${setting}`]);
    return / then (stop|start) the sidecar/.test(mend) ? fixture.restartSidecar() : undefined;
  }
  if (copy !== null) {
    copyFileSync(copy[1] ?? "", copy[2] ?? "");
    return setup === undefined ? undefined : fixture.setUp(setup);
  }
  if (isOfFiles) return void execFileSync("sh", ["-c", mend]);
  if (rename !== null) {
    const from = /^config\/(\S+): /.exec(what)?.[1] ?? "";
    return renameSync(fixture.path("config", from), fixture.path("config", rename[1] ?? ""));
  }
  if (/^(write|take) .*(in the place of|out$)/.test(mend)) return rewrite(fileIn(what), mend);
  if (setup === undefined) throw new Error(`no advice that can be followed: ${mend}`);
  if (mend.startsWith("move it elsewhere, then: ")) rmSync(fileIn(what), { recursive: true });
  if (folder !== undefined) rmSync(folder, { recursive: true });
  if (mend.includes("delete the file") || mend.startsWith("delete it")) rmSync(fileIn(what));
  return fixture.setUp(setup);
}

/** Corrects entries of the allowlist. */
function rewrite(path: string, mend: string): void {
  const entries: string[] = JSON.parse(readFileSync(path, "utf8")).map((entry: unknown) =>
    JSON.stringify(entry),
  );
  const after = mend.split("; ").reduce((left, step) => {
    const [, now, was] = /^write (.+) in the place of (.+)$/.exec(step) ?? [];
    const gone = was ?? /^take (.+) out$/.exec(step)?.[1];
    return left.flatMap(entry => (entry !== gone ? [entry] : now === undefined ? [] : [now]));
  }, entries);
  writeFileSync(path, `[${after.join(",")}]`);
}

/** Keeps a copy of a file to put back where the advice is to take it from somewhere else. */
export function keep(folder: string, name = ""): () => void {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  return () => writeFileSync(path, bytes);
}
