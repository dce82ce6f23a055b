import * as admin from "./admin.ts";
import * as commands from "./commands.ts";
import { Entity, EntityHealthComponent, EntityProjectileComponent, Player } from "./entities.ts";
import * as errors from "./errors.ts";
import * as forms from "./forms.ts";
import * as net from "./net.ts";
import { System } from "./system.ts";
import { World } from "./world.ts";

type Exports = Record<string, unknown>;

const causes = `anvil blockExplosion campfire charging contact drowning entityAttack entityExplosion fall
  fallingBlock fire fireTick fireworks flyIntoWall freezing lava lightning maceSmash magic magma none override
  piston projectile ramAttack selfDestruct sonicBoom soulCampfire stalactite stalagmite starve suffocation
  temperature thorns void wither`.split(/\s+/);

/** The modules the pack can import, by name, without what is omitted. */
export function makeModules(omit: ReadonlySet<string>): Record<string, Exports> {
  const dedicatedServer = "@minecraft/server-admin.dedicatedServer";
  const all: Record<string, Exports> = {
    "@minecraft/server": {
      world: new World(),
      system: new System(),
      World,
      System,
      Entity,
      Player,
      EntityHealthComponent,
      EntityProjectileComponent,
      EntityDamageCause: Object.fromEntries(causes.map(cause => [cause, cause])),
      EntityComponentTypes: { Health: "minecraft:health", Projectile: "minecraft:projectile" },
      TicksPerDay: 24000,
      TicksPerSecond: 20,
      CommandError: errors.CommandError,
      CommandPermissionLevel: commands.CommandPermissionLevel,
      CustomCommandError: errors.CustomCommandError,
      CustomCommandOrigin: commands.CustomCommandOrigin,
      CustomCommandRegistry: commands.CustomCommandRegistry,
      CustomCommandSource: commands.CustomCommandSource,
      CustomCommandStatus: commands.CustomCommandStatus,
      NamespaceNameError: errors.NamespaceNameError,
      InvalidEntityError: errors.InvalidEntityError,
      LocationInUnloadedChunkError: errors.LocationInUnloadedChunkError,
      RawMessageError: errors.RawMessageError,
    },
    "@minecraft/server-ui": {
      ActionFormData: forms.ActionFormData,
      ActionFormResponse: forms.ActionFormResponse,
      MessageFormData: forms.MessageFormData,
      MessageFormResponse: forms.MessageFormResponse,
      UIManager: forms.UIManager,
      uiManager: new forms.UIManager(),
      FormCancelationReason: forms.FormCancelationReason,
      FormRejectReason: forms.FormRejectReason,
      FormRejectError: errors.FormRejectError,
    },
    "@minecraft/server-net": {
      http: new net.HttpClient(),
      HttpClient: net.HttpClient,
      HttpHeader: net.HttpHeader,
      HttpRequest: net.HttpRequest,
      HttpResponse: net.HttpResponse,
      HttpRequestMethod: net.HttpRequestMethod,
      beforeEvents: net.beforeEvents,
      websocket: net.websocket,
      HttpRequestLimitExceededError: errors.HttpRequestLimitExceededError,
      InternalHttpRequestError: errors.InternalHttpRequestError,
      MalformedUriError: errors.MalformedUriError,
      RequestBodyTooLargeError: errors.RequestBodyTooLargeError,
      TLSOnlyError: errors.TLSOnlyError,
      UriNotAllowedError: errors.UriNotAllowedError,
    },
    "@minecraft/server-admin": {
      variables: new admin.ServerVariables(),
      secrets: new admin.ServerSecrets(),
      beforeEvents: admin.beforeEvents,
      dedicatedServer: omit.has(dedicatedServer) ? undefined : new admin.DedicatedServerUtils(),
      SecretString: admin.SecretString,
      AllowList: admin.AllowList,
      AllowListModificationError: errors.AllowListModificationError,
      AllowListFileReloadError: errors.AllowListFileReloadError,
    },
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
