import { afterEach, describe, expect, it, vi } from 'vitest'
import { openInvitationsMax } from '../../lib/kernel/limits/limits.ts'
import { acceptInvitation } from '../support/invitations.ts'
import {
  accept,
  acceptShown,
  addOrganization,
  completeInvitedSignUp,
  findOffer,
  invitedPassword,
  inviteMember,
  newPersonAddress,
  readJoinToken,
  signUpInvited,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs, signIn } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'invitationsPerRecipientAndOrganization=50/3600' })
const staff = await addSignedIn(service, {
  permissions: ['organizations:manage', 'organizations:view', 'system:admin-access'],
})
await callAs(service, staff)('PUT', 'organization-roles', {
  roles: [{ key: 'editor', texts: { en: 'Editor', de: 'Redaktion' }, permissions: ['films:edit'] }],
})
const organization = await addOrganization(service, staff)
const asOwner = callAs(service, organization.owner)
const membershipsOf = async (bearer: string) =>
  (await callAs(service, { bearer })('GET', 'users/me/organizations')).body
afterEach(() => vi.useRealTimers())

describe('an invitation to an organization', () => {
  it('is emailed with the organization and the inviter, listed, and stored without the token', async () => {
    const email = newPersonAddress()
    const created = await asOwner('POST', organization.path, { email, roles: ['editor', 'editor'] })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${organization.path}/${created.body.id}`)
    expect(created.body).toMatchObject({
      email,
      roles: ['editor'],
      state: 'open',
      invited_by: organization.owner.user.id,
    })
    const token = await readJoinToken(service, email)
    const mail = await service.mailbox.mailTo(email)
    expect(mail.text).toContain(
      `“Grace Hopper” (“${organization.owner.user.email}”) invited you to the organization “Acme Studios”`,
    )
    expect(mail.text).toContain('7 days')
    const listed = await asOwner('GET', organization.path)
    expect(created.body.email_state).toBe('pending')
    expect(listed.body).toContainEqual({ ...created.body, email_state: 'sent' })
    expect(listed.text).not.toContain(token)
    expect(JSON.stringify(await readItems(service.tableName))).not.toContain(token)
  })

  it('shows a new person what they join, makes their account, and makes them a member once', async () => {
    const email = newPersonAddress()
    const { token } = await inviteMember(service, organization, organization.owner, {
      email,
      roles: ['editor'],
    })
    const offer = await findOffer(service, token)
    expect(offer.body).toMatchObject({
      organization_name: 'Acme Studios',
      email,
      roles: ['editor'],
      declared_roles: [{ key: 'editor', texts: { de: 'Redaktion' } }],
      invited_by: 'Grace Hopper',
      has_account: false,
      terms_version: null,
    })
    // A lost answer is no dead end.
    const first = (await completeInvitedSignUp(service, token)).body.invitation_token
    const again = (await completeInvitedSignUp(service, token)).body.invitation_token
    expect((await findOffer(service, token)).body.has_account).toBe(false)
    expect((await acceptInvitation(service, first, invitedPassword)).status).toBe(400)
    const session = (await acceptInvitation(service, again, invitedPassword)).body.session_key
    expect((await findOffer(service, token)).body.has_account).toBe(true)
    expect((await completeInvitedSignUp(service, token)).body.reason).toBe('account_exists')
    expect(await membershipsOf(session)).toEqual([])

    const joined = await accept(service, session, token, offer.body.shown)
    expect(joined.body).toMatchObject({
      id: organization.id,
      roles: ['editor'],
      permissions: ['films:edit'],
    })
    expect(await membershipsOf(session)).toEqual([joined.body])
    expect((await accept(service, session, token, offer.body.shown)).body.code).toBe('invalid_token')
    expect((await findOffer(service, token)).body.code).toBe('invalid_token')
    const [member] = (await asOwner('GET', `organizations/${organization.id}/members?email=${email}`)).body
    expect(member).toMatchObject({ source: 'invitation', roles_given_by: organization.owner.user.id })
  })

  it('lets a person with an account join two organizations, and decline a third', async () => {
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const email = person.user.email ?? ''
    const others = [await addOrganization(service, staff), await addOrganization(service, staff)]
    const invitations = []
    for (const one of [organization, ...others])
      invitations.push(await inviteMember(service, one, one.owner, { email }))
    const own = callAs(service, person)
    const listed = await own('GET', 'users/me/organization-invitations')
    expect(listed.body.map(({ id }: { id: number }) => id).sort()).toEqual(
      invitations.map(({ id }) => id).sort(),
    )
    expect(listed.body[0]).toMatchObject({ organization_name: 'Acme Studios', invited_by: 'Grace Hopper' })
    const [first, second, third] = invitations
    for (const one of [first, second])
      expect((await acceptShown(service, person.bearer, one?.token ?? '')).status).toBe(200)
    expect((await own('DELETE', `users/me/organization-invitations/${third?.id}`)).status).toBe(204)
    expect((await findOffer(service, third?.token ?? '')).body.code).toBe('invalid_token')
    expect((await own('GET', 'users/me/organization-invitations')).body).toEqual([])
    expect(await membershipsOf(person.bearer)).toHaveLength(2)
    const left = await own('DELETE', `users/me/organizations/${organization.id}`)
    expect(left.status).toBe(204)
  })

  it('is sent again with another link, revoked, and accepted no more', async () => {
    const email = newPersonAddress()
    const { id, token } = await inviteMember(service, organization, organization.owner, { email })
    const resent = await asOwner('POST', `${organization.path}/${id}/resend`)
    expect(resent.body).toMatchObject({ id, email, state: 'open' })
    const second = await readJoinToken(service, email, [token])
    expect((await findOffer(service, token)).body.code).toBe('invalid_token')
    expect((await findOffer(service, second)).status).toBe(200)
    expect((await asOwner('DELETE', `${organization.path}/${id}`)).status).toBe(204)
    expect((await findOffer(service, second)).body.code).toBe('invalid_token')
    expect((await asOwner('DELETE', `${organization.path}/${id}`)).status).toBe(404)
    expect((await inviteMember(service, organization, organization.owner, { email })).id).not.toBe(id)
  })

  it('is there once for an address, which takes its place again when it expired', async () => {
    const email = newPersonAddress()
    const { id, token } = await inviteMember(service, organization, organization.owner, { email })
    const twice = await asOwner('POST', organization.path, { email: email.toUpperCase(), roles: ['member'] })
    expect([twice.status, twice.body.reason]).toEqual([409, 'already_invited'])
    vi.useFakeTimers({ now: Date.now() + 8 * 86_400_000, toFake: ['Date'] })
    expect((await findOffer(service, token)).body.code).toBe('invalid_token')
    const call = callAs(service, { bearer: await signIn(service, organization.owner) })
    const stateOf = async (one: number) =>
      (await call('GET', `${organization.path}?limit=100`)).body.find((row: { id: number }) => row.id === one)
        ?.state
    expect(await stateOf(id)).toBe('expired')
    const other = await call('POST', organization.path, { email, roles: ['member'] })
    expect(other.status).toBe(201)
    expect([await stateOf(id), await stateOf(other.body.id)]).toEqual([undefined, 'open'])
  })

  it('works for the days that it names', async () => {
    const email = newPersonAddress()
    const body = { email, roles: ['member'], valid_days: 30 }
    const { created_at, expires_at } = (await asOwner('POST', organization.path, body)).body
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(30 * 86_400_000)
    for (const valid_days of [0, 31, 1.5, '7'])
      expect((await asOwner('POST', organization.path, { ...body, valid_days })).status).toBe(400)
  })

  it('is one of a limited number, also for parallel requests, and makes room when it ends', async () => {
    const { owner, path } = await addOrganization(service, staff)
    const call = callAs(service, owner)
    const invite = () => call('POST', path, { email: newPersonAddress(), roles: ['member'] })
    for (let at = 0; at < openInvitationsMax - 1; at++) expect((await invite()).status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 5 }, invite))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await invite()).body.reason).toBe('too_many_invitations')
    const [first] = (await call('GET', path)).body
    expect((await call('DELETE', `${path}/${first.id}`)).status).toBe(204)
    expect((await invite()).status).toBe(201)
  })

  it('is asked again about when the organization has another name', async () => {
    const one = await addOrganization(service, staff)
    const { token } = await inviteMember(service, one, one.owner, { email: newPersonAddress() })
    const session = await signUpInvited(service, token)
    const { shown } = (await findOffer(service, token)).body
    await callAs(service, one.owner)('PATCH', `organizations/${one.id}`, { name: 'Another Studio' })
    const changed = await accept(service, session, token, shown)
    expect([changed.status, changed.body.reason]).toEqual([409, 'decision_changed'])
    expect((await acceptShown(service, session, token)).status).toBe(200)
  })

  it('waits while the organization is suspended, and ends with it', async () => {
    const one = await addOrganization(service, staff)
    const { token } = await inviteMember(service, one, one.owner, { email: newPersonAddress() })
    const session = await signUpInvited(service, token)
    const { shown } = (await findOffer(service, token)).body
    const set = (state: string) => callAs(service, staff)('PATCH', `organizations/${one.id}`, { state })
    await set('suspended')
    const refusals = [
      await findOffer(service, token),
      await accept(service, session, token, shown),
      await callAs(service, one.owner)('POST', one.path, { email: newPersonAddress(), roles: ['member'] }),
    ]
    for (const { status, body } of refusals)
      expect([status, body.reason]).toEqual([409, 'organization_suspended'])
    const own = callAs(service, { bearer: session })
    expect((await own('GET', 'users/me/organization-invitations')).body).toEqual([])
    await set('active')
    expect((await own('GET', 'users/me/organization-invitations')).body).toHaveLength(1)
    expect((await callAs(service, staff)('DELETE', `organizations/${one.id}`)).status).toBe(204)
    expect((await accept(service, session, token, shown)).body.code).toBe('invalid_token')
    expect((await own('GET', 'users/me/organization-invitations')).body).toEqual([])
  })

  it('does not exceed the limit of members', async () => {
    const one = await addOrganization(service, staff, { member_limit: 1 })
    const { token } = await inviteMember(service, one, one.owner, { email: newPersonAddress() })
    const session = await signUpInvited(service, token)
    const full = await acceptShown(service, session, token)
    expect([full.status, full.body.reason]).toEqual([409, 'member_limit_reached'])
    await callAs(service, staff)('PATCH', `organizations/${one.id}`, { member_limit: 2 })
    expect((await acceptShown(service, session, token)).status).toBe(200)
  })

  it('records who invited, resent, revoked, accepted and declined', async () => {
    const one = await addOrganization(service, staff)
    const call = callAs(service, one.owner)
    const [a, b, c] = [
      await addSignedIn(service, { email: newPersonAddress() }),
      await addSignedIn(service, { email: newPersonAddress() }),
      await addSignedIn(service, { email: newPersonAddress() }),
    ]
    const invited = []
    for (const { user } of [a, b, c])
      invited.push(await inviteMember(service, one, one.owner, { email: user.email ?? '' }))
    await acceptShown(service, a.bearer, invited[0]?.token ?? '')
    await callAs(service, b)('DELETE', `users/me/organization-invitations/${invited[1]?.id}`)
    await call('POST', `${one.path}/${invited[2]?.id}/resend`)
    await call('DELETE', `${one.path}/${invited[2]?.id}`)
    const events = await callAs(service, staff)('GET', 'auth/audit-events?limit=30')
    const found = events.body
      .filter(
        ({ organization: of, event }: { organization?: number; event: string }) =>
          of === one.id && event.startsWith('organization.invit'),
      )
      .map(({ event, actor, user }: { event: string; actor: number; user: number | null }) => [
        event,
        actor,
        user,
      ])
    const owner = one.owner.user.id
    expect(found.reverse()).toEqual([
      ...[1, 2, 3].map(() => ['organization.invited', owner, null]),
      ['organization.invitation_accepted', a.user.id, a.user.id],
      ['organization.invitation_declined', b.user.id, b.user.id],
      ['organization.invitation_resent', owner, null],
      ['organization.invitation_revoked', owner, null],
    ])
  })
})
