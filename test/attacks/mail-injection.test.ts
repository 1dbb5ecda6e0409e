import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import type { ReceivedMail } from '../support/mailbox.ts'
import { addSharer, mailLink, newAddress, shareLink } from '../support/mailed-links.ts'
import type { SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Every user who may share can make the service send emails to anyone. The sharer's text must stay recognizable as
 * theirs and reach exactly one mailbox.
 */

const service = await useService()
let mallory: SignedInPerson
let link: JsonValue
beforeEach(async () => {
  mallory = await addSharer(service, { full_name: 'Mallory' })
  link = await shareLink(service, mallory)
})

const send = (body: unknown, id = link.id) => mailLink(service, mallory, id, body)
/** Sends to a new address and returns the delivered email. */
const received = async (body: object = {}, id = link.id): Promise<ReceivedMail> => {
  const email = newAddress()
  const answer = await send({ ...body, email }, id)
  if (answer.status !== 204) throw new Error(`it was not sent: ${answer.text}`)
  return service.mailbox.mailTo(email)
}
const refused = async (body: unknown, field: string) => {
  const before = service.mailbox.mails.length
  const answer = await send(body)
  expect(answer.status).toBe(400)
  expect(answer.body.code).toBe('invalid_request')
  expect(new Set(answer.body.errors.map((error: JsonValue) => error.field))).toEqual(new Set([field]))
  expect(service.mailbox.mails).toHaveLength(before)
}

const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** The parts of an email that the service itself writes. */
const ownWords = ({ text, html }: ReceivedMail) => ({
  text: text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('>'))
    .join('\n'),
  html: html.replace(/<blockquote[\s\S]*<\/blockquote>/, ''),
})

describe('the recipient of a link email', () => {
  it.each([
    'victim@example.com\r\nBcc: other@example.com',
    'victim@example.com\nother@example.com',
    'victim@example.com\r',
    '\nvictim@example.com',
    'victim@example.com\u0000',
    'victim@example.com\u2028Bcc: other@example.com',
    'victim@exam\u2029ple.com',
    'victim\u0085@example.com',
    'victim\u200b@example.com',
    'victim\u202e@example.com',
    'victim@example.com,other@example.com',
    'victim@example.com, other@example.com',
    'victim@example.com;other@example.com',
    'victim@example.com other@example.com',
    'Victim <victim@example.com>',
    '<victim@example.com>',
    '"victim"@example.com',
    'victim@example.com (a comment)',
    'group:victim@example.com',
    'victim@other@example.com',
    'victim',
    '@example.com',
    'victim@',
    '',
    ' ',
    'victim@[127.0.0.1]',
    'victim@%65xample.com',
    'victim@example..com',
    'victim@.example.com',
    'victim@example.com/',
    'victim@example.com?cc=other',
    'víctim@example.com',
    '\uff56ictim@example.com',
    `${'v'.repeat(65)}@example.com`,
    `v@${'example.'.repeat(40)}com`,
    `v@${'e'.repeat(50_000)}`,
    null,
    7,
    ['victim@example.com', 'other@example.com'],
    { to: 'victim@example.com' },
  ])('cannot be %j', (email) => refused({ email }, 'email'))

  it.each(['to', 'cc', 'bcc', 'from', 'reply_to', 'headers', 'html', 'attachments', '__proto__'])(
    'is the only header that a request can set, not %s',
    (name) => refused(JSON.parse(`{"${name}": "other@example.com"}`), name),
  )
})

describe('the subject of a link email', () => {
  it.each([
    'a\r\nBcc: other@example.com',
    'a\nb',
    'a\rb',
    'a\u0000b',
    'a\tb',
    'a\u000bb',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\u202emoc.elpmaxe',
    'a\u2067b',
    '',
    ' ',
    'x'.repeat(201),
    null,
    ['a', 'b'],
  ])('cannot be %j', (subject) => refused({ subject }, 'subject'))
})

