import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { listSources } from '../support/import-graph.ts'

/** Where mutants are made: what decides about requests. */
const mutatedFolders = [
  'lib/features',
  'lib/http',
  'lib/kernel/secrets',
  'lib/kernel/table',
  'lib/middleware',
  'lib/published-clients',
  'functions',
]

/** Lists the sources that are mutated. Modules that run at build time are values where they are imported. */
export const listMutated = (): readonly string[] =>
  mutatedFolders
    .flatMap(listSources)
    .filter((file) => !file.endsWith('.prebuilt.ts'))
    .sort()

/** Copies the project with its uncommitted changes, unless an earlier run of the same folder has done so. */
export const copyProject = (tree: string): void => {
  const complete = join(tree, '.copied')
  if (existsSync(complete)) return
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    cpSync(file, join(tree, file))
  }
  const packages = join(tree, 'node_modules')
  if (!existsSync(packages)) symlinkSync(resolve('node_modules'), packages)
  writeFileSync(complete, '')
}

/** Where changed sources are as they were before. */
const originalsOf = (tree: string): string => `${tree}-originals`

/** Changes a source of the copy until `restoreSources` is called, if need be by the next run. */
export const changeSource = (tree: string, file: string, text: string): void => {
  const original = join(originalsOf(tree), file)
  if (!existsSync(original)) {
    mkdirSync(dirname(original), { recursive: true })
    cpSync(join(tree, file), `${original}.part`)
    renameSync(`${original}.part`, original)
  }
  writeFileSync(join(tree, file), text)
}

/** Restores all changed sources of the copy. */
export const restoreSources = (tree: string): void => {
  const originals = originalsOf(tree)
  if (!existsSync(originals)) return
  for (const path of listSources(originals)) cpSync(path, join(tree, relative(originals, path)))
  rmSync(originals, { recursive: true })
}
