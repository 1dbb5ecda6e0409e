import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { type CheckResult, Failed, startTogether } from '../../../cli/verify/check.ts'
import { checkPlainHttp } from '../../../cli/verify/connection.ts'
import { request } from '../../../cli/verify/request.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { listenOnLoopback } from '../../support/listen-on-loopback.ts'
import { verifyAt } from './changing-service.ts'

const never = new AbortController().signal

describe('a connection with a problem', () => {
  it.each([
    [5, 'expires in 4 days'],
    [-1, 'has expired'],
    [300, 'do not trust the certificate'],
  ])('is found with a certificate that ends in %i days', async (to, sentence) => {
    const { pem, keyPem } = await makeCertificate({ days: { from: -20, to }, hosts: ['localhost'] })
    const server = await listenOnLoopback(createTlsServer({ cert: pem, key: keyPem }) as never)
    const results = await verifyAt(server.url.replace('http://127.0.0.1', 'https://localhost'))
    await server.close()
    expect(results.find(({ id }) => id === 'certificate')).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining(sentence),
    })
  })

  it.each([
    [200, undefined, 'answered with 200 instead of a redirect'],
    [301, 'https://other.example.com/', 'another address'],
    [301, 'http://auth.example.com/', 'another address'],
  ])('is found with the answer %i to plain http', async (status, location, sentence) => {
    const server = await listenOnLoopback(
      createServer((_, res) => void res.writeHead(status, location ? { location } : {}).end()),
    )
    await expect(checkPlainHttp(server.url, 'auth.example.com', never)).rejects.toThrow(sentence)
    await server.close()
    expect(await checkPlainHttp(server.url, 'auth.example.com', never)).toContain('does not answer')
  })
})

it('ends a check that does not end, and stops no other one', async () => {
  const results: CheckResult[] = []
  const build = (id: string, run: () => Promise<string>) =>
    ({ id, area: 'outside', title: id, advice: 'Wait.', docs: 'docs/operate.md#checks', run }) as const
  const report = startTogether(
    [
      build('hangs', () => new Promise(() => {})),
      build('throws', async () => {
        throw new Failed('This is wrong.')
      }),
      build('works', async () => 'Fine.'),
    ],
    { signal: never, checkMs: 50, onResult: (result) => results.push(result) },
  )
  await report()
  expect(results.map(({ status, detail }) => [status, detail])).toEqual([
    ['failed', 'There was no result within 0.05 seconds.'],
    ['failed', 'This is wrong.'],
    ['ok', 'Fine.'],
  ])
})

it('ends a call whose answer never ends', async () => {
  const server = await listenOnLoopback(createServer((_, res) => void res.writeHead(200).write('half')))
  await expect(request(server.url, {}, never)).rejects.toThrow('no complete answer within 8 seconds')
  await server.close()
})