describe('the text of a link email', () => {
  it.each(['a\u0000b', 'a\u001b[2Jb', 'a\u0008b', 'a\u2028b', 'a\u202eb', '', 'x'.repeat(10_001), null, 5])(
    'cannot be %j',
    (text) => refused({ text }, 'text'),
  )

  it('has a size limit', async () => {
    expect((await send({ text: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('the sharer’s words in a link email', () => {
  const brands = [
    'Latchkey: your password has expired',
    'L\u0430tchkey security alert', // a Cyrillic а
    '\u{1d40b}atchkey support',
    'Re: [Latchkey] Choose a new password',
  ]
  it.each(brands)('are marked as theirs in the subject, with any brand name: %j', async (subject) => {
    const mail = await received({ subject })
    expect(mail.subject).toBe(`“Mallory” (via Latchkey): “${subject}”`)
    expect(mail.text.split('\n')[0]).toBe('“Mallory” shared “Holiday 2026” with you')
    expect(mail.html).not.toContain(subject)
    expect(mail.text).not.toContain(subject)
  })

  it('name the account that wrote them, by a name that it cannot change', async () => {
    await service.client('PATCH', '/api/2/users/me', {
      bearer: mallory.bearer,
      body: { full_name: 'Latchkey Support' },
    })
    const mail = await received()
    expect(mail.text).toContain(`Sent on behalf of “${mallory.user.email}”, who has an account at`)
    expect(mail.html).toContain(`Sent on behalf of “${mallory.user.email}”, who has an account at`)
  })

  it('are quoted in the text, even if they look like an email from the service', async () => {
    const plain = await received()
    const imitation = [
      ...plain.text.replaceAll(/\S+#token=\S+/g, 'https://evil.example/#token=lka_1').split('\n'),
      '</blockquote><h1>Latchkey</h1><p>Your account is locked.</p>',
      '> not even this',
    ].join('\r\n')
    const mail = await received({ text: imitation })
    const said = ownWords(mail)
    expect(said.text).toBe(
      ownWords(plain).text.replace(/^Open the link$/m, (label) => `“Mallory” writes:\n${label}`),
    )
    expect(said.html).not.toMatch(/evil|locked/)
    expect(mail.text.match(/^https?:\S+/gm)).toEqual([link.full_url])
    expect(mail.html.match(/href="[^"]*"/g)).toEqual([`href="${link.full_url}"`])
  })

  it('never reach our own text, a header, or the markup', async () => {
    const plain = ownWords(await received())
    const nasty = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '<',
      '>',
      '"',
      '&',
      '> ',
      '</blockquote>',
      '\u2028',
      '\t',
      '{{',
      '%0d%0a',
    )
    const words = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 5 }), fc.string({ maxLength: 8 })))
      .map((parts) => parts.join('').toWellFormed())
    let taken = 0
    await fc.assert(
      fc.asyncProperty(words, words, async (subject, text) => {
        const email = newAddress()
        const answer = await send({ subject, text, email })
        expect([204, 400]).toContain(answer.status)
        if (answer.status === 400) return
        taken++
        const mail = await service.mailbox.mailTo(email)
        expect(mail.to).toEqual([email])
        expect(mail.subject.startsWith('“Mallory” (via Latchkey): “')).toBe(true)
        expect(mail.subject).not.toMatch(invisible)
        expect(ownWords(mail).text.replace('“Mallory” writes:\n', '')).toBe(plain.text)
        expect(ownWords(mail).html.replace(/<p[^>]*>\s*“Mallory” writes:<\/p>\s*/, '')).toBe(plain.html)
        const quote = mail.html.match(/<blockquote[\s\S]*<\/blockquote>/)?.[0] ?? ''
        expect(quote.slice(1)).not.toMatch(/<(?!br>|\/blockquote>$)/)
      }),
      { numRuns: 150 },
    )
    expect(taken).toBeGreaterThan(15)
  })
})

describe('names in a link email', () => {
  const evil = 'Eve\r\nBcc: other@example.com\u2028<img src=x onerror=alert(1)>\u202e“ with you. Support'
  /** The same in one line, which the name of a shared object has to be. */
  const evilLine = evil.replaceAll(/[\r\n\u2028]+/g, ' ')

  it.each([
    [
      'of the sharer',
      async () => {
        mallory = await addSharer(service, { full_name: evil })
        return (await shareLink(service, mallory)).id
      },
    ],
    [
      'of what is shared',
      async () =>
        (await shareLink(service, mallory, { bundles: [{ id: 1, name: evilLine, root: 1, path: '/' }] })).id,
    ],
  ])('%s become one line of text', async (_, make) => {
    const mail = await received({}, await make())
    expect(mail.subject).toContain('Eve Bcc: other@example.com <img src=x')
    expect(mail.subject).not.toMatch(invisible)
    expect(mail.text.split('\n')[0]).toBe(mail.subject)
    expect(`${mail.text}${mail.html}`.replaceAll('\n', '')).not.toMatch(invisible)
    expect(mail.html).not.toContain('<img')
    expect(mail.to).toHaveLength(1)
  })

  it('are shortened when they are very long, so that the subject stays readable', async () => {
    mallory = await addSharer(service, { full_name: `Mallory ${'very '.repeat(49)}` })
    const name = 'x'.repeat(1023)
    const long = await shareLink(service, mallory, {
      directories: [{ id: 1, name, root: 1, path: '/' }],
      bundles: [],
    })
    const mail = await received({}, long.id)
    expect(mail.subject.length).toBeLessThan(200)
    expect(mail.subject).toMatch(/^“Mallory very .*…” shared “x+…” with you$/)
  })
})
