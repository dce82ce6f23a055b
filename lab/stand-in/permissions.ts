/** What scripts may use where nobody has said otherwise. */
const MODULES = ["server-gametest", "server", "server-ui", "server-admin", "server-editor"];

/** `config/default/permissions.json` as the first start leaves it. */
export const PERMISSIONS = `${JSON.stringify(
  { allowed_modules: MODULES.map(name => `@minecraft/${name}`) },
  undefined,
  4,
)}\n`;
