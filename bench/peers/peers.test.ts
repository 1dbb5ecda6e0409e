import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type LoopbackServer, listenOnLoopback } from '../../test/support/listen-on-loopback.ts'
import { checkAims, type FindFigures } from './aims.ts'
import { combinePasses, type Figures, type LoadProcess, startLoadProcess } from '../load/measure.ts'
import { readOptions } from './options.ts'
import { jsonRequest, type Plan, valuePlaceholder } from '../load/plan.ts'
import { readTreeCpuMs } from '../load/process-tree.ts'
import { summarizeProfile } from '../load/summarize-profile.ts'
import { replaceFigures } from './write-table.ts'

describe('the options', () => {
  it('choose all peers, or those that are named', () => {
    expect(readOptions(['--peers']).peers).toHaveLength(4)
    expect(readOptions(['--peers=django,openauth', '--rows', '1000,10'])).toMatchObject({
      peers: ['django', 'openauth'],
      rows: [10, 1000],
    })
  })

  it.each([[['--peers=keycloak']], [['--peers', '--passes', '0']], [['--peers', '--rows', 'many']]])(
    'refuse %j',
    (args) => {
      expect(() => readOptions(args)).toThrow(/must be/)
    },
  )
})

describe('the CPU time of a process tree', () => {
  /** Computes, and prints the milliseconds that it took of a processor. */
  const script = `
    require('node:crypto').pbkdf2Sync('password', 'salt', 300_000, 32, 'sha256')
    const { user, system } = process.cpuUsage()
    console.log((user + system) / 1000)
  `

  it('includes children that have ended', () => {
    const before = readTreeCpuMs([process.pid])
    const reported = Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
    expect(readTreeCpuMs([process.pid]) - before).toBeGreaterThan(0.7 * reported)
  })

  it('includes children that still run, and no other process', async () => {
    const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => {}, 1000)`])
    try {
      const reported = Number(await once(child.stdout, 'data'))
      const own = readTreeCpuMs([child.pid ?? 0])
      expect(own).toBeGreaterThan(0.7 * reported)
      expect(readTreeCpuMs([process.pid])).toBeGreaterThan(own)
    } finally {
      child.kill()
    }
  })
})

describe('the load', () => {
  let server: LoopbackServer
  let load: LoadProcess
  afterEach(async () => {
    load.close()
    await server.close()
  })
  const send = async (listener: RequestListener, plan: Plan, seconds: number) => {
    server = await listenOnLoopback(createServer(listener))
    load = startLoadProcess()
    return load.send({ url: server.url, plan, seconds, inFlight: 4, expectedStatus: 200 })
  }

  it('sends each request once, and counts responses with another status', async () => {
    const paths: string[] = []
    const requests = Array.from({ length: 30 }, (_, at) => jsonRequest('GET', `/${at}`))
    const result = await send(
      ({ url = '' }, res) => {
        paths.push(url)
        res.writeHead(url.endsWith('5') ? 503 : 200).end('body')
      },
      { kind: 'once', requests },
      60,
    )
    expect(new Set(paths).size).toBe(30)
    expect(paths).toHaveLength(30)
    expect(result).toMatchObject({ completed: 30, failed: 3, firstFailure: '503 body' })
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms)
  })

  it('passes the value of the first response on to the second request', async () => {
    let made = 0
    const used: string[] = []
    const result = await send(
      async (req, res) => {
        let text = ''
        for await (const part of req) text += part
        if (req.url === '/check') used.push(JSON.parse(text).ticket)
        res.end(JSON.stringify({ ticket: `ticket-${made++}` }))
      },
      {
        kind: 'exchange',
        first: jsonRequest('POST', '/create', { body: {} }),
        field: 'ticket',
        second: jsonRequest('POST', '/check', { body: { ticket: valuePlaceholder } }),
      },
      0.2,
    )
    expect(result.failed).toBe(0)
    expect(new Set(used).size).toBe(result.completed)
    expect(used[0]).toMatch(/^ticket-\d+$/)
  })
})

const figuresOf = (perSecond: number, cpuMs = 1): Figures => ({
  perSecond,
  p50Ms: 1,
  p99Ms: 3,
  cpuMs,
  failed: 1,
})

describe('the report', () => {
  it('combines passes by their medians, and adds failures', () => {
    expect(combinePasses([figuresOf(1), figuresOf(9), figuresOf(2)])).toEqual({ ...figuresOf(2), failed: 3 })
  })

  it('marks aims as met or missed, and leaves out those without figures', () => {
    const figures: Record<string, Figures> = {
      'who-am-i Latchkey bundles': figuresOf(200, 1.2),
      'who-am-i Django REST framework': figuresOf(100),
      'who-am-i Better Auth': figuresOf(150),
      'sdk-call any': figuresOf(0, 1),
    }
    const find: FindFigures = (scenario, target = 'any') => figures[`${scenario} ${target}`]
    expect(checkAims(find, 2, [10]).map(({ isMet, ratio }) => [isMet, ratio.toFixed(2)])).toEqual([
      [true, '2.00'],
      [false, '1.33'],
      [true, '1.20'],
    ])
  })

  it('replaces only the text between the markers', () => {
    const marked = 'before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n'
    const replaced = replaceFigures(marked, 'new')
    expect(replaced).toBe('before\n<!-- figures: begin -->\n\nnew\n\n<!-- figures: end -->\nafter\n')
    expect(replaceFigures(replaced, 'new')).toBe(replaced)
    expect(() => replaceFigures('no markers', 'new')).toThrow(/markers/)
  })

  it('names the functions that take most time, without waiting', () => {
    const frame = (functionName: string, url: string) => ({
      functionName,
      url,
      scriptId: '1',
      lineNumber: 1,
      columnNumber: 1,
    })
    const nodes = [
      { id: 1, callFrame: frame('(idle)', '') },
      { id: 2, callFrame: frame('parse', 'file:///a/node_modules/@scope/package/b.js') },
      { id: 3, callFrame: frame('', 'file:///a/lib/log/log.ts') },
    ]
    const profile = { nodes, startTime: 0, endTime: 9, samples: [1, 2, 3, 2], timeDeltas: [90, 2, 2, 4] }
    expect(summarizeProfile(profile)).toEqual([
      { name: 'parse', file: '@scope/package', share: 0.75 },
      { name: '(anonymous)', file: 'lib/kernel/log/log.ts', share: 0.25 },
    ])
  })
})
