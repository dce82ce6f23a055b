import type { BuiltPack } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { packsOf, type ServerFolder } from "../../bds/folder.ts";
import { readProperties } from "../../bds/properties.ts";
import { decodeText } from "../../bds/text-encoding.ts";
import { type PlanPart, Refusal } from "./change.ts";
import type { LinkForm } from "./choices.ts";
import type { Disk } from "./disk.ts";
import { entryOf, type Journal, keptBytes } from "./journal.ts";
import { isListed, planList, planUnlisting } from "./pack-lists.ts";
import { planPack, planRemoval } from "./packs.ts";
import type { SetupSidecar } from "./sidecar.ts";

interface Asked {
  server: ServerFolder;
  sidecar: SetupSidecar;
  /** the resource pack that was built */
  resource: BuiltPack | undefined;
  chestForm: boolean | undefined;
  journal: Journal | undefined;
}

/** What the look of link requests makes of a server and its sidecar. */
interface ChestFormPlan {
  /** to be made before the lists of packs are written */
  first: PlanPart[];
  /** how players shall be asked; undefined: as they are */
  linkForm: LinkForm | undefined;
  properties: Record<string, string | undefined>;
  last: PlanPart[];
}

const REQUIRED = "texturepack-required";

/**
 * What installs the resource pack for the chest form, or takes it out again. Where nothing is asked for, a sidecar that
 * has the chest form keeps it, and a pack that lies there for whatever reason is brought to this version.
 */
export function planChestForm(asked: Asked, disk: Disk): ChestFormPlan {
  const { server, sidecar, resource, chestForm, journal } = asked;
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
    // A pack is taken off the list before it goes.
    last: [planUnlisting(resource, server, journal, disk), planRemoval(resource, server, disk)],
  };
}

/** What `texturepack-required` goes back to where setup has set it; nothing where the owner has. */
function requiredBefore(
  { root, propertiesFile, properties }: ServerFolder,
  journal: Journal | undefined,
  disk: Disk,
): Record<string, string | undefined> {
  const entry = entryOf(root, journal, disk.realPath(propertiesFile));
  if (entry === undefined || properties.get(REQUIRED) !== "true") return {};
  const text = decodeText(keptBytes(root, entry.before.state, disk) ?? new Uint8Array());
  const was = isFault(text) ? undefined : readProperties(text.text).get(REQUIRED);
  return was === "true" ? {} : { [REQUIRED]: was };
}
