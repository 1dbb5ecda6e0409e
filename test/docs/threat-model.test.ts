import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sectionOf } from './markdown.ts'

/* The threat model has a tree of attacks for each boundary of its picture, and each leaf leads to a test that exists. */

const file = 'docs/security/threat-model.md'
const page = readFileSync(file, 'utf8')

const drawn = [...(/```mermaid\n([\s\S]*?)```/.exec(page)?.[1] ?? '').matchAll(/-- (B\d+) -->/g)].map(
  ([, id = '']) => id,
)
const trees = [...page.matchAll(/^### (B\d+)\. .+\n\n((?: *- .+\n)+)/gm)].map(([, id = '', lines = '']) => ({
  id,
  lines: lines.trimEnd().split('\n'),
}))
const depthOf = (line: string): number => line.search(/\S/)
/** The lines that have no deeper line below. */
const leavesOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, at) => depthOf(lines[at + 1] ?? '') <= depthOf(line))

describe('the threat model', () => {
  it('has a tree for each boundary that it draws, and no other', () => {
    expect(drawn.length).toBeGreaterThan(8)
    expect(trees.map(({ id }) => id)).toEqual(drawn.toSorted())
  })

  it.each(trees)('links each leaf of $id to tests that exist', ({ lines }) => {
    const leaves = leavesOf(lines)
    expect(leaves.length).toBeGreaterThan(2)
    for (const leaf of leaves) {
      const [, shown = '', target = ''] =
        /^ {4}- .+: \[`(test\/\S+\.test\.ts)`\]\(\.\.\/\.\.\/(\S+)\)$/.exec(leaf) ?? []
      expect(shown, leaf).toBe(target)
      expect(existsSync(target), leaf).toBe(true)
      expect(readFileSync(target, 'utf8'), target).toMatch(/\bit(\.each|\(|<)/)
    }
  })

  it('places each function of the service at a boundary that has a tree', () => {
    const rows = [...sectionOf(file, 'Boundaries').text.matchAll(/^\| (B\d+) \| (.+) \|$/gm)]
    const placed = rows.flatMap(([, , names = '']) =>
      [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    )
    const functions = readdirSync('functions').filter((name) =>
      existsSync(join('functions', name, 'index.ts')),
    )
    expect([...new Set(placed)].toSorted()).toEqual(functions.toSorted())
    expect(rows.map(([, id]) => id)).toEqual(trees.map(({ id }) => id))
  })
})
