import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createClientPauses, sendLogoutToken } from '../../lib/features/oauth/run-logout-jobs.ts'
import { logoutFailuresBeforePause, logoutPauseMs } from '../../lib/kernel/limits/limits.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { listenOnLoopback } from '../support/listen-on-loopback.ts'

let requests = 0
const server = closeAfterTests(
  await listenOnLoopback(
    createServer((request, response) => {
      requests += 1
      // The other path never answers.
      if (request.url === '/endless') {
        response.writeHead(200)
        const send = () => response.write('x'.repeat(65_536), send)
        send()
      }
    }),
  ),
)

const local = { allowsLoopback: true }
const strict = { allowsLoopback: false }

describe('sending a logout token', () => {
  it('gives up on a client that does not answer', async () => {
    const rules = { ...local, doubles: { timeoutMs: 50 } }
    expect(await sendLogoutToken(`${server.url}/silent`, 'token', rules)).toBe('timeout')
  })

  it('reads only the status of an endless answer', async () => {
    expect(await sendLogoutToken(`${server.url}/endless`, 'token', local)).toBeUndefined()
  })

  it('does not reach this machine unless the service itself runs on it', async () => {
    const before = requests
    expect(await sendLogoutToken(`${server.url}/silent`, 'token', strict)).toBe('invalid_address')
    const encrypted = server.url.replace('http:', 'https:')
    expect(await sendLogoutToken(`${encrypted}/silent`, 'token', strict)).toBe('address')
    expect(requests).toBe(before)
  })

  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/latest/meta-data/',
    'https://10.0.0.1/logout',
    'https://2130706433/logout',
    'https://0x7f000001/logout',
    'https://[::ffff:127.0.0.1]/logout',
  ])('does not reach %s', async (address) => {
    expect(await sendLogoutToken(address, 'token', strict)).toBe('address')
    expect(await sendLogoutToken(address, 'token', local)).not.toBeUndefined()
  })

  it('checks what a name leads to, and uses no other address', async () => {
    const doubles = { resolve: async () => [{ address: '169.254.169.254', family: 4 }] }
    expect(await sendLogoutToken('https://product.example/logout', 'token', { ...strict, doubles })).toBe(
      'address',
    )
  })

  it.each(['', 'product.example/logout', 'ftp://product.example', 'http://product.example'])(
    'does not send to the address %j',
    async (address) => {
      expect(await sendLogoutToken(address, 'token', strict)).toBe('invalid_address')
    },
  )
})

describe('a client that fails again and again', () => {
  it('is left alone for a while, until it answers', () => {
    const pauses = createClientPauses()
    for (let at = 1; at <= logoutFailuresBeforePause; at++) {
      expect(pauses.isPaused('client', at)).toBe(false)
      pauses.note('client', { wasInformed: false, nowMs: at })
    }
    const since = logoutFailuresBeforePause
    expect(pauses.isPaused('client', since)).toBe(true)
    expect(pauses.isPaused('another', since)).toBe(false)
    expect(pauses.isPaused('client', since + logoutPauseMs)).toBe(false)
    pauses.note('client', { wasInformed: false, nowMs: since + logoutPauseMs })
    expect(pauses.isPaused('client', since + logoutPauseMs)).toBe(true)
    pauses.note('client', { wasInformed: true, nowMs: since + logoutPauseMs })
    expect(pauses.isPaused('client', since + logoutPauseMs)).toBe(false)
  })
})
