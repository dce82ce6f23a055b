import { COMMAND } from "../../shared/console-link/frames.ts";
import { errorName } from "../notices.ts";
import type { Say } from "../ports.ts";
import { field, peek, type ReportMissing } from "./features.ts";
import { mc } from "./modules.ts";

/** Registers the command that `launch` types on the console; to be called in early execution. Nobody else may use it. */
export function registerConsoleCommand(take: (word: string) => void, missing: ReportMissing, say: Say): void {
  const lack = (): void => missing("customCommandRegistry", "the bridge cannot connect");
  const startup = peek(peek(peek(mc, "system"), "beforeEvents"), "startup");
  const level = peek(peek(mc, "CommandPermissionLevel"), "Owner");
  const type = peek(peek(mc, "CustomCommandParamType"), "String");
  if (startup === undefined || level === undefined || type === undefined) {
    lack();
    return;
  }
  startup.subscribe(event => {
    const registry = peek(event, "customCommandRegistry");
    if (registry === undefined) return lack();
    const command: mc.CustomCommand = {
      name: COMMAND,
      description: "Carries messages of the web bridge",
      permissionLevel: level,
      cheatsRequired: false,
      mandatoryParameters: [{ name: "word", type }],
    };
    try {
      registry.registerCommand(command, (origin, word: unknown) => {
        // A script can run commands as a player, whatever the level.
        if (String(origin.sourceType) === "Server") take(String(word));
        return undefined;
      });
    } catch (error) {
      say(
        `there is no /${COMMAND}, and the bridge cannot connect: the game rejected it: ${field(error, "reason") ?? errorName(error)}`,
      );
    }
  });
}
