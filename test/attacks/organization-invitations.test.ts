import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Answer } from '../support/client.ts'
import { costsSince } from '../support/directory.ts'
import {
  accept,
  acceptShown,
  addMember,
  addOrganization,
  completeInvitedSignUp,
  findOffer,
  inviteMember,
  newPersonAddress,
  readJoinToken,
  signUpInvited,
} from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ RATE_LIMITS: 'invitationsPerRecipientAndOrganization=50/3600' })
const staff = await addSignedIn(service, {
  permissions: ['organizations:manage', 'organizations:view', 'system:admin-access'],
})
await callAs(service, staff)('PUT', 'organization-roles', {
  roles: [
    { key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] },
    { key: 'recruiter', texts: { en: 'Recruiter' }, permissions: ['org:members:manage'] },
  ],
})
const organization = await addOrganization(service, staff)
const shown = 'a'.repeat(43)
const statusesOf = (answers: readonly Answer[]) => {
  const counts = new Map<string, number>()
  for (const { status, body } of answers) {
    const key = `${status} ${body?.reason ?? body?.code ?? ''}`.trim()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

describe('an attacker with the link of somebody else', () => {
  it('cannot join with their own account', async () => {
    const { token } = await inviteMember(service, organization, organization.owner, {
      email: newPersonAddress(),
      roles: ['owner'],
    })
    const attacker = await addSignedIn(service, { email: newPersonAddress() })
    const refused = await acceptShown(service, attacker.bearer, token)
    expect([refused.status, refused.body.reason]).toEqual([403, 'other_address'])
    expect((await findOffer(service, token)).status).toBe(200)
  })

  it('cannot join with an account that only claims the address', async () => {
    const email = newPersonAddress()
    const { token, id } = await inviteMember(service, organization, organization.owner, { email })
    const attacker = await addSignedIn(service, { email: newPersonAddress() })
    const own = callAs(service, attacker)
    await own('POST', 'users/me/email', { email })
    expect((await acceptShown(service, attacker.bearer, token)).status).toBe(403)
    expect((await own('GET', 'users/me/organization-invitations')).body).toEqual([])
    expect((await own('DELETE', `users/me/organization-invitations/${id}`)).status).toBe(404)
  })

  it('cannot join without having seen what they agree to', async () => {
    const person = await addSignedIn(service, { email: newPersonAddress() })
    const email = person.user.email ?? ''
    const one = await inviteMember(service, organization, organization.owner, { email })
    const other = await addOrganization(service, staff)
    const two = await inviteMember(service, other, other.owner, { email })
    const ofOther = (await findOffer(service, two.token)).body.shown
    for (const named of [shown, ofOther])
      expect((await accept(service, person.bearer, one.token, named)).body.reason).toBe('decision_changed')
  })

  it('makes one member with 50 parallel requests, and one account', async () => {
    const { token } = await inviteMember(service, organization, organization.owner, {
      email: newPersonAddress(),
    })
    const offered = (await findOffer(service, token)).body.shown
    const begun = await Promise.all(Array.from({ length: 20 }, () => completeInvitedSignUp(service, token)))
    expect(begun.every(({ status }) => status < 500)).toBe(true)
    const bearer = await signUpInvited(service, token)
    const membersOf = async () =>
      (await callAs(service, staff)('GET', `organizations/${organization.id}`)).body.member_count
    const before = await membersOf()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => accept(service, bearer, token, offered)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect(await membersOf()).toBe(before + 1)
  })

  it('cannot use a link that was replaced or revoked, nor one that belongs to another kind', async () => {
    const email = newPersonAddress()
    const call = callAs(service, organization.owner)
    const { id, token } = await inviteMember(service, organization, organization.owner, { email })
    await call('POST', `${organization.path}/${id}/resend`)
    const second = await readJoinToken(service, email, [token])
    await call('DELETE', `${organization.path}/${id}`)
    const bearer = organization.owner.bearer
    const other = (['invitation', 'sign_up', 'session'] as const).map(
      (kind) => mintCredential(kind, id).value,
    )
    for (const value of [token, second, ...other]) {
      expect((await findOffer(service, value)).body.code).toBe('invalid_token')
      expect((await completeInvitedSignUp(service, value)).body.code).toBe('invalid_token')
      expect((await accept(service, bearer, value, shown)).body.code).toBe('invalid_token')
    }
    const find = (path: string) => service.client('POST', path, { body: { token: second } })
    expect((await find('/api/2/auth/invitation')).body.code).toBe('invalid_token')
  })

  it('cannot guess a token of an open invitation', async () => {
    const { id } = await inviteMember(service, organization, organization.owner, {
      email: newPersonAddress(),
    })
    const guesses = Array.from({ length: 30 }, () => mintCredential('organization_invitation', id).value)
    const answers = await Promise.all(guesses.map((guess) => findOffer(service, guess)))
    expect(statusesOf(answers)).toEqual({ '400 invalid_token': 30 })
  })

  it.each([
    [{}],
    [{ token: ['a', 'b'], shown }],
    [{ token: '', shown: '' }],
    [{ token: 'x'.repeat(50_000), shown: 'y'.repeat(10_000) }],
    [{ token: '__proto__', shown: 'constructor' }],
    [JSON.parse('{"__proto__": {"token": "x"}, "token": "x"}')],
  ])('gets a clear refusal for the body %#', async (body) => {
    const { bearer } = organization.owner
    for (const [path, credential] of [
      ['/api/2/users/me/organization-invitations/accept', { bearer }],
      ['/api/2/auth/organization-invitation', {}],
      ['/api/2/auth/organization-invitation/account', {}],
    ] as const) {
      const answer = await service.client('POST', path, { ...credential, body })
      expect(answer.status, answer.text).toBe(400)
    }
  })
})

describe('a member who may invite', () => {
  it('gives only roles that they could give to a member', async () => {
    const recruiter = await addMember(service, staff, organization.id, ['recruiter'])
    const admin = await addMember(service, staff, organization.id, ['admin'])
    const invite = (by: typeof admin, roles: readonly string[]) =>
      callAs(service, by)('POST', organization.path, { email: newPersonAddress(), roles })
    for (const [by, roles] of [
      [recruiter, ['owner']],
      [recruiter, ['admin']],
      [recruiter, ['editor']],
      [recruiter, ['member', 'owner']],
      [admin, ['owner']],
    ] as const)
      expect((await invite(by, roles)).status).toBe(403)
    for (const roles of [
      ['unknown'],
      ['__proto__'],
      [],
      'member',
      Array.from({ length: 11 }, () => 'member'),
    ])
      expect((await invite(admin, roles as never)).status).toBe(400)
    expect((await invite(recruiter, ['member'])).status).toBe(201)
    // Sending an invitation of somebody else again is giving its roles, too.
    const { id } = await inviteMember(service, organization, organization.owner, {
      email: newPersonAddress(),
      roles: ['owner'],
    })
    const resent = await callAs(service, admin)('POST', `${organization.path}/${id}/resend`)
    expect(resent.status).toBe(403)
  })

  it('does not bring in anybody after they left, lost the role or were disabled', async () => {
    const call = callAs(service, staff)
    const endings = [
      (id: number) => call('DELETE', `organizations/${organization.id}/members/${id}`),
      (id: number) => call('PATCH', `organizations/${organization.id}/members/${id}`, { roles: ['admin'] }),
      (id: number) => call('PATCH', `users/${id}`, { is_enabled: false }),
      (id: number) => call('DELETE', `users/${id}`),
    ]
    for (const end of endings) {
      const inviter = await addMember(service, staff, organization.id, ['owner'])
      const email = newPersonAddress()
      const { id, token } = await inviteMember(service, organization, inviter, { email, roles: ['owner'] })
      const bearer = await signUpInvited(service, token)
      const offered = (await findOffer(service, token)).body.shown
      expect((await end(inviter.user.id)).status).toBeLessThan(300)
      for (const refused of [
        await findOffer(service, token),
        await accept(service, bearer, token, offered),
        await completeInvitedSignUp(service, token),
      ])
        expect([refused.status, refused.body.reason]).toEqual([409, 'inviter_changed'])
      // Another owner can take responsibility for it.
      await callAs(service, organization.owner)('POST', `${organization.path}/${id}/resend`)
      const again = await readJoinToken(service, email, [token])
      expect((await acceptShown(service, bearer, again)).status).toBe(200)
    }
  })

  it('cannot see, send or revoke invitations of another organization', async () => {
    const other = await addOrganization(service, staff)
    const { id, token } = await inviteMember(service, other, other.owner, { email: newPersonAddress() })
    const call = callAs(service, organization.owner)
    const answers = [
      await call('DELETE', `${organization.path}/${id}`),
      await call('POST', `${organization.path}/${id}/resend`),
      await call('GET', other.path),
      await call('POST', other.path, { email: newPersonAddress(), roles: ['member'] }),
      await call('DELETE', `${other.path}/${id}`),
      await call('DELETE', `users/me/organization-invitations/${id}`),
    ]
    expect(statusesOf(answers)).toEqual({ '404 not_found': 6 })
    expect((await findOffer(service, token)).status).toBe(200)
  })

  it('does not learn whether an address has an account', async () => {
    const { owner, path } = await addOrganization(service, staff)
    const call = callAs(service, owner)
    const measure = async (email: string) => {
      const logStart = service.log.length
      const body = { email, roles: ['member'] }
      const { status, body: shownBody } = await call('POST', path, body)
      const { roles, state, invited_by } = shownBody
      const [cost] = costsSince(service, logStart)
      return { status, roles, state, invited_by, fields: Object.keys(shownBody), calls: cost?.calls }
    }
    await measure(newPersonAddress())
    // A call can be repeated when the mailer writes at the same time.
    const measureTwice = async (next: () => Promise<string>) => {
      const [one, two] = [await measure(await next()), await measure(await next())]
      return { ...one, calls: Math.min(one.calls ?? 0, two.calls ?? 0) }
    }
    const addKnown = async () => (await addSignedIn(service, { email: newPersonAddress() })).user.email ?? ''
    expect(await measureTwice(addKnown)).toEqual(await measureTwice(async () => newPersonAddress()))
  })

  it('sends no flood to one address, and cannot hide it behind new invitations', async () => {
    const { owner, path } = await addOrganization(service, staff)
    const call = callAs(service, owner)
    const { id } = await inviteMember(service, { path }, owner, { email: newPersonAddress() })
    const answers = []
    for (let at = 0; at < 7; at++) answers.push(await call('POST', `${path}/${id}/resend`))
    expect(statusesOf(answers)).toEqual({ '200': 5, '429 too_many_requests': 2 })
  })

  it.each([
    ['__proto__@people.example', 201],
    ['constructor@people.example', 201],
    ['a@b@people.example', 400],
    ['victim@people.example\r\nBcc: all@people.example', 400],
    ['', 400],
    [`${'a'.repeat(300)}@people.example`, 400],
    [['one@people.example', 'two@people.example'], 400],
  ])('may invite %s: %s', async (email, status) => {
    const one = await addOrganization(service, staff)
    const call = callAs(service, one.owner)
    const answer = await call('POST', one.path, { email, roles: ['member'] })
    expect(answer.status, answer.text).toBe(status)
    if (status === 201) expect((await call('GET', one.path)).body[0].email).toBe(email)
  })

  it('cannot put a link into the email by the name of the organization', async () => {
    const one = await addOrganization(service, staff)
    const rename = (name: string) => callAs(service, one.owner)('PATCH', `organizations/${one.id}`, { name })
    expect((await rename('Your Bank: evil.example')).status).toBe(400)
    expect((await rename('Acme” at example. Your account is “blocked')).status).toBe(200)
    const email = newPersonAddress()
    await inviteMember(service, one, one.owner, { email })
    const { text } = await service.mailbox.mailTo(email)
    expect(text).toContain('“Acme" at example. Your account is "blocked”')
  })

  it('does not invite while an administrator acts in their name', async () => {
    const call = callAs(service, staff)
    const acting = await addSignedIn(service, { permissions: ['system:admin-access'] })
    await callAs(service, acting)('POST', 'auth/impersonation', { user: organization.owner.user.id })
    const body = { email: newPersonAddress(), roles: ['member'] }
    expect((await call('POST', organization.path, body, acting)).status).toBe(403)
  })
})

it('an account that an invitation created has no rights of the service', async () => {
  const email = newPersonAddress()
  const { token } = await inviteMember(service, organization, organization.owner, { email, roles: ['owner'] })
  const bearer = await signUpInvited(service, token)
  await acceptShown(service, bearer, token)
  const me = (await callAs(service, { bearer })('GET', 'users/me')).body
  const stored = await findUser(service.services.table, me.id)
  expect([stored?.permissions, stored?.groups]).toEqual([[], []])
  expect((await callAs(service, { bearer })('GET', 'users')).status).toBe(403)
})
