import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/*
 * `npx` downloads and runs a package that is not installed. Anybody can publish one under a name that is free, and the commands of Latchkey
 * run with credentials of AWS. So every text and message types `npm exec --no -- latchkey`, which runs what is installed or nothing.
 */

const places = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'examples']
const sources = ['build', 'cli', 'infra', 'lib', 'local', 'web']

const listFiles = (place: string): readonly string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, withFileTypes: true })
        .filter(
          (entry) => entry.isFile() && /\.(?:[cm]?[jt]sx?|json|md|ya?ml|txt|html|css)$/.test(entry.name),
        )
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => !/(?:^|\/)node_modules\//.test(path))

const files = [...places, ...sources].flatMap(listFiles)
const texts = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))

const findLines = (pattern: RegExp): readonly string[] =>
  [...texts].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
  )

it('no text or message runs Latchkey in a way that downloads a package', () => {
  expect(files.length).toBeGreaterThan(500)
  const names = String.raw`(?:latchkey|@latchkey/\S+|create-latchkey)\b`
  const options = String.raw`(?:-\S+ )*`
  const downloading = [
    `\\b(?:npx|bunx|pnpx) ${options}${names}`,
    `\\b(?:pnpm|yarn) dlx ${options}${names}`,
    `\\bnpm (?:exec|x) (?!--no -- )${options}${names}`,
  ]
  expect(findLines(new RegExp(downloading.join('|')))).toEqual([])
})

it('every text that runs Latchkey by npm keeps its options from npm', () => {
  const lines = findLines(/npm exec\b.*\blatchkey\b/)
  expect(lines.length).toBeGreaterThan(60)
  expect(lines.filter((line) => !line.includes('npm exec --no -- latchkey'))).toEqual([])
})
