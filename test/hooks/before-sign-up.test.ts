import { beforeEach, describe, expect, it } from 'vitest'
import { findGroupIds, findGroups } from '../../lib/accounts/groups/groups.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { closeCircuits } from '../../lib/features/hooks/circuits.ts'
import { permissions } from '../../lib/kernel/contract/permissions.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { misbehaviors, startHookFunctions } from '../support/hook-functions.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { openSignUpWays, type SignUpWay } from '../support/sign-up-ways.ts'
import { useService } from '../support/use-service.ts'

/* The function `beforeSignUp` of a product: who gets an account, and with what. It decides after the proof, and before anything is written. */

const rightsOf = (permission: string) => `rights of ${permission}`
const groups = [
  ...['Customers', 'Partners', 'Nobody knows'],
  ...Object.keys(permissions).map(rightsOf),
  'many rights',
]
const attributes = ['plan', 'seats', 'nickname', 'texts', 'unknown']
const functions = closeAfterTests(await startHookFunctions())
const service = await useService({
  ...functions.settingsFor({ beforeSignUp: { timeoutMs: 400, groups, attributes } }),
  ALLOW_PRIVATE_METADATA: 'true',
  RATE_LIMITS:
    'samlStarts=100000/60,signUpsPerAddress=100000/60,refusedAnswers=100000/60,refusedSignUps=40/3600,providerSignUpsPerNetwork=100000/60,signUpsPerDomain=100000/60,invitationsPerOrganization=100000/60,invitationsPerInviter=100000/60',
})
const { table } = service.services
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const must = async (answer: Promise<Answer>) => {
  const { status, text, body } = await answer
  if (status >= 300) throw new Error(text)
  return body
}
const addGroup = (name: string, given: readonly string[]) =>
  must(call('POST', 'groups', { name, permissions: given, members: [] }))
await addGroup('Customers', ['films:watch'])
await addGroup('Partners', [])
await addGroup('Secret', [])
for (const permission of Object.keys(permissions)) await addGroup(rightsOf(permission), [permission])
await addGroup('many rights', ['films:watch', 'users:view'])
await must(
  call('PUT', 'system/user-attributes', {
    attributes: [
      { name: 'plan', type: 'text', values: ['free', 'pro'], user_access: 'read' },
      { name: 'seats', type: 'number', user_access: 'none' },
      { name: 'nickname', type: 'text', user_access: 'write', is_searchable: true },
      { name: 'texts', type: 'texts' },
      { name: 'hidden', type: 'text' },
    ],
  }),
)
const ways = await openSignUpWays(service, admin)
const [byEmail] = ways
if (!byEmail) throw new Error('there are no ways')

const accept = { decision: 'accept' }
beforeEach(() => {
  closeCircuits()
  functions.answer(accept)
  functions.questions.length = 0
})

const listEvents = async (name: string) => (await readAuditItems(table)).filter(({ event }) => event === name)
const countUsers = async () => (await listEvents('user.created')).length
const newest = async () => {
  const user = (await listEvents('user.created')).at(-1)?.['user']
  const body = await must(call('GET', `users/${user}`))
  return { body, record: await findUser(table, Number(user)) }
}
const namesOf = async (record: { readonly groups: readonly number[] } | undefined) =>
  (await findGroups(table, record?.groups ?? [])).map(({ name }) => name).sort()
const isDone = ({ status }: Answer, { isPage }: SignUpWay) => status === (isPage ? 303 : 200)

