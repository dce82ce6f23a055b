/** An error message, read out as it appears; takes no space while it is empty. */
export const Alert = ({ id, text }: { id?: string; text: string }) => (
  <p id={id} class="fault" role="alert">
    {text}
  </p>
);
