import { isSince, likelyVersion } from "../bds/game-version.ts";
import { ONE_PORT } from "../bds/network.ts";
import { type Finding, note, ok, problem } from "./finding.ts";
import { isOn, set, settingOf } from "./setting.ts";
import type { Target } from "./target.ts";

/** A switch that is neither on nor off; undefined: it is one of them. */
export function neither(target: Target, key: "allow-list" | "online-mode"): Finding | undefined {
  const value = settingOf(target, key, "true");
  if (value === "true" || value === "false") return undefined;
  const what = `${key} is ${value}, which is neither true nor false`;
  return problem(key, what, `${set(target, `${key}=true`)}, or ${key}=false there`);
}

/** Whether players have to be who they say, as the list goes by that. */
export function checkOnlineMode(target: Target): Finding {
  const key = "online-mode";
  const odd = neither(target, key);
  const isListOn = isOn(target, "allow-list", true);
  if (odd !== undefined) return odd;
  if (isOn(target, key, true)) return ok(key, `${key} is on${isListOn ? ", as allow-list needs it" : ""}`);
  if (!isListOn) return note(key, `${key} is off: players may take the names of others`);
  const what = `allow-list is on, and ${key} is off: ${withoutLogin(target)}`;
  return problem(key, what, `${set(target, `${key}=true`)}, or allow-list=false there`);
}

function withoutLogin({ server, around }: Target): string {
  const version = likelyVersion(server, around.files);
  if (version === undefined) return "the game does not allow that";
  if (isSince(version, ONE_PORT)) return "the server names it an error and ends";
  return "the server names it an error, and hangs without opening a port";
}
