/** @param {string} version */
const inManifest = version => `"version": [${version.split(".").join(", ")}]`;

/**
 * Where the version of the product stands, how it is written there, and how often from the top.
 * @type {Record<string, { as: (version: string) => string, times?: number }>}
 */
const PLACES = {
  "package.json": { as: version => `"version": "${version}"` },
  "package-lock.json": { as: version => `"version": "${version}"`, times: 2 },
  "shared/version.ts": { as: version => `PRODUCT_VERSION = "${version}"` },
  "manifest.json": { as: inManifest, times: 2 },
  "resource_pack/manifest.json": { as: inManifest, times: 2 },
  "README.md": { as: version => `not installed -> ${version} (` },
  "SECURITY.md": { as: version => `| ${version}, and the main branch |` },
};

const UNRELEASED = "## Unreleased\n";

/**
 * The files that a release changes, as they are afterwards.
 * @param {(path: string) => string} read text of a file, by its path from the root
 * @param {string} version for example `1.2.3`
 * @param {string} date for example `2027-01-31`
 * @returns {Record<string, string> | { fault: string }} texts by path
 */
export function releasedFiles(read, version, date) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return { fault: `${version}: expected a version such as 1.2.3` };
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return { fault: `${date}: expected a date such as 2027-01-31` };
  /** @type {string} */
  const old = JSON.parse(read("package.json")).version;
  if (version.localeCompare(old, "en", { numeric: true }) < 0)
    return { fault: `${version} is older than ${old}` };
  const changes = read("CHANGELOG.md");
  if (changes.includes(`\n## ${version},`)) return { fault: `CHANGELOG.md has ${version} already` };
  if (!new RegExp(`^${UNRELEASED}\n(?!## )`, "m").test(changes))
    return { fault: "CHANGELOG.md has nothing under Unreleased" };
  /** @type {Record<string, string>} */
  const files = { "CHANGELOG.md": changes.replace(UNRELEASED, `${UNRELEASED}\n## ${version}, ${date}\n`) };
  for (const [path, { as, times = 1 }] of Object.entries(PLACES)) {
    const parts = read(path).split(as(old));
    if (parts.length <= times) return { fault: `${path} does not say ${as(old)}` };
    files[path] = [parts.slice(0, times + 1).join(as(version)), ...parts.slice(times + 1)].join(as(old));
  }
  return files;
}

/**
 * What git has to be told once the files are written, each as its arguments: of everything else that is changed nothing
 * gets into the release.
 * @param {string} version
 * @param {string[]} paths of the files that were written
 */
export const releaseSteps = (version, paths) => [
  ["commit", "-m", `release: make ${version}`, "--", ...paths],
  ["tag", "-a", `v${version}`, "-m", `Web Bridge ${version}`],
];
