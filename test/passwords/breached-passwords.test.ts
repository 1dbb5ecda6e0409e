import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { padding, prefixOf, startRangeServer, suffixOf } from '../support/range-server.ts'
import { useService } from '../support/use-service.ts'

/** Any password: only the response of the range service matters. */
const password = 'vanish-kettle-orbits'
const breachErrors = [expect.stringMatching(/found in a data breach/)]
const ranges = closeAfterTests(await startRangeServer())
const service = await useService({ BREACH_ENDPOINT: ranges.url })
let bearer: string
beforeEach(async () => {
  // Each test starts an hour later, so that no cached response or pause remains from the test before.
  later += 60 * 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  bearer = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
  ranges.answer([])
  await errorsOf('resets the count of failures')
  ranges.requests.length = 0
})
afterEach(() => vi.useRealTimers())
let later = 0

const errorsOf = async (text: string, policy: object = { no_pwned: true }): Promise<readonly string[]> => {
  const answer = await service.client('POST', '/api/2/auth/evaluate-password', {
    bearer,
    body: { password: text, custom_policy: policy },
  })
  expect(answer.status).toBe(200)
  return answer.body.errors
}
const warnings = () => service.log.filter((line) => line.includes('breached_passwords.unanswered'))

describe('a breached password', () => {
  it('is rejected wherever it is in the response', async () => {
    ranges.answer([`${'A'.repeat(35)}:3`, `${suffixOf(password)}:52256179`, `${'B'.repeat(35)}:1`])
    expect(await errorsOf(password)).toEqual(breachErrors)
  })

  it('is looked up by the first five digits of its hash, with padding and without credentials', async () => {
    await errorsOf(password)
    const [{ url = '', headers = {} } = {}, ...others] = ranges.requests
    expect(others).toEqual([])
    expect(url).toBe(`/range/${prefixOf(password)}`)
    expect(headers['add-padding']).toBe('true')
    expect(headers['user-agent']).toMatch(/latchkey/i)
    expect(JSON.stringify(headers)).not.toContain(suffixOf(password))
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('cookie')
  })

  it('is recognized in every Unicode form', async () => {
    ranges.answer([`${suffixOf('caf\u00e9 am Ring')}:7`])
    expect(await errorsOf('cafe\u0301 am Ring')).toEqual(breachErrors)
  })

  it('is not confused with padding, with a longer suffix, or with a partial line', async () => {
    ranges.answer([`${suffixOf(password)}:0`])
    expect(await errorsOf(password)).toEqual([])
    ranges.answer([`F${suffixOf(`${password}2`)}:9`])
    expect(await errorsOf(`${password}2`)).toEqual([])
    ranges.answer([`${suffixOf(`${password}3`)}:10`])
    expect(await errorsOf(`${password}3`)).toEqual(breachErrors)
    ranges.answer([`${suffixOf(`${password}4`)}:00`])
    expect(await errorsOf(`${password}4`)).toEqual([])
  })

  it('is looked up only if the policy asks for it', async () => {
    for (const policy of [{}, { no_pwned: false }, { no_pwned: null }]) await errorsOf(password, policy)
    expect(ranges.requests).toEqual([])
  })

  it('is rejected when a password is set, and at sign-in, by the default policy', async () => {
    ranges.answer([`${suffixOf(password)}:2`])
    const person = await addPerson(service)
    const set = await service.client('POST', `/api/2/users/${person.user.id}/password`, {
      bearer,
      body: { password },
    })
    expect(set.body).toMatchObject({
      code: 'password_rejected',
      errors: [{ field: 'password', message: breachErrors[0] }],
    })
    const login = await trySignIn(service, person, { new_password: password })
    expect(login.body).toMatchObject({
      code: 'password_rejected',
      errors: [{ field: 'new_password', message: breachErrors[0] }],
    })
  })
})

describe('a range response', () => {
  it('is cached for about ten minutes', async () => {
    ranges.answer([`${suffixOf(password)}:2`])
    expect(await errorsOf(password)).toEqual(breachErrors)
    expect(await errorsOf(password)).toEqual(breachErrors)
    expect(ranges.requests).toHaveLength(1)
    vi.setSystemTime(Date.now() + 11 * 60_000)
    expect(await errorsOf(password)).toEqual(breachErrors)
    expect(ranges.requests).toHaveLength(2)
  })

  it('is evicted from the cache when there are many newer ones', async () => {
    await errorsOf(password)
    for (let at = 0; at < 40; at++) await errorsOf(`another kettle ${at}`)
    ranges.requests.length = 0
    await errorsOf('another kettle 39')
    expect(ranges.requests).toEqual([])
    await errorsOf(password)
    expect(ranges.requests).toHaveLength(1)
  })
})

