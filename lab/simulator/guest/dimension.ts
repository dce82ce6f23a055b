import { InvalidArgumentError } from "./errors.ts";
import { surface } from "./surface.ts";

const IDS = ["overworld", "nether", "the_end"];

export class Dimension {
  readonly #id: string;
  constructor(id: string) {
    this.#id = id;
  }
  get id(): string {
    return this.#id;
  }
}

const dimensions = new Map(IDS.map(id => [`minecraft:${id}`, new Dimension(`minecraft:${id}`)]));

/** A dimension by its id, with or without the namespace. */
export function dimensionOf(id: string): Dimension {
  const found = dimensions.get(id.includes(":") ? id : `minecraft:${id}`);
  if (!found) throw new InvalidArgumentError(`Dimension '${id}' is invalid.`);
  return found;
}

surface(
  "Dimension",
  Dimension,
  "id:r",
  `heightRange localizationKey calculateClosestBiomeFromSeed cloneBlocks containsBiomes containsBlock createExplosion
  fillBlocks getBiome getBlock getBlockAbove getBlockBelow getBlockFromRay getBlocks getEntities
  getEntitiesAtBlockLocation getEntitiesFromRay getGeneratedStructures getLightLevel getPlayers getSkyLightLevel
  getTopmostBlock getWeather isChunkLoaded placeFeature placeFeatureRule playSound runCommand setBlockPermutation
  setBlockType setWeather spawnEntity spawnItem spawnParticle spawnXp stopAllSounds stopSound`,
);
