import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer, JsonValue } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn, signIn } from '../support/people.ts'
import {
  addProvider,
  patchProvider,
  sessionOf,
  startSignIn,
  userOfSession,
  vouchForDomains,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'
import { addressOperations } from '../support/watch-sign-in-decisions.ts'

/*
 * People of a company that requires its own sign-in leave it if their account gets another address, or one that is not
 * confirmed. Every operation that changes an address, by each who is not an administrator.
 */

const domain = 'required.example'
const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  RATE_LIMITS: 'emailConfirmationsPerRecipient=50/3600,accountFailures=500/600,addressFailures=500/600',
})
const provider = await addProvider(service, await makeIdp())
await vouchForDomains(service, provider, [domain])
const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })

/** Holds a permission that the other manager lacks. */
const richer = await addSignedIn(service, { permissions: ['users:manage', 'users:view', 'billing:refund'] })

const call = (bearer: string | undefined, method: string, path: string, body?: object): Promise<Answer> =>
  service.client(method, `/api/2/${path}`, { ...(bearer ? { bearer } : {}), body })
const expectDone = async (request: Promise<Answer>): Promise<JsonValue> => {
  const answer = await request
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const asAdmin = (method: string, path: string, body?: object) =>
  expectDone(call(provider.admin, method, path, body))

const password = 'violet tractor under nine moons'
const newAddress = (at = domain) => `${randomUUID()}@${at}`
const require = (isRequired: boolean) =>
  patchProvider(service, provider, { required_for_domains: isRequired })
const confirm = async (email: string, bearer?: string) => {
  const token = await readMailedToken(service, email, 'confirm')
  await expectDone(call(bearer, 'POST', 'auth/confirm-email', { token }))
}

/** Someone of the company with a password and a session of before. */
interface Employee {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly bearer: string
}
const addEmployee = async (): Promise<Employee> => {
  const person = await addPerson(service, { email: newAddress() }, password)
  const { id, username, email } = person.user
  return { id, username, email: email ?? '', bearer: await signIn(service, person) }
}
/** Someone whose address a manager set, with a group that has a permission which the manager lacks. */
const addManaged = async (): Promise<Employee> => {
  const email = newAddress()
  const fields = { username: `made-${randomUUID()}`, permissions: [], groups: [], email }
  const { id, username } = await expectDone(call(manager.bearer, 'POST', 'users', fields))
  await confirm(email)
  await expectDone(call(manager.bearer, 'POST', `users/${id}/password`, { password }))
  const { body } = await call(undefined, 'POST', 'auth/login', { username, password })
  const group = { name: randomUUID(), permissions: ['billing:refund'], members: [{ id }] }
  await asAdmin('POST', 'groups', group)
  return { id, username, email, bearer: body.session_key }
}
/** Someone who moved from another address to that of the company. */
const addMoved = async (): Promise<Employee & { readonly earlier: string }> => {
  const earlier = newAddress('private.example')
  const person = await addPerson(service, { email: earlier }, password)
  const bearer = await signIn(service, person)
  const email = newAddress()
  await expectDone(call(bearer, 'POST', 'users/me/email', { email }))
  await confirm(email, bearer)
  return { id: person.user.id, username: person.user.username, email, bearer, earlier }
}

interface Way {
  readonly operation: string
  readonly name: string
  /** While the company does not require its sign-in. */
  readonly add: () => Promise<Employee>
  readonly change: (employee: Employee) => Promise<Answer>
}
const elsewhere = () => newAddress('private.example')
const replace = async (bearer: string, { id, username }: Employee, email: string | null) => {
  const { permissions, groups } = await asAdmin('GET', `users/${id}`)
  return call(bearer, 'PUT', `users/${id}`, { username, permissions, groups, email })
}

let waiting = ''
const ways: readonly Way[] = [
  {
    ...{ operation: 'patch_user', name: 'another address', add: addEmployee },
    change: ({ id }) => call(manager.bearer, 'PATCH', `users/${id}`, { email: elsewhere() }),
  },
  {
    ...{ operation: 'patch_user', name: 'another address of the company', add: addEmployee },
    change: ({ id }) => call(manager.bearer, 'PATCH', `users/${id}`, { email: newAddress() }),
  },
  {
    ...{ operation: 'patch_user', name: 'no address', add: addEmployee },
    change: ({ id }) => call(manager.bearer, 'PATCH', `users/${id}`, { email: null }),
  },
  {
    ...{
      operation: 'patch_user',
      name: 'a permission, which makes the address unconfirmed',
      add: addManaged,
    },
    change: ({ id }) => call(richer.bearer, 'PATCH', `users/${id}`, { permissions: ['billing:refund'] }),
  },
  {
    ...{ operation: 'update_user', name: 'another address', add: addEmployee },
    change: (employee) => replace(manager.bearer, employee, elsewhere()),
  },
  {
    ...{ operation: 'update_user', name: 'no address', add: addEmployee },
    change: (employee) => replace(manager.bearer, employee, null),
  },
  {
    ...{ operation: 'set_user_password', name: 'a new start', add: addManaged },
    change: ({ id }) => call(richer.bearer, 'POST', `users/${id}/password`, { password }),
  },
  {
    ...{ operation: 'link_user_company_account', name: 'a new start', add: addManaged },
    change: ({ id }) =>
      call(richer.bearer, 'POST', `users/${id}/company-accounts`, {
        provider: provider.id,
        name: randomUUID(),
      }),
  },
  {
    ...{ operation: 'change_own_email', name: 'another address', add: addEmployee },
    change: ({ bearer }) => call(bearer, 'POST', 'users/me/email', { email: elsewhere() }),
  },
  {
    ...{ operation: 'confirm_email', name: 'a link of before' },
    add: async () => {
      const employee = await addEmployee()
      const email = elsewhere()
      await expectDone(call(employee.bearer, 'POST', 'users/me/email', { email }))
      waiting = await readMailedToken(service, email, 'confirm')
      return employee
    },
    change: ({ bearer }) => call(bearer, 'POST', 'auth/confirm-email', { token: waiting }),
  },
]

/** Operations that only administrators can use, who move accounts. */
const ofAdministrators = ['merge_user']
/** Directories move people inside the domains of their connection, and never away from another one: see `test/scim`. */
const ofDirectories = ['create_scim_resource', 'replace_scim_resource', 'change_scim_resource']

it('each operation that changes an address is tried', () => {
  const tried = new Set([
    ...ways.map(({ operation }) => operation),
    'report_change',
    ...ofAdministrators,
    ...ofDirectories,
  ])
  expect([...tried].sort()).toEqual([...addressOperations].sort())
})

const expectInside = async ({ id, username, email }: Employee) => {
  expect(await asAdmin('GET', `users/${id}`)).toMatchObject({ email, email_verified: true })
  const { status, body } = await call(undefined, 'POST', 'auth/login', { username, password })
  expect(status === 200 ? 'signed in' : body.reason).toMatch(/^(?:sso_required|invalid_credentials)$/)
}

/** A session of before is too little of a proof for some changes. */
const refusals = ['sso_required', 'reauthentication_required']

describe('someone whose company requires its sign-in', () => {
  it.each(ways)('does not leave it by $operation with $name', async ({ add, change }) => {
    await require(false)
    const employee = await add()
    await require(true)
    const answer = await change(employee)
    expect(answer.status, answer.text).toBe(403)
    expect(refusals).toContain(answer.body.reason)
    await expectInside(employee)
  })

  it('does not leave it as a user manager of the company', async () => {
    await require(false)
    const person = await addSignedIn(service, { email: newAddress(), permissions: ['users:manage'] })
    await require(true)
    for (const email of [elsewhere(), null]) {
      const { status, body } = await call(person.bearer, 'PATCH', `users/${person.user.id}`, { email })
      expect(status).toBe(403)
      expect(refusals).toContain(body.reason)
    }
  })

  it('keeps the address when they report a change, and all else is undone', async () => {
    await require(false)
    const moved = await addMoved()
    await require(true)
    const token = await readMailedToken(service, moved.earlier, 'secure')
    const answer = await call(undefined, 'POST', 'auth/security-report', { token })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.email_restored).toBe(false)
    expect((await call(moved.bearer, 'GET', 'users/me')).status).toBe(401)
    await expectInside(moved)
    // Who took the account with an address of the company does not get it by that address.
    const { browser, target } = await startSignIn(service, provider)
    const facts = { nameId: randomUUID(), attributes: { email: [moved.email] } }
    const { form } = await provider.idp.answer(target, facts)
    const session = sessionOf(await browser.post(target.acsUrl, form))
    expect(await userOfSession(service, session ?? '')).toBeUndefined()
  })

  it('gets an earlier address back where the company does not require its sign-in', async () => {
    await require(false)
    const moved = await addMoved()
    const token = await readMailedToken(service, moved.earlier, 'secure')
    expect((await call(undefined, 'POST', 'auth/security-report', { token })).body.email_restored).toBe(true)
  })

  it('is moved by an administrator', async () => {
    await require(false)
    const [patched, replaced] = [await addEmployee(), await addEmployee()]
    await require(true)
    const [first, second] = [elsewhere(), elsewhere()]
    await asAdmin('PATCH', `users/${patched.id}`, { email: first })
    expect((await replace(provider.admin, replaced, second)).status).toBe(200)
    for (const { username } of [patched, replaced])
      expect((await call(undefined, 'POST', 'auth/login', { username, password })).status).toBe(200)
  })
})
