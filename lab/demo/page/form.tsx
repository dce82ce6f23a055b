import { useEffect, useRef, useState } from "preact/hooks";
import { PlayerHead } from "../../../web/players/player-head.tsx";
import { announce } from "../../../web/ui/announce.tsx";
import type { ButtonView, FormView, Icon, PlayerView } from "../panel/protocol.ts";
import { ColouredText, plainText } from "./chat.tsx";
import { Item } from "./items.tsx";
import { texts } from "./texts.ts";
import type { Send, WorldSocket } from "./world-socket.ts";

/** Backgrounds of a form and of a tooltip, as in the style sheet. */
const FORM = "#c6c6c6";
const TOOLTIP = "#1a0b26";
const BUTTON = "#4c5a3f";

type PlayerWithForm = PlayerView & { form: FormView };

/** Players who have a form, in the order of the list. */
const playersWithForm = ({ world }: WorldSocket): PlayerWithForm[] =>
  (world?.players ?? []).filter((player): player is PlayerWithForm => player.form !== undefined);

/** Id of the screen of a player, which gets the focus. */
export const SCREEN_ID = "screen";

function Slot({ button, onPress }: { button: ButtonView; onPress(): void }) {
  if (button.icon === undefined && button.text === "") return <span class="slot" />;
  return (
    <button type="button" class="slot" data-answer onClick={onPress}>
      {button.icon && <Item icon={button.icon} />}
      <span class="tooltip">
        <ColouredText text={button.text} background={TOOLTIP} />
      </span>
    </button>
  );
}

function Chest({ form, onPress }: { form: FormView; onPress(index: number): void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: these are slots, and no fields of a form
    <div class="slots" role="group" aria-label={texts.slots}>
      {form.buttons.map((button, index) => (
        <Slot key={`${index}`} button={button} onPress={() => onPress(index)} />
      ))}
    </div>
  );
}

/** The meaning of the wools, for users without a pointer. */
function Wools({ form }: { form: FormView }) {
  const named = (icon: Icon): string =>
    plainText(form.buttons.find(button => button.icon === icon)?.text ?? "");
  return (
    <b>
      {texts.greenWool(named("green-wool"))} · {texts.redWool(named("red-wool"))}
      <br />
    </b>
  );
}

function Buttons({ form, onPress }: { form: FormView; onPress(index: number): void }) {
  return (
    <div class="choices">
      {form.buttons.map((button, index) => (
        <button key={`${index}`} type="button" data-answer onClick={() => onPress(index)}>
          {button.icon && <Item icon={button.icon} />}
          <ColouredText text={button.text} background={BUTTON} />
        </button>
      ))}
    </div>
  );
}

/** The form of the selected player, or of the first player who has one, over the map. */
export function Screens({ socket, chosen }: { socket: WorldSocket; chosen: string }) {
  const players = playersWithForm(socket);
  const selected = players.find(({ name }) => name === chosen) ?? players[0];
  const known = useRef(new Set<string>());
  useEffect(() => {
    const names = new Set(players.map(({ name }) => name));
    for (const name of names) if (!known.current.has(name)) announce(texts.hasRequest(name));
    known.current = names;
  }, [players]);
  if (!selected) return null;
  return (
    <div class="screens">
      <Screen key={`${selected.name} ${selected.form.number}`} player={selected} send={socket.send} />
    </div>
  );
}

function Screen({ player, send }: { player: PlayerWithForm; send: Send }) {
  const { name, uuid, form } = player;
  const [isAnswered, setAnswered] = useState(false);
  const press = (button: number): void => {
    if (isAnswered) return;
    setAnswered(true);
    void send({ do: "answer", name, form: form.number, button }).then(setAnswered);
  };
  const close = (): void => void send({ do: "close", name, form: form.number });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  };
  return (
    <div
      id={SCREEN_ID}
      class={`screen ${form.isChest ? "chest" : "list"}`}
      role="dialog"
      aria-label={texts.screenOf(name)}
      aria-describedby="screen-body"
      tabIndex={-1}
      onKeyDown={onKey}
    >
      <div class="screen-head">
        <h2>
          <ColouredText text={form.title} background={FORM} />
        </h2>
        <span class="whose">
          <PlayerHead uuid={uuid} />
          <bdi>{name}</bdi>
        </span>
        <button type="button" class="close" aria-label={texts.close} title={texts.close} onClick={close}>
          <svg viewBox="0 0 7 7" aria-hidden="true" shape-rendering="crispEdges">
            <path d="M0 0h2v1h1v1h1V1h1V0h2v2H6v1H5v1h1v1h1v2H5V6H4V5H3v1H2v1H0V5h1V4h1V3H1V2H0z" />
          </svg>
        </button>
      </div>
      {form.isChest && <Chest form={form} onPress={press} />}
      <p id="screen-body" class="screen-body">
        {form.body.split("\n").map((line, i) => (
          <span key={`${i}`}>
            <ColouredText text={line} background={FORM} />
          </span>
        ))}
      </p>
      {!form.isChest && <Buttons form={form} onPress={press} />}
      <p class="screen-hint">
        {form.isChest && <Wools form={form} />}
        {texts.formHint}
      </p>
    </div>
  );
}
