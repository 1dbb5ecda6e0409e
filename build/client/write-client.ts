import { globSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The file that is written last. */
const lastFile = 'lib/client/generated/routes.ts'

const readTime = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether the generated files are newer than every file on which the declarations can depend. */
const isUpToDate = (): boolean => {
  const sources = globSync(['lib/**/*.ts', 'build/client/*.ts'], {
    cwd: root,
    exclude: ['lib/client/generated/**', 'lib/hooks/generated/**'],
  })
  return readTime(lastFile) > Math.max(...sources.map(readTime))
}

/**
 * Writes the generated parts of the typed client and of the types of hooks if they are missing or older than their sources. They are
 * not in git: the installation, the check of types, the tests, the pages and the packages call this before they read them.
 */
export const writeClient = async (): Promise<void> => {
  if (isUpToDate()) return
  const [{ buildClientFiles }, { buildHookFiles }] = await Promise.all([
    import('./client-files.ts'),
    import('./hook-files.ts'),
  ])
  for (const [path, text] of [...buildHookFiles(), ...buildClientFiles()]) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    // Another process may read the file at the same moment.
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  }
}

if (import.meta.main) await writeClient()
