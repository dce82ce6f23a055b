import { visibleText } from "../platform/visible-text.ts";

/** The name of a player in any script, isolated from the direction of the text around it. */
export const Name = ({ name }: { name: string }) => <bdi>{visibleText(name)}</bdi>;
