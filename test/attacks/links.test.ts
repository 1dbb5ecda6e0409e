import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { getLinkVault } from '../../lib/features/access-links/link-vault.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import type { JsonValue } from '../support/client.ts'
import {
  addLink,
  bundle,
  deleteLink,
  directory,
  linksPath,
  lookUp,
  postLink,
  redeem,
} from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
afterEach(() => vi.useRealTimers())

it('shows nothing on any path to users who enumerate ids', async () => {
  const [mine, theirs] = [
    await addLink(service, creator.bearer),
    await addLink(service, (await addSignedIn(service, { permissions: ['media:access'] })).bearer),
  ]
  const attacker = await addSignedIn(service, { permissions: ['media:access', 'users:view', 'users:manage'] })
  const guest = (await redeem(service, mine.token)).body.session_key
  const calls = [
    ['GET', ''],
    ['GET', '/permissions'],
    ['DELETE', ''],
    ['POST', '/email'],
  ] as const
  for (const bearer of [attacker.bearer, guest])
    for (let id = theirs.id - 3; id <= theirs.id + 3; id++) {
      if (bearer === guest && id === mine.id) continue
      for (const [method, path] of calls) {
        const { status, text } = await service.client(method, `${linksPath}/${id}${path}`, {
          bearer,
          ...(method === 'POST' ? { body: { email: 'me@example.com' } } : {}),
        })
        if (id < 1) continue
        expect(status, `${method} ${id}${path}`).toBe(404)
        expect(text).not.toContain('lka_')
      }
    }
  for (const id of ['0', '-1', '1e1', '01', '1%00', '99999999999999999999', 'get', '__proto__'])
    for (const [method, path] of calls) {
      const { status } = await service.client(method, `${linksPath}/${id}${path}`, { bearer: creator.bearer })
      expect([400, 404, 405], `${method} ${id}${path}`).toContain(status)
    }
})

it('accepts no id, creator, or count from the request', async () => {
  for (const given of [
    { id: 1 },
    { created_by: 1 },
    { view_limit_left: 99 },
    { token: mintCredential('access_token', 1).value },
    { media_root_permissions: [1] },
    { hash: 'x' },
    { isAnonymous: true },
  ])
    expect((await postLink(service, creator.bearer, given)).status, JSON.stringify(given)).toBe(400)
  const raw = `{"bundles":[${JSON.stringify(bundle())}],"__proto__":{"view_limit":9}}`
  expect((await service.client('POST', linksPath, { bearer: creator.bearer, raw })).status).toBe(400)
})

it.each([
  [
    'a body above the limit',
    () => ({ bundles: Array.from({ length: 25 }, () => bundle({ path: 'x'.repeat(3000) })) }),
    413,
  ],
  [
    'names as long as they may be',
    () => ({ bundles: Array.from({ length: 20 }, () => bundle({ name: '\u{1f39e}'.repeat(500) })) }),
    201,
  ],
  ['paths as long as they may be', () => ({ directories: [directory({ path: 'é/'.repeat(511) })] }), 201],
  ['a list of nothing', () => ({ bundles: [null] }), 400],
  ['lists in lists', () => ({ bundles: [[bundle()]] }), 400],
  ['an empty page', () => ({ url: '' }), 400],
  [
    'a million permissions',
    () => ({ permissions: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, true])) }),
    400,
  ],
] as const)('answers %s plainly', async (_, make, status) => {
  const answer = await postLink(service, creator.bearer, make())
  expect(answer.status, answer.text.slice(0, 300)).toBe(status)
  expect(answer.text.length).toBeLessThan(100_000)
})

