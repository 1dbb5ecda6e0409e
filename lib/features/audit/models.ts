import * as z from 'zod/mini'
import {
  exampleAddress,
  exampleIds,
  exampleRateLimitKey,
  exampleSuppressedKey,
  exampleTimes,
  exampleUserAgent,
} from '../../accounts/example-values.models.ts'
import { anyText, dateTime, id, nonEmptyText, nullableDateTime } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { eventChangesMax, suppressionMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'

const nullableId = z.nullable(id)

const changeValue = z.nullable(z.union([z.string(), z.number(), z.boolean()]))

/** A changed field in an event. */
export const AuditEventChange = model(
  {
    field: field(
      nonEmptyText,
      docs && {
        description:
          'The name of the field in the model. Parts of it follow after a point: `editor.permissions`.',
        example: 'permissions',
      },
    ),
    from: field(
      z.optional(changeValue),
      docs && {
        description:
          'The value before. Null for an entry that was added to a list, and for a field that was not set.',
        example: null,
      },
    ),
    to: field(
      z.optional(changeValue),
      docs && {
        description: 'The value after. Null for an entry that was taken out of a list.',
        example: 'films:edit',
      },
    ),
    state: field(
      z.optional(z.enum(['erased', 'withheld'])),
      docs &&
        'Why a name, an address or an attribute of a person has no values here. `erased`: they were deleted with the person, or after `auditPersonalDays`. `withheld`: the caller lacks `users:view`. Missing otherwise.',
    ),
  },
  docs && {
    description:
      'A field that changed. Each entry that was added to a list or taken out of it is a change of its own. Without `from` and `to`, it is only known that the field changed: events never have secrets and long texts.',
    example: { field: 'permissions', from: null, to: 'films:edit' },
  },
)
export type AuditEventChange = z.output<typeof AuditEventChange>

/** A record of who did what to whom, and with what result. */
export const AuditEvent = model(
  {
    id: field(
      nonEmptyText,
      docs &&
        'The ID of the event: its time and a random part. Events in the order of their IDs are in the order of time.',
    ),
    created_at: field(dateTime, docs && 'When it happened: ISO 8601, UTC.'),
    clock_time: field(
      z.optional(dateTime),
      docs &&
        'The time of the clock of the service, if it was behind events that were signed before. `created_at` is then a time after them. Missing otherwise.',
    ),
    event: field(
      nonEmptyText,
      docs &&
        'The name of the event, such as `login.succeeded`. The reference of audit events lists all names. Later versions can add some.',
    ),
    user: field(nullableId, docs && 'The ID of the user whose account is affected. Null if there is none.'),
    user_name: field(
      z.nullable(anyText),
      docs &&
        'The current username of `user`, or the last one of a deleted user. Null if no user had this ID.',
    ),
    actor: field(
      nullableId,
      docs &&
        'The ID of the user who acted. During an impersonation, this is the administrator. Null without a signed-in user.',
    ),
    actor_name: field(
      z.nullable(anyText),
      docs && 'The username of `actor`, found in the same way as `user_name`.',
    ),
    ip: field(
      anyText,
      docs &&
        'The IP address of the client. The server of a product can name the address of its user instead.',
    ),
    product: field(
      z.optional(id),
      docs &&
        'The ID of the user whose API token named the address. Only present if the server of a product named it.',
    ),
    request_id: field(
      anyText,
      docs &&
        'The ID of the request. The response had it in the header `X-Request-Id`, and the log has it, too.',
    ),
    organization: field(
      z.optional(id),
      docs && 'The ID of the organization that the event is about. Missing without one.',
    ),
    target: field(
      z.nullable(anyText),
      docs &&
        'The object that was affected, such as an ID or the names of changed fields. Its meaning depends on the event. Null if there is none.',
    ),
    changes: field(
      z.optional(z.array(AuditEventChange)),
      docs && `The fields that changed, up to ${eventChangesMax}. Missing if the event is about none.`,
    ),
    changes_omitted: field(
      z.optional(z.int()),
      docs && 'How many more changes there were. Missing if there were none.',
    ),
    outcome: field(nonEmptyText, docs && '`succeeded`, or the reason why the request was refused.'),
    credential: field(
      z.optional(nonEmptyText),
      docs && 'The kind of credential of the caller, such as `session` or `api_token`. Missing without one.',
    ),
    credential_id: field(
      z.optional(id),
      docs &&
        'The ID of this credential: of a session, of an API token, or of an API token of an organization. Missing for all others.',
    ),
    actor_principal: field(
      z.optional(nonEmptyText),
      docs &&
        'The ARN of the AWS principal that changed the configuration: its role and session name, as IAM proved them. It begins with `unverified:` if CloudFormation named the stack, and in regions without function URLs, where the name of the alias follows. For an API token of an organization, `organization-token:` and its ID. Missing for all other callers.',
    ),
    user_agent: field(
      z.optional(nonEmptyText),
      docs &&
        'The beginning of the user agent of the request. Its sender chose it. Missing if there was none.',
    ),
    username_tried: field(
      z.optional(nonEmptyText),
      docs &&
        'The name that was entered in a failed attempt. Missing if it may be a password that was entered in the wrong field.',
    ),
    count: field(
      z.optional(z.int().check(z.minimum(1))),
      docs && 'How many refusals the event stands for. Only events that can stand for several have it.',
    ),
  },
  docs && {
    description: `A record of who did what to whom, and with what result. It is written together with the change and kept for as long as the setting \`auditRetentionDays\` says.`,
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
      credential_id: exampleIds.session,
      user_agent: exampleUserAgent,
    },
  },
)
export type AuditEvent = z.output<typeof AuditEvent>

