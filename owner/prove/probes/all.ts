import type { Probe } from "../probe.ts";
import { listProbes } from "./allow-list.ts";
import { chatProbes } from "./chat.ts";
import { commandProbes, scriptCommandProbes } from "./commands.ts";
import { engineProbes } from "./engine.ts";
import { formProbes } from "./forms.ts";
import { joinPlayerProbes, joinProbes } from "./join.ts";
import { joinedProbes } from "./joined.ts";
import { kickProbes } from "./kick.ts";
import { killProbes, lifeProbes, stopProbes } from "./life.ts";
import { longProbes } from "./long.ts";
import { modeProbes } from "./modes.ts";
import { netProbes } from "./net.ts";
import { refusedProbes } from "./net-refused.ts";
import { onlineProbes } from "./online.ts";
import { playerProbes } from "./players.ts";
import { startProbes } from "./start.ts";
import { settingProbes, storeProbes } from "./store.ts";
import { webProbes } from "./web.ts";
import { webGameProbes } from "./web-game.ts";
import { webListProbes } from "./web-list.ts";

/**
 * Everything that is asked, in the order in which it is asked in its run. What a kill leaves is asked last: it is about what was
 * stored well before.
 */
export const probes: readonly Probe[] = [
  ...startProbes,
  ...commandProbes,
  ...joinProbes,
  ...webListProbes,
  ...webProbes,
  ...lifeProbes,
  ...stopProbes,
  ...engineProbes,
  ...modeProbes,
  ...scriptCommandProbes,
  ...netProbes,
  ...refusedProbes,
  ...listProbes,
  ...settingProbes,
  ...storeProbes,
  ...playerProbes,
  ...kickProbes,
  ...chatProbes,
  ...formProbes,
  ...joinPlayerProbes,
  ...webGameProbes,
  ...killProbes,
  ...onlineProbes,
  ...joinedProbes,
  ...longProbes,
];
