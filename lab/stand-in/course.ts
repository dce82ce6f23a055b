import type { Quirks } from "../simulator/quirks.ts";
import type { Refusals } from "../simulator/server-scripts.ts";

/** What a stand-in does otherwise than the game that it stands for. Nothing: it is as that game is believed to be. */
export interface Course {
  readonly quirks?: Quirks;
  /** members and modules of the script API that are not there */
  readonly omit?: readonly string[];
  /** commands that another pack has registered before */
  readonly takenCommands?: readonly string[];
  readonly refuses?: Refusals;
  /** allowlist.json stays as it is */
  readonly leavesList?: boolean;
  /** seconds before the first line of a start, where there is a world already */
  readonly startSeconds?: number;
  readonly tps?: number;
  /** TCP port of the game is somebody else's */
  readonly portIsTaken?: boolean;
  /** what `GET /v1/join` answers */
  readonly join?: "missing" | "renamed" | "text";
  /** how it ends by itself so many seconds after its start */
  readonly ends?: { readonly how: "offline" | "crash"; readonly seconds: number };
  /** seconds that each line of the console is late */
  readonly lateSeconds?: number;
  /** words in the place of others on the console */
  readonly says?: readonly (readonly [RegExp, string])[];
  /** the content log does not reach the console */
  readonly hidesContent?: boolean;
  /** most characters of a line of the content log */
  readonly contentLength?: number;
  /** what `reload` does besides: the script is told of the world again, or goes on as if nothing was */
  readonly reload?: "worldLoad" | "nothing";
}

/** Several at once: what is of the same kind is put together. */
export function together(courses: readonly Course[]): Course {
  const all = <T>(pick: (course: Course) => T | undefined): T[] =>
    courses.map(pick).filter(picked => picked !== undefined);
  const quirks = all(course => course.quirks);
  const late = merged(quirks.map(each => each.script?.late ?? {}));
  return {
    ...merged(courses),
    quirks: {
      ...merged(quirks),
      http: merged(quirks.map(({ http }) => http ?? {})),
      list: merged(quirks.map(({ list }) => list ?? {})),
      script: { ...merged(quirks.map(({ script }) => script ?? {})), late },
    },
    refuses: {
      ...merged(all(course => course.refuses)),
      missing: all(course => course.refuses?.missing).flat(),
    },
    omit: all(course => course.omit).flat(),
    takenCommands: all(course => course.takenCommands).flat(),
    says: all(course => course.says).flat(),
  };
}

function merged<T extends object>(parts: readonly T[]): T {
  return Object.assign({}, ...parts);
}
