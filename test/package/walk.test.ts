import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { blocksOf } from '../docs/markdown.ts'
import { commandsOf, matchesOutput } from '../docs/shell-commands.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/* Carries out the walks of pages exactly as a reader does, but with free ports. */

let folder: string
let terminal: Terminal
let ports: Readonly<Record<string, string>>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-walk-'))
  terminal = openTerminal(folder)
  ports = { 3000: String(await findFreePortPair()), 4000: String(await findFreePortPair()) }
})
afterEach(async () => {
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
    .replaceAll(
      /npm exec --no -- latchkey start/g,
      `PORT=${ports['3000']} BREACH_ENDPOINT= npm exec --no -- latchkey start`,
    )
    .replaceAll(/\/tmp\/latchkey-[\d.]+\.tgz/g, inject('tarballs').latchkey)
    .replaceAll(/\/tmp\/latchkey-middleware-[\d.]+\.tgz/g, inject('tarballs').middleware)
    .replaceAll(/\/tmp\/latchkey-construct-[\d.]+\.tgz/g, inject('tarballs').construct)
    .replaceAll(/^npm install /gm, 'npm install --prefer-offline --no-audit --no-fund ')

const walk = async (page: string): Promise<void> => {
  const blocks = blocksOf(page).filter(({ options }) => options.has('walk'))
  expect(blocks.length).toBeGreaterThan(2)
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
}

it('leads from an empty folder to a protected route', () => walk('docs/integrate.md'))

it('leads from an empty folder to a stack with a protected route', async () => {
  await walk('docs/frameworks/cdk.md')
  const template = readFileSync(join(folder, 'my-product/cdk.out/Product.template.json'), 'utf8')
  const resources: readonly Resource[] = Object.values(JSON.parse(template).Resources)
  const [authorizer] = resources.filter(({ Properties }) => Properties?.AuthorizerType === 'JWT')
  expect(authorizer?.Properties?.JwtConfiguration?.Audience).toEqual(['https://films.example.com'])
  const [route] = resources.filter(({ Properties }) => Properties?.RouteKey === 'GET /films')
  expect(route?.Properties?.AuthorizationType).toBe('JWT')
})

interface Resource {
  readonly Properties?: {
    readonly AuthorizerType?: string
    readonly AuthorizationType?: string
    readonly RouteKey?: string
    readonly JwtConfiguration?: { readonly Audience?: unknown }
  }
}
