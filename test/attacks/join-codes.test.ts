import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { organizationInvitationKey } from '../../lib/kernel/table/keys/organization-keys.ts'
import {
  type JoinRequest,
  joinWithCode,
  listMailedCodes,
  receiveJoinCode,
  requestJoinCode,
} from '../support/join-codes.ts'
import {
  acceptShown,
  addOrganization,
  inviteMember,
  newPersonAddress,
  type OwnedOrganization,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, type SignedInPerson } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'

/*
 * Somebody who has a session of an account, but not the mailbox of its address any more, wants to become a member of an organization that
 * invited the address.
 */

vi.useFakeTimers({ toFake: ['Date'] })
// Requests for sign-in codes above half of a limit would need a proof of work.
const service = await useService({
  PROOF_OF_WORK: 'false',
  RATE_LIMITS: 'invitationsPerRecipientAndOrganization=50/3600',
})
const { table } = service.services
afterAll(() => vi.useRealTimers())
const staff = await addSignedIn(service, { permissions: ['organizations:manage', 'system:admin-access'] })
const organization = await addOrganization(service, staff)
const asStaff = callAs(service, staff)
const startedAt = Date.now()
afterEach(() => {
  vi.setSystemTime(startedAt)
})

interface Invited {
  readonly person: SignedInPerson
  readonly id: number
  readonly token: string
}

const addInvited = async (
  by: OwnedOrganization = organization,
  { roles = ['member'] }: { readonly roles?: readonly string[] } = {},
): Promise<Invited> => {
  const person = await addSignedIn(service, { email: newPersonAddress() })
  const invited = { email: person.user.email ?? '', roles }
  return { person, ...(await inviteMember(service, by, by.owner, invited)) }
}
const otherCode = (code: string) => `${(Number(code[0]) + 1) % 10}${code.slice(1)}`
const wrongCode = { status: 400, body: { code: 'invalid_token', reason: 'email_code_invalid' } }
const notFound = { status: 404, body: { code: 'not_found' } }
const organizationsOf = async (person: SignedInPerson) =>
  (await callAs(service, person)('GET', 'users/me/organizations')).body

