import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { deleteUser } from '../../lib/features/directory/deletion/delete-user.records.ts'
import { readAuditItems } from '../support/audit-items.ts'
import type { JsonValue } from '../support/client.ts'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { bounceMessage, complaintMessage, snsEvent } from '../support/ses-events.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let grace: SignedInPerson
let ann = ''
let link: JsonValue
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  grace = await addSharer(service)
  ann = newAddress()
  link = await shareLink(service, grace, { email: ann })
})
afterEach(() => {
  service.mailbox.failNext(0, 0)
  service.mailbox.loseNext(0)
  vi.useRealTimers()
})

const send = (body: unknown = {}, sharer: Pick<SignedInPerson, 'bearer'> = grace, id = link.id) =>
  mailLink(service, sharer, id, body)
const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const recordsOf = async (linkId: number) =>
  (await readAuditItems(service.services.table)).filter(
    ({ event, target }) => event === 'access_token.mailed' && target === String(linkId),
  )

/** The outcomes of all emails of the link. They are sorted, because events of the same time have no order. */
const outcomesOf = async () => (await recordsOf(link.id)).map(({ outcome }) => outcome).sort()

describe('the email of a link', () => {
  it('goes to the recipient, names the sender and the shared item, and has a working link', async () => {
    expect((await send()).status).toBe(204)
    const [mail, ...others] = service.mailbox.mailsTo(ann)
    expect(others).toEqual([])
    expect(mail?.to).toEqual([ann])
    expect(mail?.subject).toBe('“Grace Hopper” shared “Holiday 2026” with you')
    expect(mail?.text).toContain(`Sent on behalf of “${grace.user.email}”, who has an account at`)
    expect(mail?.text).toContain(`\n${link.full_url}\n`)
    expect(mail?.html).toContain(`href="${link.full_url}"`)
    expect(mail?.text).not.toContain('writes:')
    const token = /#token=(\S+)/.exec(mail?.text ?? '')?.[1]
    const redeemed = await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token } })
    expect(redeemed.body).toMatchObject({ user: { email: ann } })
  })

  it('goes only to another address if the request names one', async () => {
    const other = newAddress()
    expect((await send({ email: other })).status).toBe(204)
    expect(service.mailbox.mailsTo(other)).toHaveLength(1)
    expect(service.mailbox.mailsTo(ann)).toEqual([])
  })

  it('quotes the sender’s own text', async () => {
    await send({ subject: 'Photos', text: 'Hello Ann,\nhere they are.\r\n\r\nYours' })
    const [mail] = service.mailbox.mailsTo(ann)
    expect(mail?.subject).toBe('“Grace Hopper” (via Latchkey): “Photos”')
    expect(mail?.text).toContain('“Grace Hopper” writes:\n\n> Hello Ann,\n> here they are.\n> \n> Yours\n\n')
    expect(mail?.html).toMatch(
      /<blockquote[^>]*>\s*Hello Ann,<br>here they are\.<br><br>Yours\s*<\/blockquote>/,
    )
  })

  it('states the restrictions of the link, and reveals nothing that the link protects', async () => {
    const expires = new Date(Date.UTC(2099, 0, 31, 12)).toISOString()
    const given = { email: ann, expires, view_limit: 3, password: 'a password of the link' }
    const guarded = await shareLink(service, grace, given)
    await send({}, grace, guarded.id)
    const [mail] = service.mailbox.mailsTo(ann)
    expect(mail?.subject).toBe('“Grace Hopper” shared something with you')
    expect(mail?.text).toContain('It can be opened 3 times.')
    expect(mail?.text).toContain('It works until 31 January 2099 at 12:00 UTC.')
    expect(mail?.text).toContain('It is protected by a password, which is not in this email')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Holiday|a password of the link/)
  })

  it('asks users with an account to sign in', async () => {
    const member = await addSignedIn(service, { email: newAddress() })
    const own = await shareLink(service, grace, { user: member.user.id })
    await send({}, grace, own.id)
    expect(service.mailbox.mailsTo(member.user.email)[0]?.text).toContain('You need to sign in to open it.')
  })

  it('can be sent to an internationalized domain', async () => {
    expect((await send({ email: 'ann@bücher.example' })).status).toBe(204)
    expect(service.mailbox.mailsTo('ann@xn--bcher-kva.example')).toHaveLength(1)
  })

  it('is recorded with its sender, and neither address nor link is recorded or logged', async () => {
    await send({ subject: 'Photos', text: 'A private message' })
    const records = await recordsOf(link.id)
    expect(records).toMatchObject([
      { actor: grace.user.id, user: link.user.id, target: String(link.id), outcome: 'succeeded' },
    ])
    expect(JSON.stringify(records)).not.toMatch(/@|Photos|private|lka_/)
    expect(service.log.join('')).not.toContain(link.token)
    expect(service.log.join('')).not.toContain('A private message')
  })
})