describe.each(ways)('an account that begins with $name', (way) => {
  it('is asked about once, after the proof, and with nothing secret', async () => {
    const { email, send } = await way.begin()
    expect(functions.questions).toEqual([])
    const before = await countUsers()
    const answer = await send()
    expect(isDone(answer, way), answer.text).toBe(true)
    expect(await countUsers()).toBe(before + 1)
    const isOfConnection = way.isPage
    expect(functions.questions).toEqual([
      {
        ...{ version: 1, hook: 'beforeSignUp', invocation_id: expect.stringMatching(/^[\da-f-]{36}$/) },
        way: way.way,
        account: expect.objectContaining({ email, attributes: {}, email_verified: way.way !== 'company' }),
        connection: isOfConnection ? { id: expect.any(String), name: expect.any(String) } : null,
        organization:
          way.way === 'invitation'
            ? expect.objectContaining({ name: 'Acme Studios', external_id: null })
            : null,
        request: { address: expect.any(String), country: null, user_agent: expect.any(String) },
      },
    ])
    expect(JSON.stringify(functions.questions)).not.toMatch(/lk[a-z]_|token|password|secret/)
  })

  it('gets the groups and attributes that the function gives', async () => {
    functions.answer({
      ...accept,
      groups: ['customers', 'Partners'],
      attributes: { plan: 'pro', seats: 3, nickname: 'Amazing', texts: ['a', 'b'] },
    })
    const { send } = await way.begin()
    await send()
    const { body, record } = await newest()
    expect(await namesOf(record)).toEqual(['Customers', 'Partners'])
    expect(body.effective_permissions).toEqual(['films:watch'])
    expect(
      Object.values(JSON.parse(record?.attributes ?? '{}'))
        .map(String)
        .sort(),
    ).toEqual(['pro', '3', 'Amazing', 'a,b'].sort())
    expect(functions.questions).toHaveLength(1)
  })

  it('does not begin when the function refuses, and can begin later', async () => {
    functions.answer({ decision: 'refuse', message: 'Only customers get an account.' })
    const { send } = await way.begin()
    const before = [await countUsers(), (await listEvents('hook.refused')).length]
    const answer = await send()
    expect(answer.status).toBe(403)
    if (way.isPage) expect(answer.text).toContain('Only customers get an account.')
    else
      expect(answer.body).toMatchObject({
        reason: 'sign_up_refused',
        refusal: 'Only customers get an account.',
      })
    expect(answer.cookies.filter((cookie) => cookie.includes('lks_'))).toEqual([])
    expect([await countUsers(), (await listEvents('hook.refused')).length]).toEqual([
      before[0],
      Number(before[1]) + 1,
    ])
    functions.answer(accept)
    expect(isDone(await send(), way)).toBe(true)
    expect(await countUsers()).toBe(Number(before[0]) + 1)
  })

  it('says so in words of the service if the function has none', async () => {
    functions.answer({ decision: 'refuse' })
    const { send } = await way.begin()
    const answer = await send()
    expect(answer.status).toBe(403)
    if (way.isPage) expect(answer.text).toContain('No account was created for you.')
    else expect(answer.body.refusal).toBeUndefined()
  })

  it.each(Object.entries(misbehaviors))(
    'does not begin when the function %s, and begins later',
    async (_, respond) => {
      const { send } = await way.begin()
      const before = await countUsers()
      functions.behave(respond)
      const failed = await send()
      expect(failed.status).toBe(503)
      if (!way.isPage) expect(failed.body.reason).toBe('hook_failed')
      expect(failed.headers.get('retry-after')).toBe('5')
      expect(functions.questions).toHaveLength(1)
      expect(await countUsers()).toBe(before)
      functions.answer(accept)
      expect(isDone(await send(), way)).toBe(true)
      expect(await countUsers()).toBe(before + 1)
    },
  )

  it('begins once, however many requests begin it at the same time', async () => {
    functions.answer({ ...accept, groups: ['Customers'] })
    const { send } = await way.begin()
    const before = await countUsers()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()))
    expect(answers.filter(({ status }) => status === 500)).toEqual([])
    expect(await countUsers()).toBe(before + 1)
    expect(functions.questions.length).toBeLessThanOrEqual(10)
  })
})

