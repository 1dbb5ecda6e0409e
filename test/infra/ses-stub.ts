import { signerOf } from './dynamodb-proxy.ts'
import { type StubRequest, startStub } from './stub-server.ts'

export interface SentMail {
  readonly to: string
  readonly from: string
  readonly configurationSet: string
}

/** The facts of an email that SES checks with IAM: sender, identity and configuration set. */
interface MailPermission {
  readonly functionId: string
  readonly identity: string
  readonly configurationSet: string
  readonly fromAddress: string
}

const accessDenied =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code></Error></ErrorResponse>'
const taken =
  '<SendEmailResponse><SendEmailResult><MessageId>1</MessageId></SendEmailResult></SendEmailResponse>'

/**
 * Starts a replacement for SES that has verified the domains of all senders. With `mailUrl`, that server answers allowed
 * requests.
 */
export const startSes = async (may: (permission: MailPermission) => boolean, mailUrl?: string) => {
  const mails: SentMail[] = []
  const stub = await startStub(async (request: StubRequest) => {
    const fields = new URLSearchParams(request.body)
    const from = fields.get('Source') ?? ''
    const fromAddress = /<([^>]+)>$/.exec(from)?.[1] ?? from
    const configurationSet = fields.get('ConfigurationSetName') ?? ''
    const identity = fromAddress.slice(fromAddress.indexOf('@') + 1)
    if (!may({ functionId: signerOf(request), identity, configurationSet, fromAddress }))
      return { status: 403, body: accessDenied }
    mails.push({ to: fields.get('Destination.ToAddresses.member.1') ?? '', from, configurationSet })
    if (mailUrl === undefined) return { status: 200, body: taken }
    const answer = await fetch(mailUrl, { method: 'POST', body: request.body })
    return { status: answer.status, body: await answer.text() }
  })
  return { ...stub, mails }
}
