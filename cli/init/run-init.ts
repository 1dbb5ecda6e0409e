import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { quote } from '../program.ts'
import type { InitCommand } from './command.ts'
import { starterFiles, starterVersions } from './files.prebuilt.ts'

/** Writes the files of a new product. It overwrites nothing. Returns the exit code. */
export const runInit = ({ folder, packages }: Extract<InitCommand, { name: 'init' }>): number => {
  requireEmpty(folder)
  const root = resolve(folder)
  const files = {
    ...starterFiles,
    // npm leaves a file of this name out of a package.
    '.gitignore': 'node_modules\nbuild\ncdk.out\n.local\n',
    'package.json': `${JSON.stringify(createManifest(root, packages), null, 2)}\n`,
  }
  for (const [path, content] of Object.entries(files)) {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content, { flag: 'wx' })
  }
  const names = Object.keys(files).sort().join(', ')
  const move = folder === '.' ? '' : `  cd ${folder}\n`
  process.stdout.write(
    `Wrote ${names}.\n\nNext:\n\n${move}  npm install\n  npx cdk deploy\n\nREADME.md says more.\n`,
  )
  return exitCodes.done
}

const requireEmpty = (folder: string): void => {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory())
    throw new CommandFailure(`${quote(folder)} is a file. Name a folder. Nothing was written.`)
  // A new repository is as good as an empty folder.
  const found = readdirSync(folder).filter((name) => name !== '.git')
  if (found.length > 0)
    throw new CommandFailure(
      `The folder ${quote(folder)} is not empty: it has ${found[0]}. Name another one. Nothing was written.`,
    )
}

const createManifest = (root: string, packages: string | undefined): object => {
  const { latchkey, ...versions } = starterVersions
  const of = (name: string, file: string) => (packages ? findPackage(packages, name, file) : `^${latchkey}`)
  const { 'aws-cdk-lib': cdk, constructs, ...tools } = versions
  return {
    name: toPackageName(basename(root)),
    private: true,
    type: 'module',
    scripts: { deploy: 'cdk deploy', start: 'latchkey start' },
    dependencies: {
      '@latchkey/construct': of('@latchkey/construct', 'latchkey-construct'),
      'aws-cdk-lib': cdk,
      constructs,
    },
    devDependencies: { ...tools, latchkey: of('latchkey', 'latchkey') },
  }
}

/** Finds `latchkey-construct-0.1.0.tgz` in a folder, and no package whose name only begins alike. */
const findPackage = (folder: string, name: string, file: string): string => {
  const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : []
  const found = names.filter((one) => new RegExp(`^${file}-\\d[^/]*\\.tgz$`).test(one)).sort()
  const latest = found.at(-1)
  if (latest === undefined)
    throw new CommandFailure(
      `The folder ${quote(folder)} has no package of ${name}, such as ${file}-${starterVersions.latchkey}.tgz. Nothing was written.`,
    )
  return `file:${join(resolve(folder), latest)}`
}

/** Names of packages are lower case, without spaces. */
const toPackageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z\d._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '') || 'product'
