/** @typedef {{ os: string, cpu: string, native: string[] }} Platform */

/**
 * Where the sidecar runs, by the names that Node has for it; `native`: the builds of libsql that are needed there.
 * @type {Record<string, Platform>}
 */
export const PLATFORMS = {
  "win32-x64": { os: "win32", cpu: "x64", native: ["@libsql/win32-x64-msvc"] },
  // Linux comes with one of two C libraries, and an archive has to run with either.
  "linux-x64": { os: "linux", cpu: "x64", native: ["@libsql/linux-x64-gnu", "@libsql/linux-x64-musl"] },
  "linux-arm64": {
    os: "linux",
    cpu: "arm64",
    native: ["@libsql/linux-arm64-gnu", "@libsql/linux-arm64-musl"],
  },
  "darwin-x64": { os: "darwin", cpu: "x64", native: ["@libsql/darwin-x64"] },
  "darwin-arm64": { os: "darwin", cpu: "arm64", native: ["@libsql/darwin-arm64"] },
};

/**
 * The platforms that `--platform` means.
 * @param {string} asked a name, or `all`
 * @returns {string[] | undefined} nothing when there is no such platform
 */
export function platformsFor(asked) {
  if (asked === "all") return Object.keys(PLATFORMS);
  return Object.hasOwn(PLATFORMS, asked) ? [asked] : undefined;
}