describe('sending the email of a link', () => {
  it('is allowed to its creator and to administrators', async () => {
    const admin = await addSignedIn(service, {
      permissions: ['system:admin-access'],
      full_name: 'Margaret Hamilton',
    })
    expect((await send({}, admin)).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)[0]?.subject).toMatch(/^“Margaret Hamilton” shared /)
  })

  it('is rejected for others as if the link did not exist', async () => {
    const eve = await addSharer(service)
    const before = service.mailbox.mails.length
    const missing = await send({}, eve, 2147483647)
    const answer = await send({ email: newAddress() }, eve)
    expect({ ...answer.body, request_id: '' }).toEqual({ ...missing.body, request_id: '' })
    expect(answer.status).toBe(404)
    expect(
      (await service.client('POST', `/api/2/auth/access-tokens/${link.id}/email`, { body: {} })).status,
    ).toBe(401)
    expect(service.mailbox.mails).toHaveLength(before)
  })

  it('is rejected for its recipient', async () => {
    const { body } = await service.client('POST', '/api/2/auth/access-tokens/redeem', {
      body: { token: link.token },
    })
    expect((await send({}, { bearer: body.session_key })).status).toBe(403)
    expect(service.mailbox.mailsTo(ann)).toEqual([])
  })
})

describe('sending the email is rejected', () => {
  it('with 409 for an expired link', async () => {
    const expires = new Date(Date.now() + 60_000).toISOString()
    const short = await shareLink(service, grace, { email: ann, expires })
    wait(61)
    const answer = await send({}, grace, short.id)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(answer.body.detail).toContain('expired')
  })

  it('with 409 for a used-up link', async () => {
    const once = await shareLink(service, grace, { email: ann, view_limit: 1 })
    await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token: once.token } })
    expect((await send({}, grace, once.id)).status).toBe(409)
  })

  it('with 409 for a link whose recipient was disabled or deleted', async () => {
    const { table } = service.services
    const recipient = await findUser(table, link.user.id)
    if (!recipient) throw new Error('the recipient was not found')
    const disabled = await editUser(table, recipient, { is_enabled: false })
    expect((await send()).status).toBe(409)
    await deleteUser(table, disabled, [])
    expect((await send({ email: newAddress() })).status).toBe(409)
  })

  it('with 404 for a deleted link', async () => {
    await service.client('DELETE', `/api/2/auth/access-tokens/${link.id}`, { bearer: grace.bearer })
    expect((await send()).status).toBe(404)
  })

  it('with 400 for a link without a recipient, unless the request has an address', async () => {
    const open = await shareLink(service, grace, {})
    const answer = await send({}, grace, open.id)
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'email', message: 'is required because the recipient has no email address' }],
    })
    expect((await send({ email: ann }, grace, open.id)).status).toBe(204)
  })

  it('with 409 and the reason for an address with a bounce or a complaint', async () => {
    const { handler } = await import('../../functions/mail-events/index.ts')
    const complaining = newAddress()
    await handler(snsEvent(bounceMessage({ to: ann.toUpperCase() }), complaintMessage({ to: complaining })))
    for (const email of [ann, complaining, `A${ann.slice(1)}`]) {
      const answer = await send({ email })
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toMatch(/^This address no longer receives email/)
      expect(service.mailbox.mailsTo(email)).toEqual([])
    }
    expect((await send({ email: newAddress() })).status).toBe(204)
  })
})

