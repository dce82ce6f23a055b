/** One of several texts, as wide as the longest, so that nothing beside it moves when it changes. */
export const FixedSizeText = ({ texts, current }: { texts: readonly string[]; current: string }) => (
  <span class="one-of">
    {texts.map(text => (
      <span key={text} class={text === current ? "" : "other"}>
        {text}
      </span>
    ))}
  </span>
);
