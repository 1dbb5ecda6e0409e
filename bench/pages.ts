import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { launchChromium } from '../test/support/chromium.ts'
import { addPerson } from '../test/support/people.ts'
import { startService } from '../test/support/service.ts'
import { textTable } from '../test/support/text-table.ts'
import { measurePage, type PageFigures, type Slowness } from './measure-page.ts'

/*
 * Prints how fast the pages are with an empty cache, on a device whose CPU is 4 times slower than this machine: with the
 * network of this machine, and with one that is as slow as a bad mobile connection ("Slow 4G" of Lighthouse).
 */

const slownesses: Readonly<Record<string, Slowness>> = {
  'CPU 4x slower': { cpu: 4 },
  'CPU 4x slower, slow 4G': { cpu: 4, network: { latencyMs: 150, downloadKbps: 1638, uploadKbps: 750 } },
}

const field = 'input:not([type=hidden])'
const heading = 'h1'
const pages = [
  { path: '/', target: field, isSignedIn: false },
  { path: '/reset#token=lkt_1', target: heading, isSignedIn: false },
  { path: '/account', target: heading, isSignedIn: true },
  { path: '/admin', target: heading, isSignedIn: true },
] as const

const print = (text: string) => process.stdout.write(text)

/** `npm run bench -- --pages 3` gives a quick result. */
const rounds = Number(process.argv.slice(2).find((text) => /^\d+$/.test(text)) ?? 5)

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

const toRow = (name: string, all: readonly PageFigures[]): readonly (string | number)[] => {
  const [{ requests = 0, apiRequests = 0, gzipBytes = {} } = {}] = all
  const milliseconds = (read: (figures: PageFigures) => number) => median(all.map(read)).toFixed(0)
  const kilobytes = (...kinds: readonly string[]) =>
    (kinds.reduce((sum, kind) => sum + (gzipBytes[kind] ?? 0), 0) / 1000).toFixed(1)
  return [
    name,
    milliseconds(({ firstPaintMs }) => firstPaintMs),
    milliseconds(({ firstContentfulPaintMs }) => firstContentfulPaintMs),
    milliseconds(({ interactiveMs }) => interactiveMs),
    median(all.map(({ layoutShift }) => layoutShift)).toFixed(3),
    requests,
    apiRequests,
    kilobytes('document'),
    kilobytes('script'),
    kilobytes('stylesheet'),
    kilobytes(...Object.keys(gzipBytes)),
  ]
}

const headings = [
  'page',
  'paint',
  'content',
  'interactive',
  'shift',
  'requests',
  'to the API',
  'HTML',
  'JS',
  'CSS',
  'all KB',
]

const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws(process.env, { isOwnEngine: true })
process.env['DYNAMODB_ENDPOINT'] = engine.endpoint
const service = await startService()
const browser = await launchChromium()
try {
  const { user, password } = await addPerson(service, { permissions: ['system:admin-access'] })
  const context = await browser.newContext()
  await context.request.post(`${service.url}/api/2/auth/login`, {
    data: { username: user.username, password },
  })
  const storageState = await context.storageState()
  print(
    `Pages in Chromium with an empty cache: milliseconds (median of ${rounds}), layout shift, and KB after gzip.\n`,
  )
  for (const [name, slowness] of Object.entries(slownesses)) {
    const rows = []
    for (const { path, target, isSignedIn } of pages) {
      const url = service.url + path
      // The first request builds the page or loads its function.
      const { status } = await fetch(url)
      if (status !== 200) throw new Error(`GET ${path}: ${status}`)
      const all = []
      for (let round = 0; round < rounds; round += 1)
        all.push(await measurePage(browser, url, target, slowness, isSignedIn ? storageState : undefined))
      rows.push(toRow(path.replace(/#.*/, ''), all))
    }
    print(`\n${name}\n\n${textTable(headings, rows)}`)
  }
} finally {
  await browser.close()
  await service.close()
  await engine.close()
}
