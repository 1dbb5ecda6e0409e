import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectionPages, connections, flowDiagram, movedByAws } from '../../build/docs/connections-page.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { listSources } from '../support/import-graph.ts'

/*
 * The pages about data and privacy say what leaves the service. The callers are found in the sources, so that a new one has no row until
 * somebody wrote what it sends.
 */

/** What code opens connections with. The product's own clients in `lib/client` and `lib/middleware` run elsewhere. */
const openings = [
  /(?<![.\w])fetch\(/,
  /(?:from|import\()\s*'@aws-sdk\/client-/,
  /^import (?!type )[^'\n]*'node:(?:http|https|http2|tls|dgram|dns)(?:\/promises)?'/m,
  /^import (?!type )[^'\n]*\b(?:connect|createConnection|Socket)\b[^'\n]*'node:net'/m,
  /\bnew (?:WebSocket|EventSource)\(/,
  /(?:from|import\()\s*'(?:undici|node-fetch|axios|got|ws)'/,
]
/** Files that send for their callers: they know neither what nor why. A file that imports one of them has a row instead. */
const senders = [
  'lib/features/connections/oidc/safe-fetch.ts',
  'lib/features/connections/saml/ssrf-safe-fetch.ts',
  'lib/features/connections/ssrf-safe-request.ts',
  'lib/kernel/table/call-function.ts',
  'lib/kernel/table/post.ts',
]
/** Names of senders that others import for something else, such as an error or a type. */
const sending = /\b(?:callFunction|sendSafely|createSafeFetch|ssrfSafeFetch|createPost)\b/

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')

/** Templates of texts that show a request to readers. */
const isShown = (path: string): boolean => path.startsWith('lib/open-api/')

const sources = ['lib', 'functions']
  .flatMap(listSources)
  .filter((path) => !/^lib\/(?:client|middleware)\//.test(path) && !isShown(path))
  .map((path) => [path, withoutComments(readFileSync(path, 'utf8'))] as const)

const importsSender = (path: string, text: string): boolean =>
  [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].some(([, target = '']) =>
    senders.includes(join(dirname(path), target)),
  ) && sending.test(text)

const callers = sources.flatMap(([path, text]) => {
  if (path === 'lib/features/connections/ssrf-safe-request.ts') return [path] // It asks the DNS.
  if (senders.includes(path)) return []
  return openings.some((opening) => opening.test(text)) || importsSender(path, text) ? [path] : []
})

describe('what leaves the service', () => {
  it('has a row for each caller that opens a connection, and for no other', () => {
    expect(callers.length).toBeGreaterThan(12)
    expect(connections.flatMap((row) => row.callers).toSorted()).toEqual(callers.toSorted())
  })

  it('is what the pages say', () => {
    for (const [path, text] of connectionPages()) expect(readFileSync(path, 'utf8'), path).toBe(text)
  })

  it.each(connections)('says of $to what it carries, and what of it is about people', (row) => {
    const [[, all = ''] = [], [, people = ''] = []] = connectionPages()
    expect(all).toContain(`| ${row.to} | ${row.carries} |`)
    expect(people.includes(`| ${row.to} | ${row.people} |`)).toBe(row.people !== undefined)
    expect(row.whenPeople === undefined).toBe(row.people === undefined)
  })

  it('is drawn: each connection once, and what AWS moves', () => {
    const lines = flowDiagram().split('\n')
    const boxes = new Map(
      lines.flatMap((line) => {
        const [, id, name] = /^ +(place\d+)\["(.+)"\]$/.exec(line) ?? []
        return id && name ? [[id, name] as const] : []
      }),
    )
    const drawn = lines.flatMap((line) => /^ {2}service --> (place\d+)$/.exec(line)?.[1] ?? [])
    expect(drawn).toHaveLength(connections.length)
    expect(new Set(drawn.map((id) => boxes.get(id))).size).toBe(connections.length)
    const moved = lines.filter((line) => line.includes('-.'))
    expect(moved).toHaveLength(movedByAws.length)
    for (const [, , setting] of movedByAws) if (setting) expect(Object.keys(stackSettings)).toContain(setting)
    const known = ['service', ...boxes.keys()]
    for (const line of moved) for (const id of line.match(/place\d+/g) ?? []) expect(known).toContain(id)
  })

  it.each([
    ['a request', "await fetch('https://films.example.com')"],
    ['a service of AWS', "import { SNSClient } from '@aws-sdk/client-sns'"],
    ['a socket', "import { connect } from 'node:net'"],
    ['a module of Node.js', "import https from 'node:https'"],
  ])('finds %s', (_, text) => {
    expect(openings.some((opening) => opening.test(text))).toBe(true)
  })

  it.each(senders)('finds what imports %s', (sender) => {
    const importing = sources.filter(([path, text]) => {
      const targets = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
      return targets.some(([, target = '']) => join(dirname(path), target) === sender)
    })
    expect(importing.length).toBeGreaterThan(0)
    expect(importing.some(([path]) => callers.includes(path) || senders.includes(path))).toBe(true)
  })
})
