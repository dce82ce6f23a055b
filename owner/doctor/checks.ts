import * as consoleLink from "./console-link.ts";
import * as permissions from "./file-permissions.ts";
import { ok, PACK_CONNECTED } from "./finding.ts";
import * as network from "./game-network.ts";
import * as servers from "./game-servers.ts";
import * as packs from "./packs.ts";
import { checkStartedByHand } from "./port-conflicts.ts";
import type { Check, Verdicts } from "./run-checks.ts";
import * as running from "./running-sidecar.ts";
import * as script from "./script-config.ts";
import * as properties from "./server-properties.ts";
import * as settings from "./sidecar-settings.ts";
import * as signIn from "./sign-in.ts";
import type { CheckedSidecar, Target } from "./target.ts";
import { checkWebhooks } from "./webhooks.ts";
import * as world from "./world.ts";

type RunCheck<T extends unknown[]> = (...what: T) => Verdicts | Promise<Verdicts>;

/** A check of the server's folder. */
const ofServer = (id: string, needs: readonly string[], run: RunCheck<[Target]>): Check => ({
  id,
  needs: ["server-folder", ...needs],
  of: "server",
  run: ({ target }) => target && run(target),
});

/** A check of the sidecar, whichever of its game servers is checked, if any. */
const ofSidecar = (
  id: string,
  needs: readonly string[],
  run: RunCheck<[CheckedSidecar, Target | undefined]>,
): Check => ({
  id,
  needs: ["config", ...needs],
  of: "sidecar",
  run: ({ sidecar, target }) => sidecar && run(sidecar, target),
});

/** A check of the server whose pack has all features: it needs settings in files, and the experiment. */
const ofAllFeatures = (id: string, needs: readonly string[], run: RunCheck<[Target]>): Check =>
  ofServer(id, needs, target => (target.keepsAchievements ? [] : run(target)));

/** A check of the server whose pack keeps achievements: it needs `launch` and the game's console. */
const ofConsoleLink = (id: string, needs: readonly string[], run: RunCheck<[Target]>): Check =>
  ofServer(id, needs, target => (target.keepsAchievements ? run(target) : []));

/** A check of the server against the sidecar. */
const ofBoth = (id: string, needs: readonly string[], run: RunCheck<[Target, CheckedSidecar]>): Check =>
  ofServer(id, ["config", ...needs], target => target.sidecar && run(target, target.sidecar));

/** The folder of the first game server, if only `launch` can connect its pack. */
const rootIfLaunched = (
  { keepsAchievements, server }: Target,
  sidecar: CheckedSidecar,
): string | undefined =>
  keepsAchievements && sidecar.name === sidecar.config.server.name ? server.root : undefined;

/** Checks that have to pass before a pack can connect. */
const CONNECTION = [
  ...["server-reads", "world", "beta-apis", "game-version", "pack", "pack-listed", "script-folder"],
  ...["permissions", "allowed-uris", "bridge-url", "bridge-token", "ports", "token-accepted"],
  ...["console-output", "console-commands", "launch"],
];

/** All checks but those that open the configuration and the server's folder, in the order in which to fix things. */
export const CHECKS: readonly Check[] = [
  // Without a folder or a configuration the port checks report nothing; no other check is skipped.
  { ...ofBoth("ports", [], properties.checkPorts), needs: [] },
  ofBoth("server-name", [], servers.checkName),
  ofServer("server-running", [], ({ running }) => {
    const pid = running?.pid === undefined ? "" : ` (process ${running.pid})`;
    return running && ok(`the server is running${pid}`);
  }),
  ofServer("server-program", [], permissions.checkProgram),
  ofServer("server-reads", [], permissions.checkReading),
  ofServer("world", ["server-reads"], world.checkWorld),
  ofServer("game-version", ["world"], world.checkGame),
  ofServer("pack", ["world"], target => packs.checkInstalled(target, target.behavior)),
  ofServer("pack-listed", ["pack"], target => packs.checkListed(target, target.behavior)),
  ofServer("resource-pack", ["world"], packs.checkResourcePack),
  ofServer("resource-pack-listed", ["resource-pack"], packs.checkResourceListed),
  ofAllFeatures("beta-apis", ["world"], world.checkLevel),
  ofConsoleLink("achievements", ["world"], world.checkAchievements),
  ofAllFeatures("script-folder", ["server-reads"], script.checkFolder),
  ofAllFeatures("permissions", ["script-folder"], script.checkPermissions),
  ofAllFeatures("variables", ["script-folder"], script.checkVariables),
  ofServer("bridge-url", ["variables", "ports"], script.checkAddress),
  ofAllFeatures("allowed-uris", ["permissions", "bridge-url"], script.checkUris),
  ofAllFeatures("world-name", ["variables", "world"], script.checkWorldName),
  ofBoth("bridge-token", ["script-folder", "token-file"], (target, sidecar) =>
    target.keepsAchievements ? [] : script.checkToken(target, sidecar),
  ),
  ofBoth("other-server", ["bridge-token"], servers.checkOthers),
  ofServer("properties-encoding", [], properties.checkEncoding),
  ofAllFeatures("content-log", [], properties.checkContentLog),
  ofConsoleLink("console-output", [], consoleLink.checkOutput),
  ofConsoleLink("console-commands", ["server-reads"], consoleLink.checkCommands),
  ofConsoleLink("launch", [], consoleLink.checkLaunch),
  ofServer("online-mode", [], properties.checkOnlineMode),
  ofServer("allow-list", [], properties.checkAllowList),
  ofBoth("allow-list-users", [], properties.checkListOfImage),
  ofServer("chat-restriction", [], properties.checkChat),
  ofServer("script-watchdog", [], properties.checkWatchdog),
  ofServer("texturepack-required", ["resource-pack"], properties.checkTexturePack),
  ofServer("network", [], network.checkNetwork),
  ofServer("other-game", ["network"], network.checkOtherGames),
  ofServer("game-ports", ["network", "ports"], network.checkGamePorts),
  ofServer("game-answers", ["online-mode", "other-game", "game-ports"], network.checkAnswers),
  ofSidecar("fixed-ports", [], settings.checkFixedPorts),
  { id: "disk-space", needs: [], of: "sidecar", run: settings.checkDisks },
  ofSidecar("notes", [], settings.checkNotes),
  ofSidecar("sign-in-files", [], signIn.checkSignInFiles),
  ofSidecar("redis", [], async sidecar =>
    // The Redis client is loaded only if it is needed.
    sidecar.config.storage.kind === "redis" ? (await import("./redis.ts")).checkRedis(sidecar) : [],
  ),
  ofSidecar("sidecar-running", ["ports", "fixed-ports", "hosts"], (sidecar, target) =>
    running.checkListeners(sidecar, target && rootIfLaunched(target, sidecar)),
  ),
  ofSidecar("sidecar-clock", ["sidecar-running"], running.checkSidecarClock),
  ofSidecar("started-by-hand", ["sidecar-running"], checkStartedByHand),
  ofSidecar("token-accepted", ["sidecar-running"], running.checkAccepted),
  ofSidecar("running-settings", ["token-accepted"], running.checkSettings),
  ofSidecar("webhooks", ["token-accepted"], checkWebhooks),
  ofSidecar("sign-in", ["sidecar-running"], signIn.checkSignIn),
  ofBoth("connected-world", ["token-accepted"], running.checkConnectedWorld),
  ofBoth(PACK_CONNECTED, CONNECTION, running.checkConnected),
];
