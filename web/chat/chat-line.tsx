import { Component, type ComponentChild } from "preact";
import { PlayerActions } from "../admin/player-actions.tsx";
import { clock } from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { PlayerHead } from "../players/player-head.tsx";
import { ColouredSegments } from "../ui/coloured-text.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import type { Author, Line } from "./chat-log.ts";

type MessageKind = "game" | "web" | "unproven" | "own";
const isMessage = (kind: Line["kind"]): kind is MessageKind => kind in texts.from;

/** Who wrote a message: a player's head and name; where it is not from the game, also from where. */
function Sender({ kind, author }: { kind: MessageKind; author: Author | undefined }) {
  const { [kind]: from } = texts.from;
  const name = kind === "own" ? undefined : author?.name;
  return (
    <span class="who">
      {author?.uuid !== undefined && <PlayerHead uuid={author.uuid} />}
      {from !== "" && (
        <span class="from" title={texts.fromHint[kind]}>
          {from}
        </span>
      )}
      {from !== "" && name !== undefined && " "}
      {name !== undefined && <bdi class="author">{name}</bdi>}
      {(from !== "" || name !== undefined) && ": "}
    </span>
  );
}

/** Whether a message of this page was sent. */
export function SendState({ line, onRetry }: { line: Line; onRetry(): void }) {
  if (line.sending === "underway") return <p class="sending">{texts.sending}</p>;
  if (line.sending === undefined) return null;
  return (
    <p class="sending unsent">
      <strong>{texts.unsent}</strong>
      {line.sending === "unsent" && <QuietButton onClick={onRetry}>{texts.sendAgain}</QuietButton>}
    </p>
  );
}

interface Props {
  line: Line;
  /** title of the game server, where lines of several are shown */
  server: string | undefined;
  background: string;
  isFirstUnread: boolean;
  /** the date, on the first line of a day */
  day: string | undefined;
  words: typeof texts;
}

/** The text of a line. Lines that stay the same are not drawn again. (With Preact's `memo`, the log itself would not be.) */
export class LineContent extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const keys = ["line", "server", "background", "isFirstUnread", "day", "words"] as const;
    return keys.some(key => this.props[key] !== next[key]);
  }

  override render({ line, server, background, isFirstUnread, day, words }: Props): ComponentChild {
    return (
      <>
        {day !== undefined && <span class="day">{day}</span>}
        {isFirstUnread && <span class="unread-mark">{words.unreadMark}</span>}
        <time>{clock(line.at)}</time>
        <p dir="auto">
          {server !== undefined && (
            <>
              <bdi class="server">{server}</bdi>{" "}
            </>
          )}
          {isMessage(line.kind) && <Sender kind={line.kind} author={line.author} />}
          <ColouredSegments segments={line.says?.() ?? line.segments} background={background} />
          {(line.kind === "game" || line.kind === "web") && line.author && (
            <PlayerActions {...line.author} label={line.label} />
          )}
        </p>
      </>
    );
  }
}
