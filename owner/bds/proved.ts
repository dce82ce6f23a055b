import proofs from "./proved.json" with { type: "json" };

/** By version of the game and platform, such as `1.26.60.6 linux`, when a copy of it was tried and the report handed in. */
type Proofs = Readonly<Record<string, string>>;

/**
 * Whether somebody has handed in a proof of a game on a platform. What only one of two versions tells does not count: a folder
 * may tell three numbers, or four.
 */
export function isProved(version: readonly number[], platform: string, handedIn: Proofs = proofs): boolean {
  const system = platform === "win32" ? "windows" : platform;
  return Object.keys(handedIn).some(key => {
    const [proved = "", on] = key.split(" ");
    const numbers = proved.split(/[.+-]/).map(Number);
    return on === system && version.every((part, place) => part === (numbers[place] ?? part));
  });
}
