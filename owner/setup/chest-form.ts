import type { BuiltPack } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { packsOf, type ServerFolder } from "../../bds/folder.ts";
import { readProperties } from "../../bds/properties.ts";
import { decodeText } from "../../bds/text-encoding.ts";
import { type PlanPart, Refusal } from "./change.ts";
import type { LinkForm } from "./choices.ts";
import type { Disk } from "./disk.ts";
import { entryOf, type Journal, savedBytes } from "./journal.ts";
import { isListed, planList, planUnlisting } from "./pack-lists.ts";
import { planPack, planRemoval } from "./packs.ts";
import type { SetupSidecar } from "./sidecar.ts";

interface ChestFormOptions {
  server: ServerFolder;
  sidecar: SetupSidecar;
  resource: BuiltPack | undefined;
  chestForm: boolean | undefined;
  journal: Journal | undefined;
}

/** The changes for the form of link requests. */
interface ChestFormPlan {
  /** changes before those of the lists of packs */
  first: PlanPart[];
  /** how players will be asked; undefined: no change */
  linkForm: LinkForm | undefined;
  properties: Record<string, string | undefined>;
  last: PlanPart[];
}

const REQUIRED = "texturepack-required";

/**
 * Plans to install the resource pack for the chest form, or to remove it. Without a choice a sidecar with the chest form keeps
 * it, and an installed pack is updated.
 */
export function planChestForm(options: ChestFormOptions, disk: Disk): ChestFormPlan {
  const { server, sidecar, resource, chestForm, journal } = options;
  if (resource === undefined) {
    if (chestForm === undefined) return { first: [], linkForm: undefined, properties: {}, last: [] };
    throw new Refusal(
      "there is no resource pack beside this program: in a clone run npm run build, else unpack the archive again",
    );
  }
  if (chestForm ?? sidecar.linkForm === "chest")
    return {
      first: [planPack(resource, server, disk)],
      linkForm: "chest",
      properties: { [REQUIRED]: "true" },
      last: [planList(resource, server, disk)],
    };
  if (chestForm === undefined)
    return {
      first:
        packsOf(server, "resource", resource.manifest.uuid, disk).length > 0
          ? [planPack(resource, server, disk)]
          : [],
      linkForm: undefined,
      properties: {},
      last: isListed(resource, server, disk) ? [planList(resource, server, disk)] : [],
    };
  return {
    first: [],
    linkForm: "buttons",
    properties: requiredBefore(server, journal, disk),
    // A pack leaves the list before its files go.
    last: [planUnlisting(resource, server, journal, disk), planRemoval(resource, server, disk)],
  };
}

/** The value that `texturepack-required` had before setup; empty if the owner has set it. */
function requiredBefore(
  { root, propertiesFile, properties }: ServerFolder,
  journal: Journal | undefined,
  disk: Disk,
): Record<string, string | undefined> {
  const entry = entryOf(root, journal, disk.realPath(propertiesFile));
  if (entry === undefined || properties.get(REQUIRED) !== "true") return {};
  const text = decodeText(savedBytes(root, entry.before.state, disk) ?? new Uint8Array());
  const was = isFault(text) ? undefined : readProperties(text.text).get(REQUIRED);
  return was === "true" ? {} : { [REQUIRED]: was };
}
