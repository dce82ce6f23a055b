import { join } from "node:path";
import { type Fault, isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { MANIFEST, type PackKind, packIn } from "./folder.ts";
import type { Manifest } from "./manifest.ts";

/** Name of the folder that setup makes for a pack. */
export const PACK_FOLDER = "web_bridge";

/** Folders of the built packs. That of the resource pack may be missing. */
export interface BuiltFolders {
  /** the behavior pack with all features */
  behavior: string;
  /** the one that keeps achievements */
  stable: string;
  resource: string;
}

/** A pack of this product, as it was built. */
export interface BuiltPack {
  kind: PackKind;
  manifest: Manifest;
  /** its files by path with `/`, the manifest last */
  files: ReadonlyMap<string, Uint8Array>;
}

/** Reads a built pack; undefined if it was not built. */
export function readBuiltPack(
  folders: BuiltFolders,
  name: keyof BuiltFolders,
  files: Files,
): BuiltPack | Fault | undefined {
  const folder = folders[name];
  const kind = name === "resource" ? "resource" : "behavior";
  const manifest = packIn(folder, files);
  if (manifest === undefined || isFault(manifest)) return manifest;
  const paths = filesBelow(folder, files).filter(path => path !== MANIFEST);
  const bytesOf = (path: string) => files.read(join(folder, path)) ?? new Uint8Array();
  return { kind, manifest, files: new Map([...paths, MANIFEST].map(path => [path, bytesOf(path)])) };
}

/**
 * Names of all files below a folder, with `/`.
 * @param isPassedOver whether a path and everything below it is left out
 */
export function filesBelow(
  folder: string,
  files: Files,
  isPassedOver: (path: string) => boolean = () => false,
): string[] {
  return files.list(folder).flatMap(name => {
    const path = join(folder, name);
    const kind = files.kindOf(path);
    if (kind === undefined || isPassedOver(path)) return [];
    if (kind === "file") return [name];
    return filesBelow(path, files, isPassedOver).map(below => `${name}/${below}`);
  });
}
