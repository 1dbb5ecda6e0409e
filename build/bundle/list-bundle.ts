import type { Bundle } from './bundle.ts'

/** The bytes of a package or folder in a bundle, after minifying. */
export interface BundlePart {
  readonly name: string
  readonly bytes: number
}

/** Lists the packages and folders that a cold start loads, largest first. Parts without code are left out. */
export const listStart = ({ metafile }: Pick<Bundle, 'metafile'>): readonly BundlePart[] => {
  const sizes = new Map<string, number>()
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = nameOfPart(path)
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput)
    }
  return [...sizes]
    .map(([name, bytes]) => ({ name, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((left, right) => right.bytes - left.bytes || left.name.localeCompare(right.name, 'en'))
}

/** The package that contains the file, else its folder. */
const nameOfPart = (path: string): string => {
  const library = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
  if (library) return library
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path
}
