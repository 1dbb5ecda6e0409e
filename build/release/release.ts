import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../../infra/app.ts'
import { app } from '../../lib/features/pages/app-build.prebuilt.ts'
import manifest from '../../package.json' with { type: 'json' }
import { readNested, readTemplates, stackSettings } from '../../test/infra/synthesis.ts'
import { packages } from '../package/packages.ts'
import { describeTemplates, digestFunctions, digestPages } from './describe-release.ts'
import { findMissingFacts, owner } from './owner.ts'

/*
 * Builds, checks and publishes a version: `npm run release`. With `-- --dry-run`, it does all but publish, and ends with what is
 * missing for a release.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const isDryRun = process.argv.includes('--dry-run')

const run = (program: string, ...args: readonly string[]): void => {
  process.stdout.write(`> ${program} ${args.join(' ')}\n`)
  execFileSync(program, args, { cwd: root, stdio: 'inherit' })
}
const read = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim()
const runNode = (...args: readonly string[]): void => run(process.execPath, ...args)

/** The first npm that can prove to the registry which workflow publishes. */
const oldestNpm = [11, 5, 1] as const

const findOldNpm = (): readonly string[] => {
  const found = read('npm', '--version')
  const numbers = found.split('.').map((part) => Number.parseInt(part, 10))
  const [different = 0] = oldestNpm
    .map((part, index) => (numbers[index] ?? 0) - part)
    .filter((one) => one !== 0)
  return different < 0 ? [`npm is ${found}. Install ${oldestNpm.join('.')} or later.`] : []
}

/** Only what has the tag of its version can be found again. */
const findUntagged = (): readonly string[] => {
  const tag = `v${manifest.version}`
  const isTagged = read('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag)
  return [
    ...(isTagged ? [] : [`The commit does not have the tag ${tag}. See docs/releasing.md.`]),
    ...(read('git', 'status', '--porcelain') === ''
      ? []
      : ['The folder has changes that are not committed.']),
  ]
}

const release = async (): Promise<void> => {
  const missing = [...findMissingFacts(owner), ...findOldNpm(), ...findUntagged()]
  if (missing.length > 0 && !isDryRun) {
    process.stderr.write(`This cannot be released.\n${formatList(missing)}`)
    process.exitCode = 1
    return
  }
  run('npm', 'run', '--silent', 'build:package')
  runNode('build/install-tools.ts', 'build/sbom', 'test/package')
  runNode('build/sbom/write-sboms.ts')
  const out = join(root, 'dist/release')
  mkdirSync(out, { recursive: true })
  const packed = Object.values(packages).map(({ name, folder }) => {
    const [{ filename }] = JSON.parse(
      read('npm', 'pack', `./dist/${folder}`, '--json', '--pack-destination', out),
    )
    return { name, tarball: join('dist/release', filename) }
  })
  for (const { tarball } of packed) {
    run('test/package/node_modules/.bin/publint', tarball, '--strict')
    run('test/package/node_modules/.bin/attw', tarball)
  }
  const digestOf = (file: string): string =>
    `sha512-${createHash('sha512')
      .update(readFileSync(join(root, file)))
      .digest('base64')}`
  const digests = packed.map(({ name, tarball }) => [name, digestOf(tarball)] as const)
  const file = {
    version: manifest.version,
    commit: read('git', 'rev-parse', 'HEAD'),
    packages: Object.fromEntries(digests),
    ...(await describeRelease()),
  }
  writeFileSync(join(out, 'release.json'), `${JSON.stringify(file, undefined, 2)}\n`)
  for (const { tarball } of packed) run('npm', 'publish', `./${tarball}`, ...(isDryRun ? ['--dry-run'] : []))
  if (isDryRun)
    process.stdout.write(
      missing.length > 0
        ? `Nothing was published. Missing for a release:\n${formatList(missing)}`
        : 'Nothing was published. Nothing is missing for a release.\n',
    )
}

/** What the functions and pages of this version are, and what stacks with each of the settings that tests have contain. */
const describeRelease = async () => {
  const bundleDir = join(root, 'dist/construct/bundles')
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
  try {
    const stacks = Object.entries(stackSettings).map(([name, context]) => {
      const outdir = join(folder, name)
      createApp({ outdir, bundleDir, context }).synth()
      const template = readTemplates(outdir).get('Latchkey')
      if (!template) throw new Error(`The settings ${name} give no template.`)
      return { template, permissions: readNested(outdir, template, 'Permissions') }
    })
    return {
      functions: digestFunctions(bundleDir),
      pages: await digestPages(app.assets),
      ...describeTemplates(stacks),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const formatList = (lines: readonly string[]): string => lines.map((line) => `- ${line}\n`).join('')

await release()