const forged: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    Object.keys(permissions).map((permission) => [
      `a group with ${permission}`,
      { groups: ['Customers', rightsOf(permission)] },
    ]),
  ),
  'a group with one right of many': { groups: ['many rights'] },
  'a group outside of the list': { groups: ['Secret'] },
  'a group that does not exist': { groups: ['Nobody knows'] },
  'a group twice': { groups: ['Customers', 'CUSTOMERS'] },
  'groups that are no list': { groups: { 0: 'Customers' } },
  'a group by its number': { groups: [1] },
  'an attribute outside of the list': { attributes: { hidden: 'x' } },
  'an attribute that does not exist': { attributes: { unknown: 'x' } },
  'a built-in name': { attributes: { constructor: 'x' } },
  'another type': { attributes: { seats: '3' } },
  'another value than those of the attribute': { attributes: { plan: 'enterprise' } },
  'a value that removes': { attributes: { plan: null } },
  'an object': { attributes: { texts: { 0: 'x' } } },
  'attributes that are a list': { attributes: ['plan'] },
  'a text that is too long': { attributes: { nickname: 'x'.repeat(256) } },
  'texts that are too many': { attributes: { texts: Array.from({ length: 51 }, () => 'x') } },
  '5 KB': { attributes: { texts: Array.from({ length: 25 }, () => 'x'.repeat(200)) } },
  permissions: { permissions: ['system:admin-access'] },
  'another address': { email: 'root@example.com' },
  'another subject': { sub: '1' },
  'a proved address': { email_verified: true },
  'a proved phone number': { phone_number_verified: true },
  'another username': { preferred_username: 'root', username: 'root' },
  'an audience and a level': { aud: 'films', acr: 'mfa' },
  'roles of an organization': { organization: { id: '1', roles: ['owner'] } },
  'a message': { message: 'Welcome.' },
  'another account': { user: { id: 1 } },
}

describe('a function that gives', () => {
  it.each(Object.entries(forged))('%s gives nothing at all, and no account', async (_, given) => {
    const { send } = await byEmail.begin()
    const before = await countUsers()
    functions.answer({ ...accept, ...given })
    const failed = await send()
    expect([failed.status, failed.body.reason]).toEqual([503, 'hook_failed'])
    expect(await countUsers()).toBe(before)
    functions.answer(accept)
    await send()
    const { body } = await newest()
    expect([body.groups, body.permissions, body.attributes]).toEqual([[], [], []])
  })

  it.each([
    ['with a group', { groups: ['Customers'] }],
    ['with an attribute', { attributes: { plan: 'pro' } }],
    ['with words that hide', { message: 'Hi\u202e\u0000' }],
    ['with too many words', { message: 'x'.repeat(301) }],
  ])('a refusal %s is no answer', async (_, given) => {
    const { send } = await byEmail.begin()
    functions.answer({ decision: 'refuse', ...given })
    expect((await send()).body.reason).toBe('hook_failed')
  })

  it('a group that has rights by now gives nothing, until it has none', async () => {
    const { send } = await byEmail.begin()
    functions.answer({ ...accept, groups: ['Partners'] })
    await must(call('PATCH', `groups/${await findGroupId('Partners')}`, { permissions: ['users:view'] }))
    expect((await send()).body.reason).toBe('hook_failed')
    await must(call('PATCH', `groups/${await findGroupId('Partners')}`, { permissions: [] }))
    expect((await send()).status).toBe(200)
  })
})

const findGroupId = async (name: string) => (await findGroupIds(table, [name.toLowerCase()]))[0]

describe('somebody who is refused again and again', () => {
  it('has to wait, and costs the product nothing any more', async () => {
    const { send } = await byEmail.begin()
    functions.answer({ decision: 'refuse' })
    const seen: number[] = []
    for (let count = 0; count < 50; count++) seen.push((await send()).status)
    expect(seen.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 403))
    expect(seen.slice(40)).toEqual(Array.from({ length: 10 }, () => 429))
    expect(functions.questions.length).toBeLessThanOrEqual(41)
    const other = await byEmail.begin()
    functions.answer(accept)
    expect((await other.send()).status).toBe(200)
  })
})

