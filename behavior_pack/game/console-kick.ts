import type { Player } from "@minecraft/server";
import { REASON_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import { begin, isDone, type RunTask } from "../console-link/tasks.ts";
import type { Poll } from "../ports.ts";
import { literal } from "./literal.ts";

/** Kicks players on the game's console. */
export const createConsoleKick =
  (run: RunTask) =>
  ({ name }: Pick<Player, "name">, reason: string | undefined): Poll<true> =>
    begin(run, { do: "kick", name, ...(reason && { reason: clip(literal(reason), REASON_LENGTH) }) }, isDone);
