import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from './markdown.ts'

const folder = 'docs/decisions'

/** The index of the decision records, by their file names and titles. */
export const decisionIndex = (): string =>
  page(
    'Decisions',
    'Each record has the context of a decision, the decision itself, and its consequence.',
    readdirSync(folder)
      .filter((name) => /^\d{4}-.*\.md$/.test(name))
      .sort()
      .map((name) => `- ${name.slice(0, 4)}: [${titleOf(name)}](${name})`)
      .join('\n'),
  )

const titleOf = (name: string): string =>
  (/^# (.+)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? name).replace(/^\d+[.:]? */, '')