describe('a code to join', () => {
  it('joins once for 100 requests at the same time, and never again', async () => {
    const { person, id } = await addInvited()
    const request = await receiveJoinCode(service, person, id)
    const before = (await asStaff('GET', `organizations/${organization.id}`)).body.member_count
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => joinWithCode(service, person.bearer, id, request)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect((await asStaff('GET', `organizations/${organization.id}`)).body.member_count).toBe(before + 1)
    expect(await joinWithCode(service, person.bearer, id, request)).toMatchObject(notFound)
    const again = await inviteMember(service, organization, organization.owner, {
      email: person.user.email ?? '',
    })
    expect(await joinWithCode(service, person.bearer, again.id, request)).toMatchObject(wrongCode)
    await callAs(service, person)('DELETE', `users/me/organizations/${organization.id}`)
    expect(await joinWithCode(service, person.bearer, again.id, request)).toMatchObject(wrongCode)
  })

  it('cannot be guessed more than 5 times, not even by the right code afterwards', async () => {
    const { person, id } = await addInvited()
    const request = await receiveJoinCode(service, person, id)
    const guess = { ...request, code: otherCode(request.code) }
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => joinWithCode(service, person.bearer, id, guess)),
    )
    for (const one of guesses) expect(one).toMatchObject(wrongCode)
    expect(await joinWithCode(service, person.bearer, id, request)).toMatchObject(wrongCode)
    const query = `auth/audit-events?user=${person.user.id}&event=email_code.refused`
    expect((await asStaff('GET', query)).body[0]).toMatchObject({
      ...{ actor: person.user.id, outcome: 'email_code_invalid', target: `organization_invitation ${id}` },
    })
  })

  it('works only for its own request, invitation and person', async () => {
    const [ann, bob] = [await addInvited(), await addInvited()]
    const other = await addOrganization(service, staff)
    const second = await inviteMember(service, other, other.owner, { email: ann.person.user.email ?? '' })
    const ofAnn = await receiveJoinCode(service, ann.person, ann.id)
    const ofBob = await receiveJoinCode(service, bob.person, bob.id)
    const ofSecond = await receiveJoinCode(service, ann.person, second.id)
    const join = (person: SignedInPerson, id: number, request: JoinRequest) =>
      joinWithCode(service, person.bearer, id, request)
    expect(await join(ann.person, ann.id, { ...ofAnn, code: ofBob.code })).toMatchObject(wrongCode)
    expect(await join(ann.person, ann.id, { ...ofAnn, request_id: 'unknown' })).toMatchObject(wrongCode)
    expect(await join(bob.person, bob.id, ofAnn)).toMatchObject(wrongCode)
    expect(await join(ann.person, ann.id, { ...ofSecond, shown: ofAnn.shown })).toMatchObject(wrongCode)
    expect(await join(bob.person, ann.id, ofAnn)).toMatchObject(notFound)
    expect(await requestJoinCode(service, bob.person.bearer, ann.id)).toMatchObject(notFound)
    const unseen = await join(ann.person, ann.id, { ...ofAnn, shown: ofSecond.shown })
    expect(unseen).toMatchObject({ status: 409, body: { reason: 'decision_changed' } })
    expect((await join(ann.person, ann.id, ofAnn)).status).toBe(200)
  })

  it('signs nobody in, and a sign-in code does not join', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const { person, id } = await addInvited()
    const { request_id, code, shown } = await receiveJoinCode(service, person, id)
    const login = await service.client('POST', '/api/2/auth/email-code/login', { body: { request_id, code } })
    expect([login.status, login.body.reason]).toEqual([401, 'email_code_invalid'])
    const before = listMailedCodes(service, person.user.email).length
    const asked = await service.client('POST', '/api/2/auth/email-code', {
      body: { username: person.user.username },
    })
    const codes = await waitFor(() => {
      const found = listMailedCodes(service, person.user.email)
      if (found.length === before) throw new Error('no code arrived')
      return found
    })
    const signIn = { request_id: asked.body.request_id, code: codes.at(-1) ?? '', shown }
    expect(await joinWithCode(service, person.bearer, id, signIn)).toMatchObject(wrongCode)
    expect((await joinWithCode(service, person.bearer, id, { request_id, code, shown })).status).toBe(200)
  })

  it.each<[string, object, (invited: Invited, by: OwnedOrganization) => Promise<unknown>]>([
    ['10 minutes', wrongCode, async () => vi.setSystemTime(Date.now() + 10 * 60_000)],
    [
      'the invitation expired',
      notFound,
      ({ id }) =>
        table.update(organizationInvitationKey(id), (x) => ({
          set: [`${x.path('expiresAt')} = ${x.value(Date.now())}`],
        })),
    ],
    [
      'the invitation was revoked',
      notFound,
      ({ id }, by) => callAs(service, by.owner)('DELETE', `${by.path}/${id}`),
    ],
    [
      'the invitation was declined',
      notFound,
      ({ person, id }) => callAs(service, person)('DELETE', `users/me/organization-invitations/${id}`),
    ],
    [
      'the invitation was sent again',
      wrongCode,
      ({ id }, by) => callAs(service, by.owner)('POST', `${by.path}/${id}/resend`),
    ],
    [
      'the person joined with the link',
      notFound,
      ({ person, token }) => acceptShown(service, person.bearer, token),
    ],
    ['the organization was deleted', notFound, (_, { id }) => asStaff('DELETE', `organizations/${id}`)],
    [
      'the organization was suspended',
      { status: 409, body: { reason: 'organization_suspended' } },
      (_, { id }) => asStaff('PATCH', `organizations/${id}`, { state: 'suspended' }),
    ],
    [
      'the organization was renamed',
      { status: 409, body: { reason: 'decision_changed' } },
      (_, { id }) => asStaff('PATCH', `organizations/${id}`, { name: 'Other Studios' }),
    ],
    [
      'the organization was full',
      { status: 409, body: { reason: 'member_limit_reached' } },
      (_, { id }) => asStaff('PATCH', `organizations/${id}`, { member_limit: 1 }),
    ],
    [
      'the inviter was disabled',
      { status: 409, body: { reason: 'inviter_changed' } },
      (_, { owner }) => asStaff('PATCH', `users/${owner.user.id}`, { is_enabled: false }),
    ],
    [
      'the account was disabled',
      { status: 401 },
      ({ person }) => asStaff('PATCH', `users/${person.user.id}`, { is_enabled: false }),
    ],
    [
      'the address changed',
      notFound,
      async ({ person }) => {
        const email = newPersonAddress()
        const user = await findUser(table, person.user.id)
        if (user) await editUser(table, user, { email, normalizedEmail: email })
      },
    ],
    [
      'the address was confirmed no more',
      notFound,
      async ({ person }) => {
        const user = await findUser(table, person.user.id)
        if (user) await editUser(table, user, { emailVerified: false, verifiedBy: undefined })
      },
    ],
  ])('is refused after %s', async (_, refusal, change) => {
    const by = await addOrganization(service, staff)
    const invited = await addInvited(by)
    const { person, id } = invited
    const request = await receiveJoinCode(service, person, id)
    await change(invited, by)
    expect(await joinWithCode(service, person.bearer, id, request)).toMatchObject(refusal)
  })

  it('does not outlive a change of how the person signs in', async () => {
    const { person, id } = await addInvited()
    const request = await receiveJoinCode(service, person, id)
    const { password } = person
    const changed = await callAs(service, person)('POST', 'users/me/password', {
      ...{ current_password: password, password: 'zebra-lamp-4q-mox' },
    })
    expect(changed.status, changed.text).toBeLessThan(300)
    const answer = await joinWithCode(service, changed.body?.session_key ?? person.bearer, id, request)
    expect([400, 401]).toContain(answer.status)
    expect(await asStaff('GET', `users/${person.user.id}/organizations`)).toMatchObject({ body: [] })
  })

  it('joins an organization whose rules the sign-in does not meet, without rights there', async () => {
    const by = await addOrganization(service, staff)
    const { person, id } = await addInvited(by, { roles: ['admin'] })
    const request = await receiveJoinCode(service, person, id)
    await asStaff('PATCH', `organizations/${by.id}`, { requires_second_factor: true })
    const joined = await joinWithCode(service, person.bearer, id, request)
    expect(joined.body).toMatchObject({ permissions: [], sign_in_url: expect.stringContaining('factors=2') })
    const invited = { email: newPersonAddress(), roles: ['member'] }
    expect((await callAs(service, person)('POST', by.path, invited)).status).toBe(403)
  })

  it('makes no owner: that takes the link', async () => {
    const { person, id, token } = await addInvited(organization, { roles: ['member', 'owner'] })
    const listed = await callAs(service, person)('GET', 'users/me/organization-invitations')
    expect(listed.body).toMatchObject([{ id, requires_link: true }])
    const refusal = { status: 403, body: { reason: 'link_required' } }
    expect(await requestJoinCode(service, person.bearer, id)).toMatchObject(refusal)
    const made = { request_id: 'x'.repeat(32), code: '12345678', shown: 'x'.repeat(43) }
    expect(await joinWithCode(service, person.bearer, id, made)).toMatchObject(refusal)
    expect((await acceptShown(service, person.bearer, token)).status).toBe(200)
  })

  it('is for the person: not for an impersonator, and not for an API token', async () => {
    const { person, id } = await addInvited()
    const request = await receiveJoinCode(service, person, id)
    const token = await callAs(service, person)('POST', 'api-tokens', { name: 'Robot' })
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const started = await callAs(service, admin)('POST', 'auth/impersonation', { user: person.user.id })
    expect(started.status, started.text).toBeLessThan(300)
    for (const bearer of [token.body.token, admin.bearer]) {
      expect((await requestJoinCode(service, bearer, id)).status).toBe(403)
      expect((await joinWithCode(service, bearer, id, request)).status).toBe(403)
    }
    expect(await organizationsOf(person)).toEqual([])
  })

  it.each([
    [{}],
    [{ request_id: ['a'], code: '12345678', shown: 'x'.repeat(43) }],
    [{ request_id: 'a', code: '1'.repeat(65), shown: 'x'.repeat(43) }],
    [{ request_id: '__proto__', code: 'constructor', shown: '' }],
  ])('gets a clear refusal for the body %#', async (body) => {
    const { person, id } = await addInvited()
    const path = `/api/2/users/me/organization-invitations/${id}/join`
    expect((await service.client('POST', path, { bearer: person.bearer, body })).status).toBe(400)
  })
})

it('sends 5 codes an hour to an account, also for several invitations', async () => {
  const { person, id } = await addInvited()
  const other = await addOrganization(service, staff)
  const second = await inviteMember(service, other, other.owner, { email: person.user.email ?? '' })
  for (const one of [id, second.id, id, second.id, id])
    expect((await requestJoinCode(service, person.bearer, one)).status).toBe(200)
  const refused = await requestJoinCode(service, person.bearer, second.id)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
