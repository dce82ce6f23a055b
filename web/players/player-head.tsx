import { useMemo } from "preact/hooks";
import { FACE_SIZE, faceOf } from "./face.ts";

/** The drawn head of a player, always the same for one uuid. The name is beside it. */
export function PlayerHead({ uuid }: { uuid: string }) {
  const face = useMemo(() => faceOf(uuid), [uuid]);
  return (
    <svg
      class="head"
      viewBox={`0 0 ${FACE_SIZE} ${FACE_SIZE}`}
      shape-rendering="crispEdges"
      aria-hidden="true"
    >
      {face.map(({ colour, path }) => (
        <path key={path} fill={colour} d={path} />
      ))}
    </svg>
  );
}
