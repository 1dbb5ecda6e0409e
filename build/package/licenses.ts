import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the licenses of all packages that bundled files come from. Throws an `Error` if a package names no license. */
export const writeLicenses = (root: string, inputs: readonly string[], file: string): void => {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const notices = [...new Set(folders)].map((folder) => describeLicense(join(root, folder)))
  writeFileSync(file, [...new Set(notices)].sort().join(`\n${'-'.repeat(80)}\n\n`))
}

const describeLicense = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${name} ${version} names no license.`)
  const texts = readdirSync(folder)
    .filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry))
    .map((entry) => readFileSync(join(folder, entry), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
