import { auditRetentionMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { AuditEvent } from '../../models/audit-events.ts'
import { describeModel } from '../describe.ts'
import { exampleAddress, exampleIds, exampleTimes, exampleUserAgent } from '../example-values.ts'

export const auditEventsTexts = [
  describeModel(AuditEvent, {
    description: `A record of who did what to whom, and with what result. It is written together with the change and kept for ${describeDuration(auditRetentionMs)}.`,
    fields: {
      id: 'The ID of the event: its time and a random part. Events in the order of their IDs are in the order of time.',
      created_at: 'When it happened: ISO 8601, UTC.',
      event:
        'The name of the event, such as `login.succeeded`. The reference of audit events lists all names. Later versions can add some.',
      user: 'The ID of the user whose account is affected. Null if there is none.',
      user_name:
        'The current username of `user`, or the last one of a deleted user. Null if no user had this ID.',
      actor:
        'The ID of the user who acted. During an impersonation, this is the administrator. Null without a signed-in user.',
      actor_name: 'The username of `actor`, found in the same way as `user_name`.',
      ip: 'The IP address of the client. The server of a product can name the address of its user instead.',
      product:
        'The ID of the user whose API token named the address. Only present if the server of a product named it.',
      request_id:
        'The ID of the request. The response had it in the header `X-Request-Id`, and the log has it, too.',
      target:
        'The object that was affected, such as an ID or the names of changed fields. Its meaning depends on the event. Null if there is none.',
      outcome: '`succeeded`, or the reason why the request was refused.',
      credential:
        'The kind of credential of the caller, such as `session` or `api_token`. Missing without one.',
      user_agent:
        'The beginning of the user agent of the request. Its sender chose it. Missing if there was none.',
      username_tried:
        'The name that was entered in a failed attempt. Missing if it may be a password that was entered in the wrong field.',
      count: 'How many refusals the event stands for. Only events that can stand for several have it.',
    },
    example: {
      id: `${exampleTimes.signedIn}#ExampleEvent`,
      created_at: exampleTimes.signedIn,
      event: 'ticket.created',
      user: exampleIds.user,
      user_name: 'ada',
      actor: exampleIds.user,
      actor_name: 'ada',
      ip: exampleAddress,
      request_id: 'JKJaXmPLoAMESGQ=',
      target: null,
      outcome: 'succeeded',
      credential: 'session',
      user_agent: exampleUserAgent,
    },
  }),
]
