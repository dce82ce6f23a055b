import type { ComponentChildren } from "preact";

interface Props {
  figures: readonly (readonly [name: string, value: ComponentChildren])[];
  class?: string;
  /** name of the figure that is emphasized */
  current?: string;
}

/** Figures with their names. */
export const FigureList = ({ figures, class: ofList, current }: Props) => (
  <dl class={ofList}>
    {figures.map(([name, value]) => (
      <div key={name} class={name === current ? "by" : undefined}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
