/** What a player has chosen for all game servers; what is left out was never told. */
export interface Choices {
  /** to get no link requests */
  blocked?: boolean;
  /** to be in no list of players */
  hidden?: boolean;
}

/** Players of whom one game server may be the first to tell a choice: no world can fill the storage. */
export const MOST_CHOICES = 100_000;

/** Without what is not said. */
export const choices = ({ blocked, hidden }: { [K in keyof Choices]: boolean | undefined }): Choices => ({
  ...(blocked !== undefined && { blocked }),
  ...(hidden !== undefined && { hidden }),
});

/**
 * What a game server is believed of a player: one who is not there may have gone since, but cannot be made to be seen or asked
 * again.
 */
export const believed = ({ blocked, hidden }: Choices, isThere: boolean): Choices =>
  choices({
    blocked: blocked || (isThere ? blocked : undefined),
    hidden: hidden || (isThere ? hidden : undefined),
  });

/** How a game server that has a player so gets on with what is known of that player. */
export interface ChoiceMerge {
  /** what nobody knew: chosen when there was one server, or when it could not be told */
  news: Choices;
  /** what the game server has to take over; undefined: nothing */
  told: Required<Choices> | undefined;
}

export function meet(known: Choices, here: Required<Choices>): ChoiceMerge {
  const isNews = (what: keyof Choices): true | undefined =>
    (known[what] === undefined && here[what]) || undefined;
  const { blocked = here.blocked, hidden = here.hidden } = known;
  const isSame = blocked === here.blocked && hidden === here.hidden;
  return {
    news: choices({ blocked: isNews("blocked"), hidden: isNews("hidden") }),
    told: isSame ? undefined : { blocked, hidden },
  };
}

export const isNothing = (chosen: Choices): boolean => Object.keys(chosen).length === 0;
