/** A player's choices for all game servers; those left out are unknown. */
export interface Choices {
  /** gets no link requests */
  blocked?: boolean;
  /** is in no list of players */
  hidden?: boolean;
}

/** Players whose choices one game server may report first, so that none can fill the storage. */
export const MAX_PLAYERS = 100_000;

export const choices = ({ blocked, hidden }: { [K in keyof Choices]: boolean | undefined }): Choices => ({
  ...(blocked !== undefined && { blocked }),
  ...(hidden !== undefined && { hidden }),
});

/** The reported choices that count: a player who is not online can be hidden or blocked, but not the reverse. */
export const believed = ({ blocked, hidden }: Choices, isThere: boolean): Choices =>
  choices({
    blocked: blocked || (isThere ? blocked : undefined),
    hidden: hidden || (isThere ? hidden : undefined),
  });

/** The choices of a player on a game server compared with the known ones. */
interface ChoiceMerge {
  /** choices that were not known yet */
  news: Choices;
  /** choices that the game server has to apply; undefined: none */
  toApply: Required<Choices> | undefined;
}

export function mergeChoices(known: Choices, here: Required<Choices>): ChoiceMerge {
  const isNews = (what: keyof Choices): true | undefined =>
    (known[what] === undefined && here[what]) || undefined;
  const { blocked = here.blocked, hidden = here.hidden } = known;
  const isSame = blocked === here.blocked && hidden === here.hidden;
  return {
    news: choices({ blocked: isNews("blocked"), hidden: isNews("hidden") }),
    toApply: isSame ? undefined : { blocked, hidden },
  };
}

export const isNothing = (chosen: Choices): boolean => Object.keys(chosen).length === 0;
