/**
 * The manifest of the pack with the product's version wherever the pack states its own.
 * @param {{ header: object, modules: object[] }} manifest
 * @param {string} version three numbers with dots, and perhaps more after them
 */
export function stampManifest(manifest, version) {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (numbers === undefined)
    throw new Error(`package.json: "version" is "${version}", expected for example "1.2.3"`);
  return {
    ...manifest,
    header: { ...manifest.header, version: numbers },
    modules: manifest.modules.map(module => ({ ...module, version: numbers })),
  };
}
