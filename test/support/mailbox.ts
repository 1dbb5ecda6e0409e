import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from './wait-for.ts'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly from: string
  readonly replyTo: readonly string[]
  readonly configurationSet: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The encodings of subject, text and HTML. */
  readonly charsets: readonly string[]
}

export interface Mailbox {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** The emails to this address so far. */
  readonly mailsTo: (address: string | null) => readonly ReceivedMail[]
  /** Waits for an email to this address that is wanted, and returns the latest one. */
  readonly mailTo: (
    address: string | null,
    isWanted?: (mail: ReceivedMail) => boolean,
  ) => Promise<ReceivedMail>
  /** Rejects the next emails with this status. */
  readonly failNext: (times: number, status: number, code?: string) => void
  /** Accepts the next emails but breaks the connection instead of responding. */
  readonly loseNext: (times: number) => void
  readonly close: () => Promise<void>
}

/** Starts a stub of SES that collects the emails sent to it. */
export const openMailbox = async (): Promise<Mailbox> => {
  const mails: ReceivedMail[] = []
  const mailsTo: Mailbox['mailsTo'] = (address) =>
    mails.filter(({ to }) => address !== null && to.includes(address))
  let failures: { status: number; code: string }[] = []
  let losses = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const failure = failures.shift()
      response.writeHead(failure?.status ?? 200, { 'content-type': 'text/xml' })
      if (failure !== undefined) {
        response.end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>${failure.code}</Code></Error></ErrorResponse>`,
        )
        return
      }
      const fields = new URLSearchParams(body)
      const get = (name: string) => fields.get(name) ?? ''
      mails.push({
        to: [...fields].filter(([name]) => name.startsWith('Destination.')).map(([, value]) => value),
        from: get('Source'),
        replyTo: [...fields].filter(([name]) => name.startsWith('ReplyTo')).map(([, value]) => value),
        configurationSet: get('ConfigurationSetName'),
        subject: get('Message.Subject.Data'),
        text: get('Message.Body.Text.Data'),
        html: get('Message.Body.Html.Data'),
        charsets: ['Subject', 'Body.Text', 'Body.Html'].map((part) => get(`Message.${part}.Charset`)),
      })
      if (losses > 0) {
        losses--
        request.socket.destroy()
        return
      }
      response.end(
        '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    mailsTo,
    mailTo: (address, isWanted = () => true) =>
      waitFor(() => {
        const found = mailsTo(address).findLast(isWanted)
        if (!found) throw new Error(`no such email arrived for ${address}`)
        return found
      }),
    failNext: (times, status, code = 'MessageRejected') => {
      failures = Array.from({ length: times }, () => ({ status, code }))
    },
    loseNext: (times) => {
      losses = times
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
