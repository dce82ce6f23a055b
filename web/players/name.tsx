import { visibleText } from "../platform/visible-text.ts";

/** The name of a player, which reaches nothing beside it, whatever it is written in. */
export const Name = ({ name }: { name: string }) => <bdi>{visibleText(name)}</bdi>;
