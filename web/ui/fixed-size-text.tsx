/** One of several texts, with room for the longest, so that nothing beside it moves when it changes. */
export const FixedSizeText = ({ texts, shown }: { texts: readonly string[]; shown: string }) => (
  <span class="one-of">
    {texts.map(text => (
      <span key={text} class={text === shown ? "" : "other"}>
        {text}
      </span>
    ))}
  </span>
);
