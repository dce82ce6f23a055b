import { Component, type ComponentChild } from "preact";
import { clock } from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { Head } from "../players/player-head.tsx";
import { Coloured } from "../ui/coloured-text.tsx";
import type { Author, Line } from "./chat-log.ts";

type Said = "game" | "web" | "unproven" | "own";
const isSaid = (kind: Line["kind"]): kind is Said => kind in texts.from;

/** Who said a line, and where: players of the game have a head, what comes from elsewhere says in words from where. */
function Who({ kind, author }: { kind: Said; author: Author | undefined }) {
  const { [kind]: from } = texts.from;
  const name = kind === "own" ? undefined : author?.name;
  return (
    <span class="who">
      {author?.uuid !== undefined && <Head uuid={author.uuid} />}
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

/** Whether a line that was said here has got anywhere. */
export function Sending({ line, onAgain }: { line: Line; onAgain(): void }) {
  if (line.sending === "underway") return <p class="sending">{texts.sending}</p>;
  if (line.sending === undefined) return null;
  return (
    <p class="sending unsent">
      <strong>{texts.unsent}</strong>
      {line.sending === "unsent" && (
        <button type="button" class="quiet" onClick={onAgain}>
          {texts.sendAgain}
        </button>
      )}
    </p>
  );
}

interface SaysProps {
  line: Line;
  /** title of the game server that it is of, where that is not clear */
  server: string | undefined;
  background: string;
  isFirstUnread: boolean;
  /** where the line is the first of a day */
  day: string | undefined;
  words: typeof texts;
}

/**
 * What a line says. The log is drawn anew with each line that comes: those that were there cost nothing then. (A memo of what is
 * drawn would not do: Preact has that hold the whole log as it was.)
 */
export class Says extends Component<SaysProps> {
  override shouldComponentUpdate(next: SaysProps): boolean {
    const { line, server, background, isFirstUnread, day, words } = this.props;
    return (
      line !== next.line ||
      server !== next.server ||
      background !== next.background ||
      isFirstUnread !== next.isFirstUnread ||
      day !== next.day ||
      words !== next.words
    );
  }

  override render({ line, server, background, isFirstUnread, day, words }: SaysProps): ComponentChild {
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
          {isSaid(line.kind) && <Who kind={line.kind} author={line.author} />}
          <Coloured segments={line.says?.() ?? line.segments} background={background} />
        </p>
      </>
    );
  }
}
