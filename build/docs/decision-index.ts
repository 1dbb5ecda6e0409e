import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable, page } from './markdown.ts'

const folder = 'docs/decisions'

/** The index of the decision records: a table for each topic, in the order of the records. */
export const decisionIndex = (): string => {
  const records = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .sort()
    .map(readRecord)
  const topics = [...new Set(records.map(({ topic }) => topic))]
  return page(
    'Decisions',
    'Each record says what was decided, which alternatives were rejected, and why. The other pages say how things work.',
    ...topics.flatMap((topic) => [
      `## ${topic}`,
      markdownTable(
        ['number', 'title', 'status'],
        records.filter((record) => record.topic === topic).map(({ cells }) => cells),
      ),
    ]),
  )
}

const readRecord = (name: string) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const read = (pattern: RegExp): string => {
    const value = pattern.exec(text)?.[1]
    if (value === undefined) throw new Error(`${folder}/${name}: no line matches ${pattern}.`)
    return value
  }
  const link = `[${read(/^# \d+\. (.+)$/m)}](${name})`
  return {
    topic: read(/^- Topic: (.+)$/m),
    cells: [name.slice(0, 4), link, read(/^- Status: (Accepted|Superseded by .+)$/m)],
  }
}
