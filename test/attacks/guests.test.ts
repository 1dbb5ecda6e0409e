import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { addLink, deleteLink, getLink, linksPath, lookUp, redeem } from '../support/links.ts'
import { newAddress } from '../support/mailed-links.ts'
import { addPerson, addSignedIn, buildPerson, callAs, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const creator = await addSignedIn(service, { permissions: ['media:access'] })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const call = callAs(service, admin)
const createAccount = (username: string, email: string | null) =>
  call('POST', '/api/2/users', { username, email, permissions: [], groups: [] })
const requestReset = (body: object) => service.client('POST', '/api/2/auth/reset-password/request', { body })

/** A guest who had rights for a while: with names of accounts, and a password of that time. */
const addFormerAccount = async (email: string, username = email) => {
  const password = 'the password that a guest got'
  const passwordHash = await hashPassword(password, 4)
  const fields = buildPerson({ username, email, is_external: true, isGuest: true, passwordHash })
  return { user: await createUser(service.services.table, fields, service.services.now()), password }
}

describe('a guest gets no login', () => {
  it('by a password reset, requested by anyone or sent by a manager', async () => {
    const email = newAddress()
    const { user } = await addLink(service, creator.bearer, { email })
    for (const body of [{ email }, { username: email }, { username: user.username }])
      expect((await requestReset(body)).status).toBe(204)
    const sent = await call('POST', `/api/2/users/${user.id}/password/reset`)
    expect(sent.status).toBe(409)
    const other = newAddress()
    await addPerson(service, { email: other })
    await requestReset({ email: other })
    await service.mailbox.mailTo(other)
    expect(service.mailbox.mailsTo(email)).toEqual([])
  })

  it('by a password that an administrator sets', async () => {
    const { user } = await addLink(service, creator.bearer, { email: newAddress() })
    const answer = await call('POST', `/api/2/users/${user.id}/password`, { password: 'a long new password' })
    expect(answer.status).toBe(409)
    expect((await findUser(service.services.table, user.id))?.passwordHash).toBeNull()
  })

  it('in a group, or by an API token or a second factor from the session of a link', async () => {
    const created = await addLink(service, creator.bearer, { email: newAddress() })
    const { id } = created.user
    const group = await call('POST', '/api/2/groups', {
      name: newAddress(),
      permissions: [],
      members: [{ id }],
    })
    expect(group.status).toBe(400)
    const bearer = (await redeem(service, created.token)).body.session_key
    const token = await call('POST', '/api/2/api-tokens', { name: 'script' }, { ...admin, bearer })
    expect(token.status).toBe(403)
    const factor = await call('POST', `/api/2/users/${id}/totp`, {}, { ...admin, bearer })
    expect(factor.status).toBe(403)
  })

  it('with a password from the time when they had rights', async () => {
    const guest = await addFormerAccount(newAddress())
    await expect(signIn(service, guest)).rejects.toThrow('invalid_credentials')
  })
})

describe('an account', () => {
  it('gets the address and the username of a guest, and the links of the guest', async () => {
    const email = newAddress()
    const open = await addLink(service, creator.bearer, { email })
    const { session_key: guestBearer } = (await redeem(service, open.token)).body
    const created = await createAccount(email, email)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ username: email, email })
    expect((await service.client('GET', '/api/2/users/me', { bearer: guestBearer })).status).toBe(401)
    expect((await redeem(service, open.token)).status).toBe(401)
    expect((await call('GET', `/api/2/users/${open.user.id}`)).status).toBe(404)
    const found = await call('GET', `/api/2/users?email=${email}`)
    expect(found.body.map(({ id }: { id: number }) => id)).toEqual([created.body.id])
    const password = 'the password of the account'
    await call('POST', `/api/2/users/${created.body.id}/password`, { password })
    const user = await findUser(service.services.table, created.body.id)
    const bearer = user ? await signIn(service, { user, password }) : ''
    const opened = await redeem(service, open.token, { bearer })
    expect(opened.status).toBe(200)
    expect(opened.body.user.id).toBe(created.body.id)
    const listed = await service.client('GET', linksPath, { bearer })
    expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([open.id])
    expect(listed.body[0].user.id).toBe(created.body.id)
    expect((await getLink(service, bearer, open.id)).body.user.id).toBe(created.body.id)
    const named = await call('GET', `${linksPath}?user=${created.body.id}`)
    expect(named.body.map(({ id }: { id: number }) => id)).toEqual([open.id])
    const next = await addLink(service, admin.bearer, { email })
    expect(next.user.id).toBe(created.body.id)
  })

  it('gets the address of a guest by an edit, exactly once for ten concurrent edits', async () => {
    const email = newAddress()
    const { user } = await addLink(service, creator.bearer, { email })
    const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(service)))
    const answers = await Promise.all(
      people.map((person) => call('PATCH', `/api/2/users/${person.user.id}`, { email })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    const winner = answers.find(({ status }) => status === 200)?.body.id
    expect((await findUser(service.services.table, user.id))?.successorId).toBe(winner)
  })

  it('cannot be named by the address of a guest alone, whose links stay', async () => {
    const email = newAddress()
    const link = await addLink(service, creator.bearer, { email })
    expect((await createAccount(email, null)).status).toBe(400)
    expect((await redeem(service, link.token)).status).toBe(200)
  })

  it('does not leave its links to a new owner of its address', async () => {
    const email = newAddress()
    const link = await addLink(service, creator.bearer, { email })
    const first = await addSignedIn(service, { email })
    expect((await call('PATCH', `/api/2/users/${first.user.id}`, { email: null })).status).toBe(200)
    const second = await addSignedIn(service, { email })
    expect((await redeem(service, link.token, { bearer: second.bearer })).status).toBe(403)
    expect((await redeem(service, link.token, { bearer: first.bearer })).status).toBe(200)
    const next = await addLink(service, creator.bearer, { email })
    expect(next.user.id).not.toBe(link.user.id)
    expect((await redeem(service, next.token, { bearer: second.bearer })).status).toBe(200)
  })

  it('takes the links of former guests with it when it is deleted', async () => {
    const email = newAddress()
    const link = await addLink(service, creator.bearer, { email })
    const { user } = await addPerson(service, { email })
    expect((await call('DELETE', `/api/2/users/${user.id}`)).status).toBe(204)
    expect((await lookUp(service, link.token)).status).toBe(404)
    expect((await deleteLink(service, creator.bearer, link.id)).status).toBe(404)
    expect(await findUser(service.services.table, link.user.id)).toBeUndefined()
    const next = await addLink(service, creator.bearer, { email })
    expect((await redeem(service, next.token)).status).toBe(200)
  })
})

