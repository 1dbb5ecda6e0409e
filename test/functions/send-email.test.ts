import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteUser } from '../../lib/store/directory/delete-user.ts'
import { editUser, findUser } from '../../lib/store/directory/users.ts'
import { auditPartition } from '../../lib/store/engine/keys.ts'
import type { JsonValue } from '../support/client.ts'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { bounceMessage, complaintMessage, snsEvent } from '../support/ses-events.ts'

let service: TestService
let grace: SignedInPerson
let ann = ''
let link: JsonValue
beforeAll(async () => {
  service = await startService()
})
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
afterAll(() => service.close())

const send = (body: unknown = {}, sharer: Pick<SignedInPerson, 'bearer'> = grace, id = link.id) =>
  mailLink(service, sharer, id, body)
const mailsTo = (address: string) => service.mailbox.mails.filter(({ to }) => to.includes(address))
const seconds = (count: number) => vi.setSystemTime(Date.now() + count * 1000)
const recordsOf = async (linkId: number) =>
  (await service.services.table.list(auditPartition(new Date().toISOString()), '')).filter(
    ({ event, target }) => event === 'access_token.mailed' && target === String(linkId),
  )

/** Of all mails of the link, sorted: records of one moment are in no order. */
const outcomes = async () => (await recordsOf(link.id)).map(({ outcome }) => outcome).sort()

describe('the mail of a link', () => {
  it('goes to the recipient, says who shares what, and its link works', async () => {
    expect((await send()).status).toBe(204)
    const [mail, ...others] = mailsTo(ann)
    expect(others).toEqual([])
    expect(mail?.to).toEqual([ann])
    expect(mail?.subject).toBe('Grace Hopper shared “Holiday 2026” with you')
    expect(mail?.text).toContain(`Sent on behalf of ${grace.user.email}, who has an account at`)
    expect(mail?.text).toContain(`\n${link.full_url}\n`)
    expect(mail?.html).toContain(`href="${link.full_url}"`)
    expect(mail?.text).not.toContain('writes:')
    const token = /#token=(\S+)/.exec(mail?.text ?? '')?.[1]
    const redeemed = await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token } })
    expect(redeemed.body).toMatchObject({ user: { email: ann } })
  })

  it('goes to another address when one is given, and to that alone', async () => {
    const other = newAddress()
    expect((await send({ email: other })).status).toBe(204)
    expect(mailsTo(other)).toHaveLength(1)
    expect(mailsTo(ann)).toEqual([])
  })

  it('has the sharer’s own words, as such', async () => {
    await send({ subject: 'Photos', text: 'Hello Ann,\nhere they are.\r\n\r\nYours' })
    const [mail] = mailsTo(ann)
    expect(mail?.subject).toBe('Grace Hopper: Photos')
    expect(mail?.text).toContain('Grace Hopper writes:\n\n> Hello Ann,\n> here they are.\n> \n> Yours\n\n')
    expect(mail?.html).toMatch(
      /<blockquote[^>]*>\s*Hello Ann,<br>here they are\.<br><br>Yours\s*<\/blockquote>/,
    )
  })

  it('tells what it takes to open the link, and no more of it than the link would', async () => {
    const expires = new Date(Date.UTC(2099, 0, 31, 12)).toISOString()
    const given = { email: ann, expires, view_limit: 3, password: 'a password of the link' }
    const guarded = await shareLink(service, grace, given)
    await send({}, grace, guarded.id)
    const [mail] = mailsTo(ann)
    expect(mail?.subject).toBe('Grace Hopper shared something with you')
    expect(mail?.text).toContain('It can be opened 3 times.')
    expect(mail?.text).toContain('It works until 31 January 2099 at 12:00 UTC.')
    expect(mail?.text).toContain('It asks for a password, which is not in this mail')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Holiday|a password of the link/)
  })

  it('asks members to sign in', async () => {
    const member = await addSignedIn(service, { email: newAddress() })
    const own = await shareLink(service, grace, { user: member.user.id })
    await send({}, grace, own.id)
    expect(mailsTo(member.user.email ?? '')[0]?.text).toContain('You have to sign in to open it.')
  })

  it('goes to a domain of whatever letters', async () => {
    expect((await send({ email: 'ann@bücher.example' })).status).toBe(204)
    expect(mailsTo('ann@xn--bcher-kva.example')).toHaveLength(1)
  })

  it('is recorded with who had it sent, and neither address nor link is in any record or log', async () => {
    await send({ subject: 'Photos', text: 'A secret of ours' })
    const records = await recordsOf(link.id)
    expect(records).toMatchObject([
      { actor: grace.user.id, user: link.user.id, target: String(link.id), outcome: 'succeeded' },
    ])
    expect(JSON.stringify(records)).not.toMatch(/@|Photos|secret|lka_/)
    expect(service.log.join('')).not.toContain(link.token)
    expect(service.log.join('')).not.toContain('A secret of ours')
  })
})

