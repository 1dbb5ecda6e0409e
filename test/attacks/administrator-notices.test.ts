import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { enableSecondFactor } from '../support/authenticator.ts'
import { awaitMails } from '../support/await-mails.ts'
import type { Answer } from '../support/client.ts'
import { addPerson, addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A thief who makes themselves an administrator, or takes the account of one, must not go unnoticed by the others. */

const service = await useService({ RATE_LIMITS: 'securityNotices=20/3600' })
const permissions = ['system:admin-access']

const newMailbox = () => `${randomUUID()}@example.com`
const robbed = await addSignedIn(service, { permissions, email: newMailbox() })
const other = await addSignedIn(service, { permissions, email: newMailbox(), language: 'de' })
const newName = () => `made-${randomUUID()}`
const call = async (method: string, path: string, body?: object): Promise<Answer> => {
  const answer = await service.client(method, `/api/2/${path}`, {
    bearer: robbed.bearer,
    body,
  })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}
const admins = ['system:admin-access']
const addGroup = async (fields: object): Promise<number> =>
  (await call('POST', 'groups', { name: newName(), ...fields })).body.id

/** Runs an attack, and returns the subjects of the emails about it to one administrator. */
const collect = async (
  { user }: SignedInPerson,
  attack: () => Promise<unknown>,
): Promise<readonly string[]> => {
  await awaitMails(service)
  const before = service.mailbox.mailsTo(user.email).length
  await attack()
  await awaitMails(service)
  return service.mailbox
    .mailsTo(user.email)
    .slice(before)
    .map(({ subject }) => subject)
}

const added = 'A new administrator was added – Latchkey'
const group = 'A group of administrators was changed – Latchkey'
const signIn = 'The sign-in of an administrator was changed – Latchkey'

const attacks: Readonly<Record<string, readonly [subject: string, attack: () => Promise<unknown>]>> = {
  'creates an administrator': [
    added,
    () => call('POST', 'users', { username: newName(), permissions: admins, groups: [] }),
  ],
  'promotes a user': [
    added,
    async () => call('PATCH', `users/${(await addPerson(service)).user.id}`, { permissions: admins }),
  ],
  'creates a user in a group of administrators': [
    added,
    async () => {
      const groups = [await addGroup({ permissions: admins })]
      await awaitMails(service)
      return call('POST', 'users', { username: newName(), permissions: [], groups })
    },
  ],
  'creates a group of administrators': [group, () => addGroup({ permissions: admins })],
  'makes administrators of a group': [
    group,
    async () => call('PATCH', `groups/${await addGroup({})}`, { permissions: admins }),
  ],
  'sets the password of an administrator': [
    signIn,
    async () => {
      const { user } = await addPerson(service, { permissions: admins })
      await call('POST', `users/${user.id}/password`, { password: 'violet tractor under nine moons' })
    },
  ],
  'changes the address of an administrator': [
    signIn,
    async () => {
      const { user } = await addPerson(service, { permissions: admins })
      await call('PATCH', `users/${user.id}`, { email: newMailbox() })
    },
  ],
  'removes the second factor of an administrator': [
    signIn,
    async () => {
      const person = await addSignedIn(service, { permissions: admins })
      await enableSecondFactor(service, person)
      await call('DELETE', `users/${person.user.id}/totp`)
    },
  ],
}

describe('a thief with the session of an administrator', () => {
  it.each(Object.entries(attacks))('who %s is reported to the robbed one', async (_, [subject, attack]) => {
    expect(await collect(robbed, attack)).toContain(subject)
  })

  it('is reported to all administrators, in their languages', async () => {
    const username = newName()
    const subjects = await collect(other, () =>
      call('POST', 'users', { username, permissions: admins, groups: [] }),
    )
    expect(subjects).toEqual(['Ein neuer Administrator wurde hinzugefügt – Latchkey'])
    const { text } = await service.mailbox.mailTo(other.user.email)
    for (const part of [username, robbed.user.username, '127.0.0.1']) expect(text).toContain(part)
  })

  it('who adds members to a group of administrators is reported once', async () => {
    const id = await addGroup({ permissions: admins })
    const people = await Promise.all(Array.from({ length: 30 }, () => addPerson(service)))
    const members = people.map(({ user }) => ({ id: user.id }))
    expect(await collect(robbed, () => call('PATCH', `groups/${id}`, { members }))).toEqual([group])
  })

  it('who puts a user into a group of administrators is reported', async () => {
    const id = await addGroup({ permissions: admins })
    const { user } = await addPerson(service)
    expect(await collect(robbed, () => call('PATCH', `users/${user.id}`, { groups: [id] }))).toEqual([added])
  })

  it('changes an address of another administrator not without an email to the old address', async () => {
    const email = newMailbox()
    const { user } = await addPerson(service, { permissions: admins, email })
    await call('PATCH', `users/${user.id}`, { email: newMailbox() })
    await awaitMails(service)
    expect(service.mailbox.mailsTo(email).map(({ subject }) => subject)).toContain(
      'Your email address was changed – Latchkey',
    )
  })
})

describe('administrators get no email', () => {
  it('about users and groups that are none', async () => {
    const ordinary = async () => {
      const { user } = await addPerson(service, { email: newMailbox() })
      const id = await addGroup({ permissions: ['billing:refund'], members: [{ id: user.id }] })
      await call('PATCH', `users/${user.id}`, { permissions: ['users:view'], groups: [id] })
      await call('POST', `users/${user.id}/password`, { password: 'violet tractor under nine moons' })
      await call('PATCH', `users/${user.id}`, { email: newMailbox() })
    }
    expect(await collect(robbed, ordinary)).toEqual([])
  })

  it('after they were disabled', async () => {
    const email = newMailbox()
    const { user } = await addPerson(service, { permissions: admins, email })
    await call('PATCH', `users/${user.id}`, { is_enabled: false })
    await call('POST', 'users', { username: newName(), permissions: admins, groups: [] })
    await awaitMails(service)
    expect(service.mailbox.mailsTo(email).map(({ subject }) => subject)).not.toContain(added)
  })
})
