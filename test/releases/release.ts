import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The functions of one version of Latchkey. */
export interface Release {
  readonly name: string
  /** Contains a folder with the bundle of each mixed function. */
  readonly folder: string
}

/** A commit with the tag of its release. */
export interface TaggedCommit {
  readonly tag: string
  readonly commit: string
}

/** The functions that run in two versions at the same time. */
export const mixedFunctions = [
  'api-tokens',
  'audit',
  'authorizer',
  'groups',
  'passwords',
  'sessions',
  'tickets',
  'users',
] as const

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Outside of the project, because installing its packages anew deletes all that is in `node_modules`. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'latchkey-releases')
const runFile = promisify(execFile)

/**
 * Finds the last release: the highest tag of a commit before the present one. Undefined before the second release.
 *
 * @throws Error if the changelog names earlier releases, but this clone has no tags
 */
export const findLastRelease = (project = root): TaggedCommit | undefined => {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
  const versions = ['--list', 'v[0-9]*', '--sort=-version:refname']
  const [tag] = git('tag', ...versions, '--merged', 'HEAD', '--no-contains', 'HEAD').split('\n')
  if (tag) return { tag, commit: git('rev-parse', `${tag}^{commit}`).trim() }
  const named = readFileSync(join(project, 'CHANGELOG.md'), 'utf8').match(/^## v?\d/gm) ?? []
  if (named.length > 1)
    throw new Error('The changelog names earlier releases, but there is no tag. Run git fetch --tags.')
  return undefined
}

/** Bundles the functions of a commit, or takes the bundles of an earlier run. */
export const buildCommit = async ({ tag, commit }: TaggedCommit): Promise<Release> => {
  const folder = join(cache, `${commit}-${process.version}`)
  if (!existsSync(folder))
    await withSources(async (sources) => {
      const archive = join(sources, 'archive.tar')
      await runFile('git', ['archive', '--output', archive, commit], { cwd: root })
      await runFile('tar', ['-xf', archive, '-C', sources])
      await installPackages(sources)
      const bundled = join(sources, '.bundled')
      await bundle(sources, bundled)
      // Another run may do the same at the same time.
      const copy = `${folder}-${process.pid}`
      cpSync(bundled, copy, { recursive: true })
      renameSync(copy, folder)
    })
  return { name: tag, folder }
}

/** Bundles the functions of the working tree with a change of some of its files. The changed text of each must differ. */
export const buildChanged = async (
  name: string,
  folder: string,
  changes: Readonly<Record<string, (text: string) => string>>,
): Promise<Release> => {
  await withSources(async (sources) => {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    }).split('\0')
    for (const path of listed.filter((one) => /^(build|functions|lib|local|package\.json|web)\b/.test(one)))
      if (existsSync(join(root, path))) {
        mkdirSync(dirname(join(sources, path)), { recursive: true })
        cpSync(join(root, path), join(sources, path))
      }
    for (const [path, change] of Object.entries(changes)) {
      const text = readFileSync(join(sources, path), 'utf8')
      const changed = change(text)
      if (changed === text) throw new Error(`${path} did not change.`)
      writeFileSync(join(sources, path), changed)
    }
    symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
    await bundle(sources, folder)
  })
  return { name, folder }
}

const withSources = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-sources-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Takes the installed packages if they are those of the release. */
const installPackages = async (sources: string): Promise<void> => {
  const [ours, theirs] = [root, sources].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'))
  if (ours === theirs) symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  else
    await runFile('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: sources,
    })
}

const bundle = async (sources: string, outDir: string): Promise<void> => {
  const known = mixedFunctions.filter((name) => existsSync(join(sources, 'functions', name)))
  // Files that are generated, and not in git.
  await runFile('npm', ['run', 'prepare', '--if-present'], { cwd: sources })
  await runFile(process.execPath, ['build/bundle/bundle.ts', outDir, ...known], { cwd: sources })
}
