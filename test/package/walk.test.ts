import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { blocksOf } from '../docs/markdown.ts'
import { commandsOf, matchesOutput } from '../docs/shell-commands.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/* Carries out the walk of docs/integrate.md exactly as a reader does, but with free ports. */

let folder: string
let terminal: Terminal
let ports: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-walk-'))
  terminal = openTerminal(folder)
  ports = { 3000: String(await findFreePortPair()), 4000: String(await findFreePortPair()) }
})
afterAll(async () => {
  await terminal.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Replaces what differs on this machine: the ports and the paths of the packages. */
const adapt = (text: string): string =>
  text
    .replaceAll(
      /(127\.0\.0\.1|localhost):(\d{4})\b/g,
      (_, host: string, port: string) => `${host}:${ports[port] ?? port}`,
    )
    .replaceAll('listen(4000', `listen(${ports['4000']}`)
    .replaceAll(/npx latchkey start/g, `PORT=${ports['3000']} BREACH_ENDPOINT= npx latchkey start`)
    .replaceAll(/\/tmp\/latchkey-[\d.]+\.tgz/g, inject('tarballs').latchkey)
    .replaceAll(/\/tmp\/latchkey-middleware-[\d.]+\.tgz/g, inject('tarballs').middleware)

it('leads from an empty folder to a protected route', async () => {
  const blocks = blocksOf('docs/integrate.md').filter(({ options }) => options.has('walk'))
  expect(blocks.length).toBeGreaterThan(6)
  for (const { options, text } of blocks) {
    const file = options.get('file')
    if (file) writeFileSync(join(folder, 'my-product', file), adapt(text))
    else if (options.has('background')) await terminal.start(adapt(text))
    else
      for (const { text: command, expected } of commandsOf(text)) {
        const output = await terminal.run(adapt(command))
        if (expected !== undefined && !matchesOutput(expected, output))
          throw new Error(`${command}\nexpected: ${expected}\nactual:   ${output}`)
      }
  }
})
