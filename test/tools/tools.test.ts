import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

/*
 * Runs the tools for developers with the options of docs/contributing.md, for about 20 seconds each on a quiet machine. They are as
 * broken as a test is when nothing runs them. Two run at the same time: what they measure is not judged here. Tests of their own run what
 * the storm of organizations and the costs of operations do.
 */

/** Runs a script as a developer does, without the settings of the tests. */
const run = async (script: string, ...options: readonly string[]) => {
  const { PATH = '', HOME = '', CHROMIUM } = process.env
  const child = spawn('npm', ['run', '--silent', script, '--', ...options], {
    env: { PATH, HOME, NO_COLOR: '1', ...(CHROMIUM === undefined ? {} : { CHROMIUM }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { output, errors, exitCode }
}

const complete = async (script: string, ...options: readonly string[]): Promise<string> => {
  const { output, errors, exitCode } = await run(script, ...options)
  expect([exitCode, exitCode === 0 ? '' : `${output}\n${errors}`]).toEqual([0, ''])
  expect(output).not.toMatch(/NaN|undefined|Infinity|\[object/)
  return output
}

/** The cells of all rows of a printed table that begin with this cell. Cells have at least two spaces between them. */
const findRows = (output: string, first: string): readonly (readonly string[])[] =>
  output
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
    .filter(([cell]) => cell === first)

const numbersOf = (output: string, first: string): readonly number[] =>
  findRows(output, first).map(([, ...cells]) => Number(cells.at(-1)))

const timeout = 900_000

// The longest one begins first.
it.concurrent('bench measures bundles and requests', { timeout }, async () => {
  const output = await complete('bench', '1')
  // One round measures every sixth function.
  const functions = readdirSync('functions', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const measured = functions.flatMap(({ name }) => findRows(output, name))
  expect(measured.length).toBeGreaterThan(4)
  for (const [name, ...cells] of measured) {
    // Times are those above an empty handler, so that a busy machine can make small ones negative.
    expect([name, cells.filter((cell) => Number.isFinite(Number(cell))).length]).toEqual([name, 5])
    expect([name, cells.slice(0, 2).filter((cell) => Number(cell) > 0).length]).toEqual([name, 2])
  }
})

it.concurrent('chaos disturbs and kills the service, and finds nothing lost', { timeout }, async () => {
  const output = await complete('chaos', '--minutes', '0.35', '--seed', '7')
  expect(output).toMatch(/^disruptions, seed 7$/m)
  expect(output).toMatch(/^kills, seed 7$/m)
  expect(numbersOf(output, 'violations')).toEqual([0, 0])
  for (const name of ['rounds', 'operations', 'acknowledged', 'disruptions', 'checks at the end'])
    expect([name, numbersOf(output, name).filter((count) => count > 0).length]).toEqual([name, 2])
})

it.concurrent('fuzz sends hostile requests and documents, and finds nothing', { timeout }, async () => {
  const output = await complete('fuzz', '--requests', '400', '--seed', '2')
  const [, statuses = ''] = /^Seed 2: (.*)$/m.exec(output) ?? []
  const counts = [...statuses.matchAll(/\d{3}: (\d+)/g)].map(([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400)
  expect(output).toMatch(/Test Files\D+5 passed/)
})

it.concurrent('bench measures the pages in Chromium', { timeout }, async () => {
  const output = await complete('bench', '--pages', '1')
  for (const path of ['/', '/reset', '/account', '/admin']) {
    const rows = findRows(output, path)
    expect([path, rows.length]).toEqual([path, 2])
    for (const [, paint, content, interactive] of rows)
      expect([paint, content, interactive].filter((cell) => Number(cell) > 0)).toHaveLength(3)
  }
})

it.concurrent.each([
  ['chaos', '--minuts', '--minutes'],
  ['fuzz', '--request', '--requests'],
  ['isolation', '--request', '--requests'],
  ['bot-storm', '--request', '--requests'],
  ['bench', '--page', '--pages'],
  ['cost', '--wirte', '--write'],
])('%s refuses %s', { timeout }, async (script, wrong, right) => {
  const { exitCode, errors } = await run(script, wrong)
  expect([exitCode, errors]).toEqual([1, expect.stringContaining(`Did you mean ${right}?`)])
})
