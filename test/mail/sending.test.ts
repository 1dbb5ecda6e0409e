import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { describeFailure, isUnsent } from '../../lib/features/mail/failures.ts'
import { createEmailSender } from '../../lib/features/mail/ses.ts'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { openMailbox } from '../support/mailbox.ts'

const mailbox = closeAfterTests(await openMailbox())

const email = { to: 'ann@example.com', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>' }
const createConfig = (endpoint: string, more: Record<string, string> = {}) =>
  readConfig({
    TABLE_NAME: 't',
    PUBLIC_URL: 'http://127.0.0.1',
    MAIL_FROM: 'no-reply@example.com',
    AWS_ENDPOINT_URL_SES: endpoint,
    ...more,
  })

/** Returns the error of sending through an endpoint. */
const getSendError = async (endpoint: string, timeoutMs?: number): Promise<unknown> => {
  try {
    await createEmailSender(createConfig(endpoint), timeoutMs)(email)
  } catch (error) {
    return error
  }
  throw new Error('the email was sent')
}

/** Starts an endpoint that answers every request with `answer`. */
const startEndpoint = async (answer: Parameters<typeof createServer>[1]) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

it('sends an email with sender, configuration set, and unchanged content', async () => {
  const more = { MAIL_FROM: 'Example <no-reply@example.com>', MAIL_CONFIGURATION_SET: 'the-set' }
  await createEmailSender(createConfig(mailbox.url, more))(email)
  expect(mailbox.mails).toEqual([
    {
      to: ['ann@example.com'],
      from: 'Example <no-reply@example.com>',
      replyTo: [],
      configurationSet: 'the-set',
      subject: 'Hello',
      text: 'Hello\n',
      html: '<p>Hello</p>',
      charsets: ['UTF-8', 'UTF-8', 'UTF-8'],
    },
  ])
})

it('leaves the encoding of other scripts to SES, which makes encoded words of them (RFC 2047)', async () => {
  const subject = 'パスワードが変更されました – Latchkey'
  await createEmailSender(createConfig(mailbox.url))({ ...email, to: 'jun@example.com', subject })
  expect(await mailbox.mailTo('jun@example.com')).toMatchObject({ subject, charsets: Array(3).fill('UTF-8') })
})

it('sends each email over a connection of its own, because a server can close an idle one at any time', async () => {
  const served = new WeakSet<object>()
  const { url, close } = await startEndpoint(({ socket }, response) => {
    if (served.has(socket)) return socket.destroy()
    served.add(socket)
    return response.end('<SendEmailResponse><SendEmailResult/></SendEmailResponse>')
  })
  const send = createEmailSender(createConfig(url))
  for (let sent = 0; sent < 3; sent++) await send(email)
  await close()
})

describe('an email that was certainly not sent', () => {
  it.each([
    [400, 'MessageRejected', /rejected the email/],
    [400, 'MailFromDomainNotVerified', /domain is not verified/],
    [400, 'InvalidParameterValue', /does not accept this address/],
    [400, 'AccountSendingPaused', /paused/],
    [400, 'ConfigurationSetDoesNotExist', /configuration set is missing/],
    [403, 'AccessDenied', /does not allow this service to send/],
    [400, 'Throttling', /does not accept more email at the moment/],
    [400, 'SomethingNew', /email service failed/],
    [503, 'ServiceUnavailable', /email service failed/],
  ])('is explained to the sender: status %d, code %s', async (status, code, sentence) => {
    mailbox.failNext(1, status, code)
    const error = await getSendError(mailbox.url)
    expect(isUnsent(error)).toBe(true)
    expect(describeFailure(error)).toMatch(sentence)
  })

  it('includes one whose connection failed', async () => {
    const { url, close } = await startEndpoint(() => {})
    await close()
    const noHost = Object.assign(new Error('getaddrinfo ENOTFOUND email.local'), { code: 'ENOTFOUND' })
    for (const error of [await getSendError(url), noHost]) {
      expect(isUnsent(error)).toBe(true)
      expect(describeFailure(error)).toBe('The email service could not be reached.')
    }
  })
})

describe('an email that may have been sent', () => {
  it.each([
    ['there is no response', () => {}],
    ['the connection breaks', (request: { destroy: () => void }) => request.destroy()],
    [
      'the response stops in the middle',
      (_: unknown, response: { writeHead: (status: number) => void; write: (text: string) => void }) => {
        response.writeHead(200)
        response.write('<SendEmailResponse>')
      },
    ],
    [
      'the response is a success that cannot be parsed',
      (_: unknown, response: { end: (text: string) => void }) => response.end('<SendEmail'),
    ],
  ])('is not retried if %s', async (_, answer) => {
    const { url, close } = await startEndpoint(answer as Parameters<typeof createServer>[1])
    // Some of these endpoints never answer.
    const error = await getSendError(url, 300)
    expect(isUnsent(error)).toBe(false)
    expect(describeFailure(error)).toMatch(/may or may not have been sent/)
    await close()
  })

  it('is assumed for every error that does not come from the email service', () => {
    for (const error of [undefined, null, 'text', {}, new Error('x'), new TypeError('y')])
      expect(isUnsent(error)).toBe(false)
  })
})
