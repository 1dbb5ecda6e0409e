import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceFolders } from '../support/floors.ts'
import { type Block, blocksOf } from './markdown.ts'

const run = promisify(execFile)
const parts = [...sourceFolders, 'test', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']

let copy: string
let blocks: readonly Block[]
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'latchkey-copy-'))
  for (const part of parts) cpSync(part, join(copy, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  // The new files with all that they import, instead of the whole project: it takes a third of the time.
  const include = ['lib', 'functions/users', 'test/functions/own-detail.test.ts']
  writeFileSync(join(copy, 'tsconfig.group.json'), JSON.stringify({ extends: './tsconfig.json', include }))
  blocks = blocksOf('docs/contributing.md').filter(({ language }) => language === 'ts')
})
afterAll(() => rmSync(copy, { recursive: true }))

/** Runs a tool of the project in the copy. @throws Error with what it printed. */
const inCopy = (tool: string, ...args: readonly string[]) =>
  run(resolve('node_modules/.bin', tool), args, { cwd: copy }).catch(({ stdout, stderr }) => {
    throw new Error(`${tool} failed: ${stdout}${stderr}`)
  })

const checkTypes = () => inCopy('tsc', '-p', 'tsconfig.group.json')

/** Carries out a block: a new file, or lines for an existing one. */
const apply = ({ line, options, text }: Block): void => {
  const [file, into, after] = ['file', 'into', 'after'].map((name) => options.get(name))
  const path = join(copy, file ?? into ?? '')
  const before = file ? '' : readFileSync(path, 'utf8')
  // Without a marker, the lines go to the top of the file.
  const at = after === undefined ? 0 : before.indexOf(`${after}\n`)
  if (at < 0) throw new Error(`line ${line}: "${after}" is not in ${into}`)
  const end = after === undefined ? 0 : at + after.length + 1
  writeFileSync(path, before.slice(0, end) + text + before.slice(end))
}

describe('the steps to add an operation', () => {
  it('add exactly one declaration, one text, one use case, one entry and a test', () => {
    expect(blocks.map(({ options }) => options.get('into') ?? options.get('file'))).toEqual([
      'lib/contract/operations/users.ts',
      'lib/contract/descriptions/operations/users.ts',
      'functions/users/own-detail.ts',
      'functions/users/index.ts',
      'functions/users/index.ts',
      'test/functions/own-detail.test.ts',
    ])
  })

  it('fail to compile without the use case', async () => {
    const [declaration] = blocks
    if (!declaration) throw new Error('there is no declaration')
    apply(declaration)
    await expect(checkTypes()).rejects.toThrow('functions/users/index.ts')
  })

  it('give an operation that compiles, answers requests and has a reference', async () => {
    for (const block of blocks.slice(1)) apply(block)
    await checkTypes()
    await inCopy('vitest', 'run', 'test/functions/own-detail.test.ts')
    await inCopy('node', 'build/docs/write.ts')
    expect(readFileSync(join(copy, 'docs/reference/operations.md'), 'utf8')).toContain('### get_own_detail')
  })
})
