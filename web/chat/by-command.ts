import type { ServiceSettings } from "../../client/types.ts";

/**
 * Whether players write here with `/bridge:say` on every shown game server, whose other chat does not arrive. `onlyServer`: name of the
 * only game server that is shown.
 */
export function isByCommand(
  { gameChat, servers }: Pick<ServiceSettings, "gameChat" | "servers">,
  onlyServer: string | undefined,
): boolean {
  const shown = servers?.filter(({ name }) => onlyServer === undefined || name === onlyServer);
  return (shown ?? [{ gameChat }]).every(one => one.gameChat === "command");
}
