import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TableCall } from '../infra/dynamodb-proxy.ts'
import type { Answer } from '../support/client.ts'
import { newId } from '../support/idp/xml.ts'
import { makeIdp } from '../support/idp.ts'
import { addPerson } from '../support/people.ts'
import { expectPlainRefusal } from '../support/refusals.ts'
import {
  addProvider,
  countSessions,
  itemsIn,
  sessionOf,
  signInByConnection,
  startSignIn,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { useWatchedService } from '../support/watched-table.ts'

/* What changes between the table calls of a SAML response counts for it, and each assertion counts once. */

const service = await useWatchedService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())
afterEach(() => service.restore())

/** The read of the user, after the read of who has the name. */
const isReadOfUser = ({ action, input }: TableCall): boolean =>
  action === 'BatchGetItem' && JSON.stringify(input).includes('"company-account#')
const isLastWrite = ({ action }: TableCall): boolean => action === 'TransactWriteItems'

/** A user of the provider, who has signed in before, and the response to their next sign-in. */
const addUser = async () => {
  const nameId = `${randomUUID()}@example.com`
  const { session } = await signInByConnection(service, provider, { nameId })
  const id = await userOfSession(service, session)
  const { browser, target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target, { nameId })
  const post = (): Promise<Answer> => browser.post(target.acsUrl, form)
  return { id, nameId, path: `/api/2/users/${id}`, post }
}

const request = async (method: string, path: string, body?: object) => {
  const answer = await service.client(method, path, { bearer: provider.admin, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}

describe('a SAML response signs no one in to a user', () => {
  it.each([
    { when: 'before they are read', isMatch: isReadOfUser },
    { when: 'before the session is stored', isMatch: isLastWrite },
  ])('whose account was removed just $when', async ({ isMatch }) => {
    const { id, path, post } = await addUser()
    const [account] = await request('GET', `${path}/company-accounts`)
    service.justBefore(isMatch, () => request('DELETE', `${path}/company-accounts/${account.id}`))
    const session = sessionOf(await post())
    service.restore()
    expect(await request('GET', `${path}/company-accounts`)).toEqual([])
    expect(session && (await userOfSession(service, session))).not.toBe(id)
  })

  it.each([
    { when: 'before they are read', isMatch: isReadOfUser },
    { when: 'before the session is stored', isMatch: isLastWrite },
  ])('who was disabled just $when', async ({ isMatch }) => {
    const { path, post } = await addUser()
    service.justBefore(isMatch, () => request('PATCH', path, { is_enabled: false }))
    const session = sessionOf(await post())
    service.restore()
    expect((await request('GET', path)).is_enabled).toBe(false)
    expect(session && (await userOfSession(service, session))).toBeUndefined()
  })
})

/** The write that connects an account by its address. */
const isLink = (call: TableCall): boolean =>
  isLastWrite(call) && JSON.stringify(call.input).includes('"linked-by-address#')

describe('a first SAML response leads to no account', () => {
  const domain = 'partner.example'
  beforeAll(() => vouchForDomains(service, provider, [domain]))

  it.each([
    { change: 'which was disabled', path: '', body: { is_enabled: false } },
    { change: 'which became an administrator', path: '', body: { permissions: ['system:admin-access'] } },
    { change: 'whose address was changed', path: '', body: { email: 'somebody@else.example' } },
    { change: 'whose group got rights', path: 'group', body: { permissions: ['users:manage'] } },
    { change: 'whose domain was removed', path: 'domain', body: undefined },
  ])('$change just before they are connected', async ({ path, body }) => {
    const group = await request('POST', '/api/2/groups', { name: randomUUID(), permissions: [], members: [] })
    const email = `${randomUUID()}@${domain}`
    const { user } = await addPerson(service, { email, groups: [group.id] })
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, { nameId: email, attributes: { email: [email] } })
    service.justBefore(isLink, () => {
      if (path === 'domain')
        return request('DELETE', `/api/2/auth/connections/${provider.id}/domains/${domain}`)
      return request(
        'PATCH',
        path === 'group' ? `/api/2/groups/${group.id}` : `/api/2/users/${user.id}`,
        body,
      )
    })
    const session = sessionOf(await browser.post(target.acsUrl, form))
    service.restore()
    expect(await request('GET', `/api/2/users/${user.id}/company-accounts`)).toEqual([])
    expect(session && (await userOfSession(service, session))).not.toBe(user.id)
    await vouchForDomains(service, provider, [domain])
    if (path === 'domain') {
      const signedIn = await signInByConnection(service, provider, { attributes: { email: [email] } })
      expect(await userOfSession(service, signedIn.session)).toBe(user.id)
    }
  })
})

describe('a new person of a company', () => {
  const domain = 'newcomers.example'
  beforeAll(() => vouchForDomains(service, provider, [domain]))

  it('gets the address that a stranger at a public provider got just before', async () => {
    const email = `${randomUUID()}@${domain}`
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, {
      nameId: randomUUID(),
      attributes: { email: [email] },
    })
    // It reads which names are free after it found nobody who has the address.
    const isReadOfNames = ({ action, input }: TableCall): boolean =>
      action === 'BatchGetItem' && JSON.stringify(input).includes(`"username#${email}`)
    let stranger = 0
    service.justBefore(isReadOfNames, async () => {
      stranger = (await addPerson(service, { email, verifiedBy: 'provider' })).user.id
    })
    const session = sessionOf(await browser.post(target.acsUrl, form))
    service.restore()
    const own = session && (await userOfSession(service, session))
    expect(stranger).toBeGreaterThan(0)
    expect(own).not.toBe(stranger)
    expect((await request('GET', `/api/2/users/${own}`)).email).toBe(email)
    expect((await request('GET', `/api/2/users/${stranger}`)).email).toBeNull()
  })
})