it('limits link guessing without locking out holders of a link', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { token } = await addLink(service, creator.bearer)
  const from = (number: number, value: string) =>
    postFrom(loopback(number), `${service.url}${linksPath}/redeem`, { token: value })
  const guess = () => mintCredential('access_token', 1).value
  for (let batch = 0; batch < 12; batch++)
    await Promise.all(Array.from({ length: 50 }, () => from(7, guess())))
  const refused = await from(7, guess())
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Values cannot be guessed, so a good one is served at any time, also to clients that share the address of a guesser.
  expect((await from(7, token)).status).toBe(200)
  expect((await from(8, token)).status).toBe(200)
  expect((await from(7, guess())).status).toBe(429)
  vi.setSystemTime(Date.now() + Number(refused.headers['retry-after']) * 1000)
  expect((await from(7, guess())).status).toBe(404)
})

it('limits password guesses per network, so that no one uses up the guesses of others', async () => {
  const password = 'what only we know'
  const { token } = await addLink(service, creator.bearer, { password })
  const from = (number: number, given: string) =>
    postFrom(loopback(number), `${service.url}${linksPath}/redeem`, { token, password: given })
  for (let at = 0; at < 10; at++) await from(20, `guess ${at}`)
  expect((await from(20, password)).status).toBe(429)
  expect((await from(21, password)).status).toBe(200)
})

it('limits password guesses from all addresses to a hundred an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const { token } = await addLink(service, creator.bearer, { password: 'what only we know' })
  const from = (number: number) =>
    postFrom(loopback(number), `${service.url}${linksPath}/redeem`, { token, password: 'a guess' })
  const statuses: number[] = []
  for (let batch = 0; batch < 6; batch++)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 20 }, (_, at) => from(1000 + batch * 20 + at)))).map(
        ({ status }) => status,
      ),
    )
  expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
})

/** Every item of the table, as the thief of a backup would read it. */
const dump = async (): Promise<JsonValue[]> => {
  const client = new DynamoDBClient({ endpoint: process.env['DYNAMODB_ENDPOINT'] ?? '' })
  const items: JsonValue[] = []
  let from: JsonValue
  do {
    const page: JsonValue = await client.send(
      new ScanCommand({ TableName: service.tableName, ExclusiveStartKey: from }),
    )
    items.push(...page.Items)
    from = page.LastEvaluatedKey
  } while (from)
  client.destroy()
  return items
}

it('keeps value, password, and page out of the table and the log', async () => {
  const password = 'the password of this very link'
  const recipient = await addSignedIn(service)
  const made = await Promise.all([
    addLink(service, creator.bearer, { password, view_limit: 2 }),
    addLink(service, creator.bearer, { user: recipient.user.id, is_easy_sharing: true }),
    addLink(service, creator.bearer, { email: 'dump@example.com', expires: '2031-01-01T00:00:00Z' }),
  ])
  for (const { token, id } of made) {
    await lookUp(service, token)
    await redeem(service, token, { password, bearer: recipient.bearer })
    await redeem(service, token, { password: 'wrong' })
    await service.client('GET', linksPath, { bearer: creator.bearer })
    await service.client('GET', `${linksPath}/get/${token}?user=1`)
    await service.client('GET', `${linksPath}/redeem?token=${token}`)
    await service.client('GET', `/link?token=${token}`, { bearer: token })
    await service.client('DELETE', `${linksPath}/${id}`, { bearer: token })
  }
  await deleteLink(service, creator.bearer, made[2]?.id)
  const items = await dump()
  expect(items.length).toBeGreaterThan(30)
  for (const text of [JSON.stringify(items), service.log.join('\n')]) {
    expect(text).not.toMatch(/lka_/)
    expect(text).not.toMatch(/lks_/)
    expect(text).not.toContain(password)
    for (const { token } of made) expect(text).not.toContain(token.slice(4))
  }
  // A stored value cannot be moved: the cipher text of another link, or a changed one, does not decrypt.
  const [one, other] = made
  const vault = getLinkVault(service.services)
  const { table } = service.services
  const stored = await table.get({ pk: `access-token#${one.id}`, sk: 'access-token' })
  const context = (id: number) => ({ purpose: 'access_token', token: String(id) })
  const cipher = String(stored?.['encryptedValue'])
  expect(await vault.decrypt(cipher, context(one.id))).toBe(one.token)
  await expect(vault.decrypt(cipher, context(other.id))).rejects.toThrow()
})