describe('a range service that fails', () => {
  const found = `${suffixOf(password)}:5`
  const everySuffix = [found, ...padding(400)].join('\r\n')

  it.each<{ why: string; behave: Parameters<typeof ranges.behave>[0]; reason: RegExp }>([
    {
      why: 'hangs',
      behave: () => {},
      reason: /no answer within 1000 ms/,
    },
    {
      why: 'sends a few bytes at a time',
      behave: (_, response) => {
        response.write(`${found}\r\n`)
        const timer = setInterval(() => response.write(`${'0'.repeat(35)}:0\r\n`), 50)
        response.on('close', () => clearInterval(timer))
      },
      reason: /no answer within 1000 ms/,
    },
    {
      why: 'sends an endless response',
      behave: (_, response) => {
        const flood = () => {
          let canWrite = true
          while (canWrite && !response.destroyed) canWrite = response.write(everySuffix)
        }
        response.on('drain', flood)
        flood()
      },
      reason: /more than 524288 bytes/,
    },
    {
      why: 'redirects to another address',
      behave: (request, response) => {
        if (request.url?.startsWith('/range/')) response.writeHead(302, { location: '/elsewhere' }).end()
        else response.end(everySuffix)
      },
      reason: /connection failed|status 302/,
    },
    {
      why: 'responds with an error',
      behave: (_, response) => response.writeHead(503).end(everySuffix),
      reason: /status 503/,
    },
    {
      why: 'closes the connection early',
      behave: (_, response) => {
        response.writeHead(200, { 'content-length': '100000' }).write(everySuffix)
        setTimeout(() => response.destroy(), 20)
      },
      reason: /UND_ERR|ECONN|connection failed/,
    },
    {
      why: 'refuses the connection',
      behave: (_, response) => response.destroy(),
      reason: /UND_ERR|ECONN/,
    },
    {
      why: 'responds with a web page',
      behave: (_, response) => response.end(`<html>Please sign in to this network</html>\n${everySuffix}`),
      reason: /something else/,
    },
  ])('does not block a password when it $why', async ({ behave, reason }) => {
    const before = warnings().length
    ranges.behave(behave)
    const startedAt = performance.now()
    expect(await errorsOf(password)).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(5000)
    const [line = '', ...others] = warnings().slice(before)
    expect(others).toEqual([])
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      reason: expect.stringMatching(reason),
      BreachLookUpUnanswered: 1,
      _aws: {
        Timestamp: expect.any(Number),
        CloudWatchMetrics: [
          {
            Namespace: 'Latchkey',
            Dimensions: [['Table']],
            Metrics: [{ Name: 'BreachLookUpUnanswered', Unit: 'Count' }],
          },
        ],
      },
    })
    for (const secret of [password, prefixOf(password), suffixOf(password)])
      expect(line).not.toContain(secret)
    expect(ranges.requests.map(({ url }) => url)).not.toContain('/elsewhere')
  })

  it('is not asked for a minute after three failures in a row, and then once more', async () => {
    ranges.behave((_, response) => response.writeHead(500).end())
    for (let at = 0; at < 10; at++) expect(await errorsOf(`${password} ${at}`)).toEqual([])
    expect(ranges.requests).toHaveLength(3)
    vi.setSystemTime(Date.now() + 59_000)
    await errorsOf(password)
    expect(ranges.requests).toHaveLength(3)
    vi.setSystemTime(Date.now() + 2000)
    await errorsOf(password)
    expect(ranges.requests).toHaveLength(4)
    await errorsOf(password)
    expect(ranges.requests).toHaveLength(4)
    ranges.answer([found])
    vi.setSystemTime(Date.now() + 61_000)
    expect(await errorsOf(password)).toEqual(breachErrors)
    ranges.behave((_, response) => response.writeHead(500).end())
    for (const more of [1, 2]) await errorsOf(`${password} and ${more}`)
    expect(ranges.requests).toHaveLength(7)
    ranges.answer([])
    await errorsOf(`${password} and 3`)
    expect(ranges.requests).toHaveLength(8)
  })
})
