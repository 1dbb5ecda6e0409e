import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generatedPages } from './pages.ts'

const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

// Writes the generated pages. With `--check`, reports outdated pages instead and exits with code 1.
const isCheck = process.argv.includes('--check')
const outdated = [...generatedPages()].filter(([path, text]) => readOrEmpty(path) !== text)
if (isCheck && outdated.length > 0) {
  process.stderr.write(`Outdated: ${outdated.map(([path]) => path).join(', ')}. Run \`npm run docs\`.\n`)
  process.exitCode = 1
} else
  for (const [path, text] of outdated) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
