import type { PlayerRef } from "../../shared/actions.ts";
import type { HelloAnswer, LinkForm } from "../../shared/frames.ts";
import type { GameTextKey } from "../../shared/game-texts.ts";
import { type ActionHandlers, DONE, OFFLINE } from "../bridge/action-queue.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import type { PlayerForms } from "../player-forms.ts";
import { identity } from "../players/roster.ts";
import type { FormEnd, FormView } from "../ports.ts";
import { createRecentKeys } from "../recent-keys.ts";
import { BUSY_TICKS, createFormQueue, type LinkRequest, QUIT_TICKS } from "./form-queue.ts";

/** Interval at which a player may use `/bridge:unlink`, in ticks. */
const UNLINK_TICKS = 20;

/** Two declines within this time lead to the hint about `/bridge:block`, in milliseconds. */
const HINT_WINDOW_MS = 10 * 60_000;

/** Players whose declines are remembered for the hint. */
const HINT_PLAYERS = 256;

export type Linking = ReturnType<typeof createLinking>;

/** Link requests: their forms and commands. `hasOtherForm`: whether a command has opened a form for the player. */
export function createLinking<P>(
  { clock, roster, isLive, report, tell, soon }: PackContext<P>,
  { ofPlayer }: CommandReplies<P>,
  forms: PlayerForms,
  hasOtherForm: (player: PlayerRef) => boolean,
) {
  let look: LinkForm = "buttons";
  const declines = createRecentKeys<{ at: number; count: number }>(HINT_PLAYERS);

  const queue = createFormQueue({
    clock,
    wait(ref) {
      const member = roster.find(ref);
      // Whether they are blocked may not be known yet.
      if (!forms.canShow || member?.record.blocked === undefined) return QUIT_TICKS;
      return hasOtherForm(ref) ? BUSY_TICKS : member.playsAt - clock.tick();
    },
    show,
    close: forms.close,
    answered: (request, accepted) => report({ is: "answered", request, accepted }),
    isBlocked: ref => roster.find(ref)?.record.blocked === true,
    declined(ref) {
      try {
        if (isHintDue(identity(ref))) tell(ref, "bridge.block-hint");
      } catch {
        // The player has just left.
      }
    },
  });

  /** Shows the form that asks the player to link a browser, or to sign in to another site. */
  function show({ player, browser, site }: LinkRequest, ended: (end: FormEnd) => void): void {
    const prompt = site === undefined ? "api.link-prompt" : "api.sign-in-prompt";
    const view = (text: (key: GameTextKey) => string): FormView => ({
      look,
      title: text(`${prompt}-title`),
      body: text(`${prompt}-body`) + (look === "chest" ? `\n${text("api.link-chest-hint")}` : ""),
      accept: text("api.link-accept"),
      decline: text("api.link-decline"),
      browser: text("api.link-browser"),
    });
    forms.show(player, view, ended, { browser, ...(site !== undefined && { site }) });
  }

  /** Counts a decline of a player. Returns true for the second one within ten minutes of the first. */
  function isHintDue(player: string): boolean {
    const now = clock.now();
    const first = declines.get(player);
    if (first === undefined || Math.abs(now - first.at) >= HINT_WINDOW_MS) {
      declines.add(player, { at: now, count: 1 });
      return false;
    }
    first.count++;
    return first.count === 2;
  }

  const actions: Pick<ActionHandlers, "link-open" | "link-close"> = {
    "link-open"({ request, username, browser, site, openForMs }, { sentAt }) {
      if (!forms.canShow) return { status: "failed", reason: "the game does not offer forms" };
      if (roster.named(username) === undefined) roster.refresh();
      const member = roster.named(username);
      if (member === undefined) return OFFLINE;
      const { blocked } = member.record;
      if (blocked !== false) return { status: blocked ? "blocked" : "busy" };
      const player = member.ref;
      const status = queue.open({ request, player, browser, site, deadline: sentAt + openForMs });
      return status === "done" ? { status, player } : { status };
    },
    "link-close"({ request }) {
      queue.close(request);
      return DONE;
    },
  };

  return {
    actions,
    commands: {
      /** Reopens a form that the player closed. */
      link: (player: P | undefined): Reply =>
        ofPlayer(player, member => {
          const { ref } = member;
          if (!queue.isWaiting(ref)) return [false, "bridge.link-none"];
          // A player who gives a command can play.
          member.playsAt = clock.tick();
          soon(() => queue.moved(ref, 1));
          return [true, "bridge.link-opening"];
        }),
      unlink: (player: P | undefined): Reply =>
        ofPlayer(player, member => {
          if (!isLive()) return [false, "bridge.not-connected"];
          const tick = clock.tick();
          if (tick - (member.unlinkedAt ?? -UNLINK_TICKS) >= UNLINK_TICKS) {
            member.unlinkedAt = tick;
            report({ is: "unlinked-by-player", player: member.ref });
          }
          return [true, "bridge.unlink-sent"];
        }),
    },
    /** The sidecar answered a hello sent at wall time `sentAt`, when `newest` was the newest request. */
    welcomed({ linkForm, links }: HelloAnswer, sentAt: number, newest: number) {
      look = linkForm;
      queue.reconcile(links, sentAt, newest);
    },
    moved: (player: PlayerRef) => queue.moved(player),
    declineAll: queue.declineAll,
    newest: queue.newest,
    size: queue.size,
    step: queue.step,
  };
}
