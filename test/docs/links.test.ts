import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { floors } from '../support/floors.ts'
import { checkCommand } from './command-rules.ts'
import { anchorsOf, inlineCodeOf, markdownFiles, proseOf } from './markdown.ts'

const linksOf = (file: string): readonly string[] =>
  [...proseOf(file).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, target, attribute = '']) => target ?? attribute,
  )

/** Why a link leads nowhere; undefined for a good one. Links to other sites are not followed. */
const problemOf = (file: string, link: string): string | undefined => {
  if (/^(https|mailto):/.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(target)) return `${file}: ${link} does not exist`
  if (anchor === undefined || anchorsOf(target).has(anchor)) return undefined
  return `${file}: ${link} has no such heading`
}

const stackOutputs = [...readFileSync('infra/parts/outputs.ts', 'utf8').matchAll(/output\(\s*'(\w+)'/g)].map(
  ([, name]) => name,
)

describe('links in the documentation', () => {
  it('lead to existing files and headings', () => {
    const problems = markdownFiles().flatMap((file) =>
      linksOf(file).flatMap((link) => problemOf(file, link) ?? []),
    )
    expect(problems).toEqual([])
  })

  it('are whole, so that no sentence begins within one', () => {
    const broken = markdownFiles().flatMap((file) =>
      proseOf(file)
        .replaceAll(/\]\([^)]*\)/g, ']')
        .split('\n')
        .filter((line) => /\bmd(#[\w-]+)?\)/.test(line))
        .map((line) => `${file}: ${line}`),
    )
    expect(broken).toEqual([])
  })

  it('reach every page of docs from the README', () => {
    const reached = new Set<string>(['README.md'])
    for (const file of reached)
      for (const link of linksOf(file)) {
        const target = normalize(join(dirname(file), link.split('#')[0] ?? ''))
        if (target.endsWith('.md') && existsSync(target)) reached.add(target)
      }
    expect(markdownFiles().filter((file) => !reached.has(file))).toEqual([])
  })

  it('name existing npm scripts', () => {
    const commands = markdownFiles().flatMap((file) =>
      inlineCodeOf(file).filter((code) => /^npm (run )?\S+$/.test(code)),
    )
    expect(commands).toContain('npm run docs')
    expect(commands.map((command) => checkCommand(command))).toHaveLength(commands.length)
  })

  it('name existing outputs of the stack', () => {
    const named = markdownFiles()
      .flatMap(inlineCodeOf)
      .flatMap((code) => /^Auth(\w+)…$/.exec(code)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !stackOutputs.includes(name))).toEqual([])
  })
})

it('docs/architecture.md names every floor and every feature', () => {
  const cells = readFileSync('docs/architecture.md', 'utf8').split('|')
  const words = new Set(
    cells.flatMap((cell) => cell.split(', ')).map((word) => word.replaceAll('`', '').trim()),
  )
  const features = readdirSync('lib/features', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect([...floors.flat(), ...features.map(({ name }) => name)].filter((name) => !words.has(name))).toEqual(
    [],
  )
})
