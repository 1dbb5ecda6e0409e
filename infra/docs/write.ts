import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './pages.ts'

const folder = 'docs/reference'

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Writes the reference pages. With `--check`, reports outdated pages instead and exits with code 1. */
const isCheck = process.argv.includes('--check')
mkdirSync(folder, { recursive: true })
const outdated = [...referencePages()].filter(([name, text]) => readOrEmpty(join(folder, name)) !== text)
for (const [name, text] of outdated) if (!isCheck) writeFileSync(join(folder, name), text)
if (isCheck && outdated.length > 0) {
  const names = outdated.map(([name]) => join(folder, name)).join(', ')
  process.stderr.write(`Outdated: ${names}. Run \`npm run docs\`.\n`)
  process.exitCode = 1
}