describe('who may have it mailed', () => {
  it('is its creator, and an administrator', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'], fullName: 'Admiral' })
    expect((await send({}, admin)).status).toBe(204)
    expect(mailsTo(ann)[0]?.subject).toMatch(/^Admiral shared /)
  })

  it('is nobody else: for strangers there is no such link', async () => {
    const eve = await addSharer(service)
    const before = service.mailbox.mails.length
    const noSuch = await send({}, eve, 2147483647)
    const answer = await send({ email: newAddress() }, eve)
    expect({ ...answer.body, request_id: '' }).toEqual({ ...noSuch.body, request_id: '' })
    expect(answer.status).toBe(404)
    expect(
      (await service.client('POST', `/api/2/auth/access-tokens/${link.id}/email`, { body: {} })).status,
    ).toBe(401)
    expect(service.mailbox.mails).toHaveLength(before)
  })

  it('is not its recipient, whichever way it came', async () => {
    const { body } = await service.client('POST', '/api/2/auth/access-tokens/redeem', {
      body: { token: link.token },
    })
    expect((await send({}, { bearer: body.session_key })).status).toBe(403)
    expect(mailsTo(ann)).toEqual([])
  })
})

describe('is refused', () => {
  it('with 409 for a link that has expired', async () => {
    const expires = new Date(Date.now() + 60_000).toISOString()
    const short = await shareLink(service, grace, { email: ann, expires })
    seconds(61)
    const answer = await send({}, grace, short.id)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(answer.body.detail).toContain('expired')
  })

  it('with 409 for a link that is used up', async () => {
    const once = await shareLink(service, grace, { email: ann, view_limit: 1 })
    await service.client('POST', '/api/2/auth/access-tokens/redeem', { body: { token: once.token } })
    expect((await send({}, grace, once.id)).status).toBe(409)
  })

  it('with 409 when its recipient was disabled or deleted, for whom it opens nothing any more', async () => {
    const { table } = service.services
    const recipient = await findUser(table, link.user.id)
    if (!recipient) throw new Error('gone')
    const disabled = await editUser(table, recipient, { isEnabled: false })
    expect((await send()).status).toBe(409)
    await deleteUser(table, disabled, [])
    expect((await send({ email: newAddress() })).status).toBe(409)
  })

  it('with 404 for a link that was deleted', async () => {
    await service.client('DELETE', `/api/2/auth/access-tokens/${link.id}`, { bearer: grace.bearer })
    expect((await send()).status).toBe(404)
  })

  it('with 400 for a link for nobody in particular, unless an address is given', async () => {
    const open = await shareLink(service, grace, {})
    const answer = await send({}, grace, open.id)
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'email', message: 'is required, since the recipient has no address' }],
    })
    expect((await send({ email: ann }, grace, open.id)).status).toBe(204)
  })

  it('with 409 that says so, for an address that mail came back from or whose owner complained', async () => {
    const { handler } = await import('../../functions/mail-events/index.ts')
    const complaining = newAddress()
    await handler(snsEvent(bounceMessage({ to: ann.toUpperCase() }), complaintMessage({ to: complaining })))
    for (const email of [ann, complaining, `A${ann.slice(1)}`]) {
      const answer = await send({ email })
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toMatch(/^This address gets no mail/)
      expect(mailsTo(email)).toEqual([])
    }
    expect((await send({ email: newAddress() })).status).toBe(204)
  })
})