describe('a guest who had rights for a while', () => {
  it('gives its username and address to an account, with its links', async () => {
    const email = newAddress()
    const guest = await addFormerAccount(email)
    const link = await addLink(service, admin.bearer, { user: guest.user.id })
    expect((await redeem(service, link.token)).status).toBe(200)
    const created = await createAccount(email, email)
    expect(created.status).toBe(201)
    expect((await redeem(service, link.token)).status).toBe(401)
    expect((await getLink(service, admin.bearer, link.id)).body.user.id).toBe(created.body.id)
  })

  it('gives its username to an account without the address, and keeps its links', async () => {
    const [email, username] = [newAddress(), randomUUID()]
    const guest = await addFormerAccount(email, username)
    const link = await addLink(service, admin.bearer, { user: guest.user.id })
    expect((await createAccount(username, null)).status).toBe(201)
    expect((await redeem(service, link.token)).status).toBe(200)
    expect((await addLink(service, creator.bearer, { email })).user.id).toBe(guest.user.id)
    expect((await createAccount(email, email)).status).toBe(201)
    expect((await redeem(service, link.token)).status).toBe(401)
  })
})

describe('a guest who gets rights', () => {
  it('becomes an account with the address, unless an account has it', async () => {
    const email = newAddress()
    const { user } = await addLink(service, creator.bearer, { email })
    const path = `/api/2/users/${user.id}`
    const promoted = await call('PATCH', path, { is_external: false })
    expect(promoted.status).toBe(200)
    expect((await createAccount(email, email)).status).toBe(409)
    expect((await createAccount(user.username, null)).status).toBe(409)
    expect((await call('POST', `${path}/password`, { password: 'a long new password' })).status).toBe(204)
  })
})
