import { isIPv6 } from "node:net";

/** What is known of the machine and must not stand in a report. What looks like it is taken out without being named here. */
export interface Secrets {
  /** with their whole paths: the game server, its copy, the home of the user, those for temporary files */
  readonly folders?: readonly string[];
  readonly machines?: readonly string[];
  readonly users?: readonly string[];
  readonly addresses?: readonly string[];
  /** of at least 8 characters */
  readonly tokens?: readonly string[];
  readonly players?: readonly string[];
  /** look like addresses, and are none, such as `1.26.60.6` */
  readonly versions?: readonly string[];
}

/** Most characters that are looked through: nothing that a probe has to say is as long. */
const LONGEST = 50_000;
const SHORTEST_TOKEN = 8;

/**
 * A text without names of machine, user, folders, addresses, tokens and players: `<folder>` and the like stand in their places.
 * What has been through it once stays as it is.
 */
export function scrubbed(text: string, secrets: Secrets = {}): string {
  if (text.length > LONGEST) return `(${text.length} characters, too many to look through)`;
  const plain = text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}]/gu, "");
  const { folders = [], machines = [], users = [], addresses = [], tokens = [], players = [] } = secrets;
  const known = (names: readonly string[], word: string): By => {
    const pattern = wordsOf(names.filter(name => !TELLS_NOTHING.test(name.trim())));
    return sofar => sofar.replace(pattern, word);
  };
  const steps: By[] = [
    // A name may be a part of what follows it, and one that is replaced first would leave the rest.
    sofar => sofar.replace(partsOf(folders.filter(isFolder), REST_OF_NAME), "<folder>"),
    ...WITH_NAMES,
    sofar => sofar.replace(partsOf(tokens.filter(({ length }) => length >= SHORTEST_TOKEN)), "<token>"),
    known(addresses, "<address>"),
    known(machines, "<machine>"),
    known(users, "<user>"),
    known(players, "<player>"),
    ...SHAPES,
  ];
  const versions = new Set(secrets.versions);
  return steps.reduce((sofar, step) => step(sofar, versions), plain);
}

type By = (text: string, versions: ReadonlySet<string>) => string;

const becomes =
  (pattern: RegExp, word: string): By =>
  text =>
    text.replace(pattern, word);

/**
 * Names that tell of nobody, the words that stand in their places among them, and those that servers and their users are often
 * given: a report of `@<user>/server-net` would say nothing.
 */
const TELLS_NOTHING =
  /^(root|localhost|admin(istrator)?|folder|machine|user|address|token|player|id|minecraft|bedrock|mojang|game|server|beta|node|pack|.?)$/iu;

const isFolder = (folder: string): boolean => /[^/\\.]/u.test(folder.replace(/^[a-z]:/iu, ""));

/** What is left of the name of a folder. */
const REST_OF_NAME = "[^\\s\\\\/\"'<>|:*?,;)]*";

/** Where folders of people and programs are, other than paths of calls such as `/v1/join`. */
const ROOTS =
  "home|Users|root|tmp|srv|opt|var|usr|mnt|media|etc|proc|run|data|apps?|private|snap|work|workspace|builds?|bin|lib|dev|Volumes";