/** Something that reached a rate limit, and is refused until it has fewer events. */
export const RateLimitedSubject = model(
  {
    key: field(nonEmptyText, docs && 'Identifies the count in paths.'),
    name: field(
      nonEmptyText,
      docs && {
        description:
          'The name of the rate limit, or `signInDelays` for the wait after wrong passwords for one account from one network. The reference of rate limits lists all names.',
        example: 'addressFailures',
      },
    ),
    user: field(
      z.nullable(id),
      docs && 'The ID of the user whose account is limited. Null if it is no account.',
    ),
    user_name: field(
      z.nullable(anyText),
      docs && 'The username of `user`. Null for callers without the permission `users:view`.',
    ),
    network: field(
      z.nullable(nonEmptyText),
      docs &&
        'The network whose requests are limited: an IPv4 address, or the first 64 bits of an IPv6 address. Null if it is no network. With `signInDelays`, the network from which the account must wait.',
    ),
    access_token: field(
      z.nullable(id),
      docs && 'The ID of the access link that is limited. Null if it is none.',
    ),
    since: field(
      dateTime,
      docs &&
        'When the limit was reached: ISO 8601, UTC. It is renewed once in each window of the limit while requests continue.',
    ),
    until: field(
      nullableDateTime,
      docs &&
        'When requests are accepted again if none is counted until then: ISO 8601, UTC. Null if it takes a success or a new password.',
    ),
  },
  docs && {
    description:
      'An account, network or access link that reached a rate limit. `user` or `network` says which, and both for the wait of an account in one network. All are null if a name was counted that belongs to no account, or that is not shown to anyone.',
    example: {
      key: exampleRateLimitKey,
      name: 'addressFailures',
      user: null,
      user_name: null,
      network: exampleAddress,
      access_token: null,
      since: exampleTimes.signedIn,
      until: exampleTimes.codeEnd,
    },
  },
)
export type RateLimitedSubject = z.output<typeof RateLimitedSubject>

/** An email address that receives no email, because an email bounced or its recipient complained. */
export const SuppressedAddress = model(
  {
    key: field(
      nonEmptyText,
      docs && 'Identifies the address in paths. Addresses can contain characters that paths cannot.',
    ),
    address: field(
      nonEmptyText,
      docs && {
        description: 'The address in the form that is compared: in lower case.',
        example: 'grace@example.com',
      },
    ),
    reason: field(
      z.enum(['bounce', 'complaint']),
      docs &&
        '`bounce` if the address does not exist, `complaint` if its recipient reported an email as spam.',
    ),
    since: field(dateTime, docs && 'When it was last reported: ISO 8601, UTC.'),
    until: field(dateTime, docs && 'When the address receives email again: ISO 8601, UTC.'),
  },
  docs && {
    description: `An email address that receives no email. An email to it bounced for good, or its recipient reported one as spam. It ends after ${describeDuration(suppressionMs)}.`,
    example: {
      key: exampleSuppressedKey,
      address: 'grace@example.com',
      reason: 'bounce' as const,
      since: '2026-11-18T16:20:00.000Z',
      until: '2027-05-17T16:20:00.000Z',
    },
  },
)
export type SuppressedAddress = z.output<typeof SuppressedAddress>
