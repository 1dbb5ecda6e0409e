import { randomUUID } from 'node:crypto'
import type { SNSEvent } from 'aws-lambda'

/** Creates an SNS event with one record for each message. */
export const snsEvent = (...messages: readonly string[]): SNSEvent => ({
  Records: messages.map((Message) => ({
    EventVersion: '1.0',
    EventSubscriptionArn: 'arn:aws:sns:local:000000000000:MailEvents:1',
    EventSource: 'aws:sns',
    Sns: {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: 'arn:aws:sns:local:000000000000:MailEvents',
      Subject: 'Amazon SES Email Event Notification',
      Message,
      Timestamp: '2026-01-31T12:00:00.000Z',
      SignatureVersion: '1',
      Signature: 'x',
      SigningCertUrl: 'https://sns.local.amazonaws.com/x.pem',
      UnsubscribeUrl: 'https://sns.local.amazonaws.com/',
      MessageAttributes: {},
    },
  })),
})

interface Feedback {
  readonly to: string
  /** The address in the report of the receiving server, if it differs. */
  readonly named?: string
  readonly feedbackId?: string
  readonly type?: string
}

const mailTo = (to: string) => ({
  timestamp: '2026-01-31T12:00:00.000Z',
  source: 'Latchkey <no-reply@mail.example.com>',
  sendingAccountId: '000000000000',
  messageId: randomUUID(),
  destination: [to],
  headersTruncated: false,
  headers: [{ name: 'To', value: to }],
  tags: { 'ses:configuration-set': ['mail'] },
})

/** Creates a bounce message of SES in the format of a configuration set. */
export const bounceMessage = ({ to, named = to, feedbackId = randomUUID(), type = 'Permanent' }: Feedback) =>
  JSON.stringify({
    eventType: 'Bounce',
    bounce: {
      feedbackId,
      bounceType: type,
      bounceSubType: 'General',
      bouncedRecipients: [
        {
          emailAddress: named,
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
      timestamp: '2026-01-31T12:00:01.000Z',
      reportingMTA: 'dns; mta.example.com',
    },
    mail: mailTo(to),
  })

export const complaintMessage = ({ to, named = to, feedbackId = randomUUID(), type }: Feedback) =>
  JSON.stringify({
    eventType: 'Complaint',
    complaint: {
      feedbackId,
      complaintSubType: null,
      complainedRecipients: [{ emailAddress: named }],
      timestamp: '2026-01-31T12:00:01.000Z',
      userAgent: 'ExampleCorp Feedback Loop (V0.01)',
      ...(type !== undefined && { complaintFeedbackType: type }),
    },
    mail: mailTo(to),
  })