describe('an account that takes approval', () => {
  const approve = async (email: string) => {
    const waiting = await must(call('GET', 'sign-up-requests'))
    const { id } = waiting.find((request: { email: string }) => request.email === email)
    return call('POST', `sign-up-requests/${id}/approve`)
  }
  const asking = async (mode: string) =>
    must(call('PUT', 'system/sign-up-policy', { mode, ...(mode === 'approval' && { approvers: [] }) }))

  it('is asked about before it waits, and gets what the function gave then', async () => {
    await asking('approval')
    const [refused, given, privileged] = [await byEmail.begin(), await byEmail.begin(), await byEmail.begin()]
    functions.answer({ decision: 'refuse', message: 'No.' })
    expect((await refused.send()).body.refusal).toBe('No.')
    expect(await must(call('GET', 'sign-up-requests'))).toEqual([])
    functions.answer({ ...accept, groups: ['Customers', 'Partners'], attributes: { plan: 'free' } })
    for (const { send } of [given, privileged])
      expect((await send()).body).toEqual({ invitation_token: null })
    functions.questions.length = 0
    expect((await approve(given.email)).status).toBe(200)
    const { body, record } = await newest()
    expect([await namesOf(record), body.attributes]).toEqual([
      ['Customers', 'Partners'],
      [{ name: 'plan', value: 'free' }],
    ])
    await must(call('PATCH', `groups/${await findGroupId('Partners')}`, { permissions: ['users:manage'] }))
    expect((await approve(privileged.email)).status).toBe(200)
    expect(await namesOf((await newest()).record)).toEqual(['Customers'])
    expect(functions.questions).toEqual([])
    await must(call('PATCH', `groups/${await findGroupId('Partners')}`, { permissions: [] }))
    await asking('open')
  })
})

describe('a failure', () => {
  it('is recorded without a person, and opens the circuit after five people', async () => {
    functions.answer(accept)
    await (await byEmail.begin()).send()
    const people = [
      await byEmail.begin(),
      await byEmail.begin(),
      await byEmail.begin(),
      await byEmail.begin(),
    ]
    const [one] = people
    functions.behave(misbehaviors['was deleted'] ?? (() => {}))
    for (let count = 0; count < 7; count++) expect((await one?.send())?.status).toBe(503)
    for (const { send } of people) expect((await send()).status).toBe(503)
    const asked = functions.questions.length
    functions.answer(accept)
    expect((await people[1]?.send())?.status).toBe(200)
    functions.behave(misbehaviors['was deleted'] ?? (() => {}))
    const others = [await byEmail.begin(), await byEmail.begin()]
    for (const { send } of others) expect((await send()).status).toBe(503)
    functions.answer(accept)
    for (const { send } of others) expect((await send()).status).toBe(503)
    expect(functions.questions.length).toBeLessThan(asked + 5)
    const events = (await listEvents('hook.failed')).filter(({ target }) => target === 'beforeSignUp')
    expect(events).toContainEqual(expect.objectContaining({ outcome: 'status', user: null }))
    expect(events).toContainEqual(expect.objectContaining({ outcome: 'circuit', user: null }))
  })
})

const dayCount = Number(process.env['HOOK_SIGN_INS'] ?? 100)

it('the sign-ups of a normal day, while the function misbehaves in turn, end as promised', {
  timeout: 60_000 + dayCount * 200,
}, async () => {
  const responders = Object.values(misbehaviors)
  functions.behave((question, response) => {
    const at = functions.questions.length % (responders.length + 1)
    return (responders[at] ?? (() => response.end(JSON.stringify(accept))))(question, response)
  })
  const seen = new Set<string>()
  const before = await countUsers()
  let accounts = 0
  const together = [ways, ways, ways, ways].flat()
  for (let at = 0; at < dayCount; at += together.length) {
    closeCircuits()
    const answers = await Promise.all(
      together.map(async (way) => ({ way, answer: await (await way.begin()).send() })),
    )
    for (const { way, answer } of answers) {
      if (isDone(answer, way)) accounts++
      seen.add(isDone(answer, way) ? 'account' : String(answer.status))
    }
  }
  expect([...seen].sort()).toEqual(['503', 'account'])
  expect(await countUsers()).toBe(before + accounts)
})
