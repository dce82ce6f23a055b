import * as admin from "./admin.ts";
import * as commands from "./commands.ts";
import { Dimension } from "./dimension.ts";
import { Entity, EntityHealthComponent, EntityProjectileComponent, Player } from "./entities.ts";
import * as errors from "./errors.ts";
import * as forms from "./forms.ts";
import * as gametest from "./gametest.ts";
import * as net from "./net.ts";
import { words } from "./surface.ts";
import { ScriptEventSource, System } from "./system.ts";
import { World } from "./world.ts";

type Exports = Record<string, unknown>;

const causes =
  words(`anvil blockExplosion campfire charging contact drowning entityAttack entityExplosion fall
  fallingBlock fire fireTick fireworks flyIntoWall freezing lava lightning maceSmash magic magma none override
  piston projectile ramAttack selfDestruct sonicBoom soulCampfire stalactite stalagmite starve suffocation
  temperature thorns void wither`);

const modes = words("Adventure Creative Spectator Survival");

/** Exports of a file of the guest, by their names separated by spaces. */
function picked(from: Exports, names: string): Exports {
  const missing = words(names).find(name => !(name in from));
  if (missing !== undefined) throw new Error(`simulator: there is no ${missing}`);
  return Object.fromEntries(words(names).map(name => [name, from[name]]));
}

/** The modules that the pack can import, by name, without omitted members. */
export function makeModules(omit: ReadonlySet<string>): Record<string, Exports> {
  const dedicatedServer = "@minecraft/server-admin.dedicatedServer";
  const all: Record<string, Exports> = {
    "@minecraft/server": {
      world: new World(),
      system: new System(),
      World,
      System,
      Dimension,
      Entity,
      Player,
      EntityHealthComponent,
      EntityProjectileComponent,
      EntityDamageCause: Object.fromEntries(causes.map(cause => [cause, cause])),
      EntityComponentTypes: { Health: "minecraft:health", Projectile: "minecraft:projectile" },
      GameMode: Object.fromEntries(modes.map(mode => [mode, mode])),
      ScriptEventSource,
      TicksPerDay: 24000,
      TicksPerSecond: 20,
      ...picked(
        errors,
        `CommandError CustomCommandError NamespaceNameError InvalidEntityError
        LocationInUnloadedChunkError RawMessageError`,
      ),
      ...picked(
        commands,
        `CommandPermissionLevel CustomCommandOrigin CustomCommandParamType CustomCommandRegistry CustomCommandSource
        CustomCommandStatus`,
      ),
    },
    "@minecraft/server-ui": {
      ...picked(
        forms,
        `ActionFormData ActionFormResponse MessageFormData MessageFormResponse ModalFormData ModalFormResponse
        UIManager FormCancelationReason FormRejectReason`,
      ),
      uiManager: new forms.UIManager(),
      FormRejectError: errors.FormRejectError,
    },
    "@minecraft/server-net": {
      http: new net.HttpClient(),
      ...picked(
        net,
        `HttpClient HttpHeader HttpRequest HttpResponse HttpRequestMethod beforeEvents websocket`,
      ),
      ...picked(
        errors,
        `HttpRequestLimitExceededError InternalHttpRequestError MalformedUriError
        RequestBodyTooLargeError TLSOnlyError UriNotAllowedError`,
      ),
    },
    "@minecraft/server-admin": {
      variables: new admin.ServerVariables(),
      secrets: new admin.ServerSecrets(),
      dedicatedServer: omit.has(dedicatedServer) ? undefined : new admin.DedicatedServerUtils(),
      ...picked(admin, "beforeEvents SecretString AllowList kickPlayer"),
      ...picked(
        errors,
        "AllowListModificationError AllowListFileReloadError CannotKickPlayerError DisconnectedError",
      ),
    },
    "@minecraft/server-gametest": { ...picked(gametest, "SimulatedPlayer spawnSimulatedPlayer") },
    "@minecraft/common": { ...picked(errors, "ArgumentOutOfBoundsError EngineError InvalidArgumentError") },
  };
  for (const [module, exports] of Object.entries(all)) {
    if (omit.has(module)) delete all[module];
    for (const name of Object.keys(exports)) {
      const member = `${module}.${name}`;
      if (omit.has(member) && member !== dedicatedServer) delete exports[name];
    }
  }
  return all;
}
