import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Options that make a bundle the same in every folder. Names of chunks, short names in code, and source maps depend on the
 * paths of packages. If `node_modules` is a link, these must not depend on its target. Otherwise links are followed,
 * because package managers such as pnpm rely on that.
 */
export const buildLocation = {
  absWorkingDir: root,
  preserveSymlinks:
    lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false,
} as const
