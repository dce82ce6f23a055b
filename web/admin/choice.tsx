interface Props<K extends string> {
  id: string;
  label: string;
  /** texts in order, by the values that they stand for */
  options: Readonly<Record<K, string>>;
  value: NoInfer<K>;
  onChoose(value: NoInfer<K>): void;
}

export function Choice<K extends string>({ id, label, options, value, onChoose }: Props<K>) {
  const isOption = (key: string): key is K => Object.hasOwn(options, key);
  return (
    <>
      <label for={id}>{label}</label>
      <div class="row">
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => isOption(currentTarget.value) && onChoose(currentTarget.value)}
        >
          {Object.entries<string>(options).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
