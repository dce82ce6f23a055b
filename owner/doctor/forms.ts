import { join } from "node:path";
import { isFault } from "../bds/fault.ts";
import { installedPacks, readText } from "../bds/folder.ts";
import { readPackList } from "../bds/pack-list.ts";
import { type Finding, ok, problem } from "./finding.ts";
import { type Product, stopFirst, type Target } from "./target.ts";

/** What all packs that change the look of forms have in common: only one of them can. */
const FORMS = join("ui", "server_form.json");

/** Whether another pack of the world comes before ours with the look of forms. */
export function checkForms(target: Target, { manifest }: Product): Finding[] {
  const { server, around } = target;
  const path = server.world.lists.resource;
  const text = readText(path, around.files);
  const list = isFault(text) ? text : readPackList(text?.text);
  if (isFault(list)) return [];
  const ids = list.entries.map(({ id }) => id);
  const before = ids.slice(0, Math.max(0, ids.indexOf(manifest.uuid)));
  const other = installedPacks(server, "resource", around.files).find(
    pack => before.includes(pack.manifest.uuid) && around.files.kindOf(join(pack.folder, FORMS)) === "file",
  );
  const id = "resource-pack-order";
  if (other === undefined) return [ok(id, "no other pack comes before the chest form")];
  const { name, uuid } = other.manifest;
  const what = `${path}: ${name} (${uuid}) has a server_form.json too and comes before ours: players do not see the chest form`;
  const mend = `${stopFirst(target)}move the entry ${manifest.uuid} to the first place there, or take ${name} out`;
  return [problem(id, what, mend)];
}