describe('sending the email again', () => {
  it('within a minute succeeds without a second email', async () => {
    const body = { subject: 'Photos', text: 'Hello' }
    for (const again of [body, body, { ...body, email: ann.toUpperCase() }])
      expect((await send(again)).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)).toHaveLength(1)
    expect(await recordsOf(link.id)).toHaveLength(1)
    wait(61)
    expect((await send(body)).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)).toHaveLength(2)
  })

  it('with another text sends another email', async () => {
    const bodies = [{}, { subject: 'a' }, { subject: 'b' }, { text: 'a' }, { subject: 'a', text: 'a' }]
    for (const body of bodies) expect((await send(body)).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)).toHaveLength(bodies.length)
  })

  it('20 times concurrently sends one email', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(204)
    for (const { status, body } of answers)
      if (status !== 204) expect(body).toMatchObject({ status: 409, code: 'conflict' })
    expect(service.mailbox.mailsTo(ann)).toHaveLength(1)
    expect((await send()).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)).toHaveLength(1)
  })

  it('works immediately after a certain failure, which is reported with its reason', async () => {
    service.mailbox.failNext(1, 400, 'MessageRejected')
    const refused = await send()
    expect(refused).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
    expect(refused.body.detail).toBe(
      'The email service rejected the email. It does not accept the recipient or the sender address.',
    )
    expect((await send()).status).toBe(204)
    expect(service.mailbox.mailsTo(ann)).toHaveLength(1)
    expect(await outcomesOf()).toEqual(['not_sent', 'succeeded'])
  })

  it('has to wait a minute if the first result is unknown', async () => {
    service.mailbox.loseNext(1)
    const lost = await send()
    expect(lost.status).toBe(502)
    expect(lost.body.detail).toContain('may or may not have been sent')
    const again = await send()
    expect(again.status).toBe(409)
    expect(again.body.detail).toContain('Wait a minute')
    expect(service.mailbox.mailsTo(ann)).toHaveLength(1)
    wait(61)
    expect((await send()).status).toBe(204)
    expect(await outcomesOf()).toEqual(['succeeded', 'unknown'])
  })

  it('works immediately after an internal error', async () => {
    const { table } = service.services
    const key = { pk: `access-token#${link.id}`, sk: 'access-token' }
    const stored = await table.get(key)
    if (!stored) throw new Error('the link was not found')
    await table.put({ ...stored, encryptedValue: '2026-01.broken' })
    expect((await send()).status).toBe(500)
    await table.put(stored)
    expect((await send()).status).toBe(204)
  })
})

describe('the limits', () => {
  const createBodies = (count: number) => Array.from({ length: count }, (_, at) => ({ subject: `No. ${at}` }))

  it('allow ten emails an hour for one link and recipient, in any spelling', async () => {
    for (const body of createBodies(10)) expect((await send(body)).status).toBe(204)
    for (const email of [ann, ann.toUpperCase()]) {
      const refused = await send({ email, subject: 'One more' })
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(service.mailbox.mailsTo(ann)).toHaveLength(10)
    expect((await send({ email: newAddress() })).status).toBe(204)
    const other = await shareLink(service, grace, { email: ann })
    expect((await send({}, grace, other.id)).status).toBe(204)
    wait(2 * 60 * 60)
    expect((await send({ subject: 'One more' })).status).toBe(204)
  })

  it('do not count failed or repeated emails', async () => {
    service.mailbox.failNext(10, 503)
    for (const body of createBodies(10)) expect((await send(body)).status).toBe(502)
    for (const body of createBodies(10))
      for (let times = 0; times < 2; times++) expect((await send(body)).status).toBe(204)
    expect((await send({ subject: 'One more' })).status).toBe(429)
  })

  it('allow 200 emails a day for one user across all links', async () => {
    const second = await shareLink(service, grace, {})
    for (let at = 0; at < 200; at += 20) {
      const id = at % 40 === 0 ? link.id : second.id
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send({ email: newAddress() }, grace, id)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    }
    const last = newAddress()
    expect((await send({ email: last })).status).toBe(429)
    expect(service.mailbox.mailsTo(last)).toEqual([])
    // An email that the daily limit rejected did not count against the hourly limit of its recipient.
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const body of createBodies(10))
      expect((await send({ ...body, email: last }, admin)).status).toBe(204)
  })
})