describe('asking again', () => {
  it('within a minute sends nothing twice, and says that it is done', async () => {
    const body = { subject: 'Photos', text: 'Hello' }
    for (const again of [body, body, { ...body, email: ann.toUpperCase() }])
      expect((await send(again)).status).toBe(204)
    expect(mailsTo(ann)).toHaveLength(1)
    expect(await recordsOf(link.id)).toHaveLength(1)
    seconds(61)
    expect((await send(body)).status).toBe(204)
    expect(mailsTo(ann)).toHaveLength(2)
  })

  it('with other words is another mail', async () => {
    const bodies = [{}, { subject: 'a' }, { subject: 'b' }, { text: 'a' }, { subject: 'a', text: 'a' }]
    for (const body of bodies) expect((await send(body)).status).toBe(204)
    expect(mailsTo(ann)).toHaveLength(bodies.length)
  })

  it('twenty times at once sends one mail', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(204)
    for (const { status, body } of answers)
      if (status !== 204) expect(body).toMatchObject({ status: 409, code: 'conflict' })
    expect(mailsTo(ann)).toHaveLength(1)
    expect((await send()).status).toBe(204)
    expect(mailsTo(ann)).toHaveLength(1)
  })

  it('works at once when the first was certainly not sent, which is told and why', async () => {
    service.mailbox.failNext(1, 400, 'MessageRejected')
    const refused = await send()
    expect(refused).toMatchObject({ status: 502, body: { code: 'upstream_failed' } })
    expect(refused.body.detail).toBe(
      'The mail service rejected the mail: it does not take this recipient or our sender.',
    )
    expect((await send()).status).toBe(204)
    expect(mailsTo(ann)).toHaveLength(1)
    expect(await outcomes()).toEqual(['not_sent', 'succeeded'])
  })

  it('waits a minute when nobody knows whether the first was sent', async () => {
    service.mailbox.loseNext(1)
    const lost = await send()
    expect(lost.status).toBe(502)
    expect(lost.body.detail).toContain('may have been sent, or not')
    const again = await send()
    expect(again.status).toBe(409)
    expect(again.body.detail).toContain('wait a minute')
    expect(mailsTo(ann)).toHaveLength(1)
    seconds(61)
    expect((await send()).status).toBe(204)
    expect(await outcomes()).toEqual(['succeeded', 'unknown'])
  })

  it('works at once when the limit refused it, or the value could not be read', async () => {
    const { table } = service.services
    const key = { pk: `access-token#${link.id}`, sk: 'access-token' }
    const stored = await table.get(key)
    if (!stored) throw new Error('gone')
    await table.put({ ...stored, encryptedValue: '2026-01.broken' })
    expect((await send()).status).toBe(500)
    await table.put(stored)
    expect((await send()).status).toBe(204)
  })
})

describe('the limits', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ subject: `No. ${at}` }))

  it('are ten an hour for one link and recipient, in whatever spelling', async () => {
    for (const body of numbered(10)) expect((await send(body)).status).toBe(204)
    for (const email of [ann, ann.toUpperCase()]) {
      const refused = await send({ email, subject: 'One more' })
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(mailsTo(ann)).toHaveLength(10)
    expect((await send({ email: newAddress() })).status).toBe(204)
    const other = await shareLink(service, grace, { email: ann })
    expect((await send({}, grace, other.id)).status).toBe(204)
    seconds(2 * 60 * 60)
    expect((await send({ subject: 'One more' })).status).toBe(204)
  })

  it('don’t count what was certainly not sent, nor what was asked for twice', async () => {
    service.mailbox.failNext(10, 503)
    for (const body of numbered(10)) expect((await send(body)).status).toBe(502)
    for (const body of numbered(10))
      for (let times = 0; times < 2; times++) expect((await send(body)).status).toBe(204)
    expect((await send({ subject: 'One more' })).status).toBe(429)
  })

  it('are 200 a day for one user, of all links together', async () => {
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
    expect(mailsTo(last)).toEqual([])
    // Who had a mail refused for the day has not lost it for the hour: the other limit was not touched.
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const body of numbered(10)) expect((await send({ ...body, email: last }, admin)).status).toBe(204)
  })
})