describe('an assertion', () => {
  it('counts once in several sign-ins at once, of a new user and of a known one', async () => {
    const nameId = `${randomUUID()}@example.com`
    for (const id of [newId(), newId()]) {
      const before = await countSessions(service)
      const sent = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const { browser, target } = await startSignIn(service, provider)
          return { browser, target, form: (await provider.idp.answer(target, { id, nameId })).form }
        }),
      )
      const answers = await Promise.all(
        sent.map(({ browser, target, form }) => browser.post(target.acsUrl, form)),
      )
      expect(answers.filter((answer) => sessionOf(answer) !== undefined)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 303))
        expectPlainRefusal(answer, 'the same assertion')
      expect(await countSessions(service)).toBe(before + 1)
    }
  })

  it('that was used creates no user and no group, even if it has another name', async () => {
    const strict = await addProvider(service, await makeIdp(), {
      auto_create_groups: true,
      auto_sync_groups: true,
      allowed_groups: ['*'],
    })
    const id = newId()
    const post = async (nameId: string, groups: readonly string[]) => {
      const { browser, target } = await startSignIn(service, strict)
      const { form } = await strict.idp.answer(target, { id, nameId, attributes: { groups } })
      return browser.post(target.acsUrl, form)
    }
    const known = `${randomUUID()}@example.com`
    expect(sessionOf(await post(known, []))).toBeDefined()
    const group = `group-${randomUUID()}`
    const stranger = `${randomUUID()}@example.com`
    expectPlainRefusal(await post(known, [group]), 'another group')
    expectPlainRefusal(await post(stranger, []), 'another name')
    expect(JSON.stringify(await request('GET', '/api/2/groups'))).not.toContain(group)
    expect(JSON.stringify(await itemsIn(service, 'user'))).not.toContain(stranger)
  })

  it('whose session was stored, but not confirmed, signs in once', async () => {
    const { id, post } = await addUser()
    const before = await countSessions(service)
    let isFirst = true
    service.loseAnswers((call) => {
      const isLost = isLastWrite(call) && isFirst
      isFirst &&= !isLost
      return isLost
    })
    const session = sessionOf(await post())
    service.restore()
    expect(session && (await userOfSession(service, session))).toBe(id)
    expect(await countSessions(service)).toBe(before + 1)
    expectPlainRefusal(await post(), 'again')
  })
})
