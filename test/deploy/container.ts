import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOfRepository, ROOT } from "../package/packages.ts";
import { findProgram, recipe } from "./front.ts";

/** Whether a container can be simulated on this machine without a container engine. */
export const HAS_NAMESPACES =
  process.geteuid?.() === 0 &&
  spawnSync("unshare", ["-m", "true"]).status === 0 &&
  findProgram(["setpriv"], "--version") !== undefined;

const file = recipe("docker/Dockerfile").replace(/\\\n\s*/g, " ");
const [, building = "", ...stages] = file.split(/^FROM .*$/m);
const final = stages.at(-1) ?? "";

const linesOf = (stage: string, instruction: string): string[] =>
  [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, "gm"))].map(([, rest]) => rest ?? "");

/** An instruction of the last stage, in its JSON form. */
const listOf = (instruction: string): string[] => JSON.parse(linesOf(final, instruction)[0] ?? "[]");

/** The default command of the image. */
export const IMAGE = {
  entrypoint: listOf("ENTRYPOINT"),
  command: listOf("CMD"),
  user: linesOf(final, "USER")[0] ?? "",
  check: JSON.parse(/HEALTHCHECK .* CMD (\[.*\])$/m.exec(final)?.[1] ?? "[]") as string[],
  environment: Object.fromEntries(
    linesOf(final, "ENV").flatMap(line => line.split(/\s+/).map(pair => pair.split("=") as [string, string])),
  ),
};

/** Performs the instructions of the Dockerfile in a folder, at the paths of the image. */
export function buildImage(folder: string): void {
  const source = join(folder, "source");
  copyOfRepository(ROOT, source);
  // The copy already lacks some of these.
  for (const line of recipe("docker/Dockerfile.dockerignore").trim().split("\n")) {
    const [, negation, name = ""] = /^(!?)([\w./]+)(?:\/\*)?$/.exec(line) ?? [];
    if (negation === "!") cpSync(join(ROOT, name), join(source, name), { recursive: true });
    else if (name !== "" && name !== "node_modules")
      rmSync(join(source, name), { recursive: true, force: true });
  }
  for (const line of linesOf(building, "RUN")) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line.replaceAll("/out", join(folder, "out"))], {
      cwd: source,
      env: { PATH: process.env.PATH, HOME: folder },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${line}\n${stdout}${stderr}`);
  }
  for (const line of linesOf(final, "COPY")) {
    const [, uid, gid, from = "", to = ""] =
      /^--from=build (?:--chown=(\d+):(\d+) )?(\S+) (\S+)$/.exec(line) ?? [];
    cpSync(join(folder, from), join(folder, to), { recursive: true });
    if (uid !== undefined) chownSync(join(folder, to), Number(uid), Number(gid));
  }
  const entrypoint = join(folder, "app/entrypoint.sh");
  writeFileSync(entrypoint, readFileSync(entrypoint, "utf8").replaceAll(/\/(app|game)\b/g, `${folder}/$1`));
  rmSync(source, { recursive: true });
  chmodSync(folder, 0o755);
}

/** A container in such a folder. Its paths are those of the image; `/etc/hosts` has the names. */
export interface Container {
  folder: string;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** writable paths; the rest of the system is read-only */
  writable: readonly string[];
  /** whether there is a place for temporary files */
  hasTemp: boolean;
  /** capabilities of root */
  capabilities?: readonly string[];
  names?: readonly string[];
}

/** Starts a container; it ends with its command. */
export function start(container: Container): ChildProcess {
  const { folder, user, writable, hasTemp, names = [], capabilities = [] } = container;
  const temp = join(folder, "tmp");
  const inFolder = (text: string): string =>
    text.replace(/(^|=)\/(app|data|game|server)(?=\/|$)/, `$1${folder}/$2`);
  const [uid, gid] = user.split(":");
  const hosts = join(folder, "hosts");
  writeFileSync(
    hosts,
    `${readFileSync("/etc/hosts", "utf8")}\n${names.map(name => `127.0.0.1 ${name}\n`).join("")}`,
  );
  const own = writable.map(path => inFolder(path));
  const rights = capabilities.map(each => `+${each.toLowerCase()}`);
  const script = [
    `mount --bind '${hosts}' /etc/hosts`,
    ...own.map(path => `mount --bind '${path}' '${path}'`),
    ...(hasTemp ? [`mkdir -p '${temp}'`, `mount -t tmpfs tmpfs '${temp}'`] : []),
    "mount -o remount,ro,bind /",
    `! touch '${folder}/probe' 2>/dev/null`,
    `cd '${inFolder("/data")}'`,
    `exec setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --inh-caps=${["-all", ...rights].join()} --bounding-set=${["-all", ...rights].join()} "$@"`,
  ];
  const line = [...container.entrypoint, ...container.command].map(inFolder);
  mkdirSync(join(folder, "data"), { recursive: true });
  return spawn("unshare", ["-m", "sh", "-ec", script.join("\n"), "sh", ...line], {
    env: {
      PATH: process.env.PATH,
      // The folder itself is below the system's temporary folder.
      ...(hasTemp && { TMPDIR: temp }),
      ...Object.fromEntries(
        Object.entries({ ...IMAGE.environment, ...container.environment }).map(([name, value]) => [
          name,
          inFolder(value),
        ]),
      ),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs a container until it ends. */
export async function run(container: Container): Promise<{ code: number | null; out: string }> {
  const child = start(container);
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", part => (out += part));
  const code = await new Promise<number | null>(done => child.once("close", done));
  return { code, out };
}