/** What looks like a secret and may have names in it. Each pattern reads any text in a time that grows as the text does. */
const WITH_NAMES: readonly By[] = [
  becomes(/\bfile:\/\/(?:<folder>)?[^\s"'<>)]*/giu, "<folder>"),
  // Of an address of a service its scheme and its path, which calls are known by.
  becomes(
    /\b([a-z][a-z0-9+.-]{0,20}):\/\/[^\s"'<>)/?#]+(\/[^\s"'<>)?#]*)?(?:[?#][^\s"'<>)]*)?/giu,
    "$1://<address>$2",
  ),
  becomes(/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/gu, "<address>"),
  becomes(/\\\\[\w.$-]+(?:\\[^\s\\/"'<>|:*?]*)+/gu, "<folder>"),
  becomes(
    /(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:local|lan|home|internal|localdomain|fritz\.box)(?![\w.-])/giu,
    "<machine>",
  ),
];

/** What looks like a secret by itself. */
const SHAPES: readonly By[] = [
  // In the middle of a path of Windows there may be blanks; where it ends nothing tells.
  becomes(/(?<![\p{L}\p{N}])[a-z]:[\\/](?:[^\\/"'<>|:*?]{0,255}[\\/])*[^\s\\/"'<>|:*?]*/giu, "<folder>"),
  becomes(
    new RegExp(`(?<![\\p{L}\\p{N}~./>-])/(?:${ROOTS})(?:/[^\\s"'<>|:*?,;)]*|(?![\\w/.-]))`, "gu"),
    "<folder>",
  ),
  becomes(/(?<![\w~])~[a-z]*\/[^\s"'<>|:*?,;)]*/gu, "<folder>"),
  // What lies in a folder that is known may be named after people too.
  becomes(/<folder>(?:[\\/](?:<\w+>|[^\s\\/"'<>|:*?,;)])*)+/gu, "<folder>"),
  becomes(/(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/giu, "<id>"),
  becomes(/(?<![\da-f])(?:[\da-f]{2}[:-]){5}[\da-f]{2}(?![\da-f:-])/giu, "<address>"),
  text =>
    text.replace(/(?<![\w:.])[\da-f:]{2,45}(?:\.\d{1,3}){0,3}(?:%\w{1,15})?(?![\w:])/giu, found =>
      isIPv6(found) ? "<address>" : found,
    ),
  (text, versions) =>
    text.replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?!\d|\.\d)/gu, found =>
      versions.has(found) ? found : "<address>",
    ),
  becomes(/(Player (?:connected|Spawned|disconnected): )[^,\n"]+/gu, "$1<player>"),
  becomes(/(?<![\w-])(?:\d{16}|[\da-f]{16})(?![\w-])/giu, "<id>"),
  text =>
    text.replace(/(?<![\w+-])[\w+-]{20,}={0,2}(?![\w+-])/gu, found => (isToken(found) ? "<token>" : found)),
];

/** Names of things are words with hyphens, and have no numbers within them. */
const isToken = (text: string): boolean =>
  text.split(/[-_+=]/).some(part => part.length >= 10 && /\d/.test(part) && /\p{L}/u.test(part));

/** What fits nothing. */
const NEVER = /(?!)/u;

/** A pattern for texts wherever they are, with what may follow them. */
const partsOf = (texts: readonly string[], after = ""): RegExp => {
  const all = writings(texts);
  return all === "" ? NEVER : new RegExp(`(?:${all})${after}`, "giu");
};

/** A pattern for texts where no letter or digit joins them. */
const wordsOf = (texts: readonly string[]): RegExp => {
  const all = writings(texts);
  return all === "" ? NEVER : new RegExp(`(?<![\\p{L}\\p{N}])(?:${all})(?![\\p{L}\\p{N}])`, "giu");
};

/** All the ways in which texts may be written, longest first. */
function writings(texts: readonly string[]): string {
  const all = texts.flatMap(text => {
    const bare = text
      .normalize("NFC")
      .replace(/\p{Cs}/gu, "")
      .trim()
      .replace(/(?<=.)[\\/]+$/u, "");
    const slashes = [bare, bare.replaceAll("\\", "/"), bare.replaceAll("/", "\\")];
    const encoded = slashes.map(encodeURIComponent);
    return [
      ...slashes,
      ...slashes.map(each => JSON.stringify(each).slice(1, -1)),
      ...encoded,
      ...encoded.map(each => each.replaceAll("%2F", "/")),
    ];
  });
  return [...new Set(all)]
    .filter(each => each !== "")
    .sort((one, other) => other.length - one.length)
    .map(each => each.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
    .join("|");
}
