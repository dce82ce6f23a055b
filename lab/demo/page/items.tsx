import type { Icon } from "../panel/protocol.ts";

/** Paths of an icon by colour; later ones are drawn over earlier ones. */
const PAPER = {
  "#6f6a5c": "M3 1h9v14h-9zM12 2h1v13h-1zM13 3h1v12h-1zM14 4h1v11h-1z",
  "#fdfaf0": "M4 2h7v12h-7zM12 3h1v1h-1zM11 5h3v9h-3z",
  "#d9d3bf": "M12 3h1v1h-1zM13 7h1v6h-1zM5 13h8v1h-8z",
  "#8f8a7a": "M6 5h4v1h-4zM6 7h6v1h-6zM6 9h6v1h-6zM6 11h4v1h-4z",
  "#b8b19c": "M13 13h1v1h-1z",
};

const GREEN = { top: "#6fb24a", left: "#4f8a33", right: "#3d6d27", dark: "#2f561d", light: "#8bcb62" };
const LIME = { top: "#8ad03a", left: "#68a726", right: "#51841d", dark: "#3d6415", light: "#a9e562" };
const RED = { top: "#c2463d", left: "#97302a", right: "#7a2420", dark: "#5e1a17", light: "#dc6a5f" };

function Wool({ top, left, right, dark, light }: typeof GREEN) {
  return (
    <svg class="item" viewBox="0 0 16 16" aria-hidden="true">
      <path fill={top} d="M8 1l7 3.4L8 7.8 1 4.4z" />
      <path fill={left} d="M1 4.4l7 3.4V15L1 11.6z" />
      <path fill={right} d="M15 4.4L8 7.8V15l7-3.4z" />
      <path fill={light} d="M8 1.9l2 1-1.6.8-2-1zM5 4.5l2 1-1.3.6-2-1zM11 3.7l2 1-1.2.6-2-1z" />
      <path
        fill={dark}
        opacity=".55"
        d="M2 6.2l2 1v1l-2-1zM5 8.9l2 1v1l-2-1zM2 10l2 1v1l-2-1zM14 6.4l-2 1v1l2-1zM11 9l-2 1v1l2-1zM14 9.7l-2 1v1l2-1zM7 4.3l1.6.8-1 .5-1.6-.8z"
      />
    </svg>
  );
}

/** The icon of a chest slot or a button. */
export function Item({ icon }: { icon: Icon }) {
  switch (icon) {
    case "paper":
      return (
        <svg class="item" viewBox="0 0 16 16" shape-rendering="crispEdges" aria-hidden="true">
          {Object.entries(PAPER).map(([fill, d]) => (
            <path key={fill} fill={fill} d={d} />
          ))}
        </svg>
      );
    case "green-wool":
      return <Wool {...GREEN} />;
    case "lime-wool":
      return <Wool {...LIME} />;
    case "red-wool":
      return <Wool {...RED} />;
    default:
      return icon satisfies never;
  }
}
