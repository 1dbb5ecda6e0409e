import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/core/config.ts'
import { describeFailure, isUnsent } from '../../lib/mail/failures.ts'
import { createMailSender } from '../../lib/mail/ses.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'

let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
})
afterAll(() => mailbox.close())

const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello\n', html: '<p>Hello</p>' }
const configOf = (endpoint: string, more: Record<string, string> = {}) =>
  readConfig({
    TABLE_NAME: 't',
    PUBLIC_URL: 'http://127.0.0.1',
    MAIL_FROM: 'no-reply@example.com',
    AWS_ENDPOINT_URL_SES: endpoint,
    ...more,
  })

/** What sending by an endpoint is refused with. */
const failureAt = async (endpoint: string): Promise<unknown> => {
  try {
    await createMailSender(configOf(endpoint), 300)(mail)
  } catch (error) {
    return error
  }
  throw new Error('it was sent')
}

/** An endpoint that does what it is told with each request. */
const endpointThat = async (answer: Parameters<typeof createServer>[1]) => {
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

it('a mail goes out with sender and configuration set, its parts as they are', async () => {
  const more = { MAIL_FROM: 'Example <no-reply@example.com>', MAIL_CONFIGURATION_SET: 'the-set' }
  await createMailSender(configOf(mailbox.url, more))(mail)
  expect(mailbox.mails).toEqual([
    {
      to: ['ann@example.com'],
      from: 'Example <no-reply@example.com>',
      configurationSet: 'the-set',
      subject: 'Hello',
      text: 'Hello\n',
      html: '<p>Hello</p>',
    },
  ])
})

describe('what was certainly not sent', () => {
  it.each([
    [400, 'MessageRejected', /rejected the mail/],
    [400, 'MailFromDomainNotVerified', /domain is not verified/],
    [400, 'InvalidParameterValue', /does not take this address/],
    [400, 'AccountSendingPaused', /paused/],
    [400, 'ConfigurationSetDoesNotExist', /configuration set is missing/],
    [403, 'AccessDenied', /does not let us send/],
    [400, 'Throttling', /no more mail at the moment/],
    [400, 'SomethingNew', /failed to take the mail/],
    [503, 'ServiceUnavailable', /failed to take the mail/],
  ])('%d %s', async (status, code, sentence) => {
    mailbox.failNext(1, status, code)
    const error = await failureAt(mailbox.url)
    expect(isUnsent(error)).toBe(true)
    expect(describeFailure(error)).toMatch(sentence)
  })

  it('is what found nobody', async () => {
    const { url, close } = await endpointThat(() => {})
    await close()
    const noHost = Object.assign(new Error('getaddrinfo ENOTFOUND email.local'), { code: 'ENOTFOUND' })
    for (const error of [await failureAt(url), noHost]) {
      expect(isUnsent(error)).toBe(true)
      expect(describeFailure(error)).toBe('The mail service could not be reached.')
    }
  })
})

describe('what may have been sent', () => {
  it.each([
    ['there was no answer', () => {}],
    ['the connection broke', (request: { destroy: () => void }) => request.destroy()],
    [
      'the answer stopped in the middle',
      (_: unknown, response: { writeHead: (status: number) => void; write: (text: string) => void }) => {
        response.writeHead(200)
        response.write('<SendEmailResponse>')
      },
    ],
    [
      'the answer was good and can’t be read',
      (_: unknown, response: { end: (text: string) => void }) => response.end('<SendEmail'),
    ],
  ])('%s', async (_, answer) => {
    const { url, close } = await endpointThat(answer as Parameters<typeof createServer>[1])
    const startedAt = performance.now()
    const error = await failureAt(url)
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(isUnsent(error)).toBe(false)
    expect(describeFailure(error)).toMatch(/may have been sent, or not/)
    await close()
  })

  it('whatever is no error of the mail service at all', () => {
    for (const error of [undefined, null, 'text', {}, new Error('x'), new TypeError('y')])
      expect(isUnsent(error)).toBe(false)
  })
})
