import * as z from 'zod/mini'

import {
  exampleAddress,
  exampleIds,
  exampleRateLimitKey,
  exampleSuppressedKey,
} from '../../accounts/example-values.models.ts'
import {
  adminWithScope,
  type CredentialKind,
  withPermission,
  withPermissionBySession,
} from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { givenDateTime } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryId,
  queryNames,
  queryText,
} from '../../kernel/contract/query.ts'
import { Activity } from './activity.models.ts'
import { AuditEvent, RateLimitedSubject, SuppressedAddress } from './models.ts'
import { Overview } from './overview.models.ts'

/** Belongs to the group of audit events, because the counts come from them. */
/** The kinds of credential that events can have. */
const credentialKinds = [
  'session',
  'api_token',
  'organization_token',
  'reset_token',
  'scim_token',
  'configuration',
] as const satisfies readonly (CredentialKind | 'configuration')[]

export const auditOverview = {
  getOverview: defineOperation({
    id: 'get_overview',
    group: 'audit',
    method: 'GET',
    path: '/api/2/overview',
    access: adminWithScope('audit-events:view'),
    summary: 'Get what needs attention, and how often users signed in',
    responses: { 200: docs && Overview },
    text:
      docs &&
      describe(() => ({
        description: `Returns what an administrator should look at, and the sign-ins of each day. It takes the same number of calls to the table
for any number of users and events. Of SAML providers, it looks at the first 300.

The counts of days come from the chains of audit events. If the chains stop, the counts stop as well, and \`attention\` says so.`,
        parameters: {},
        responses: { 200: [{ summary: 'A certificate ends', value: exampleOf(Overview) }] },
      })),
  }),
  getActivity: defineOperation({
    id: 'get_activity',
    group: 'audit',
    method: 'GET',
    path: '/api/2/activity',
    access: adminWithScope('audit-events:view'),
    summary: 'Get active users, sign-ups and sign-ins of the last months',
    responses: { 200: docs && Activity },
    text:
      docs &&
      describe(() => ({
        description: `Returns how many people used the service in each of the last months: active users, new accounts, and sign-ins by method, client and
company connection. Numbers stay after the events that they come from have expired, and after users are deleted.

A request with an older session counts at once. All other numbers come from the chains of audit events, within two minutes, and each event
counts once. If the chains stop, these numbers stop as well, and the overview says so.`,
        parameters: {},
        responses: { 200: [{ summary: 'A month', value: exampleOf(Activity) }] },
      })),
  }),
}

export const audit = {
  ...auditOverview,
  getAuditEvents: defineOperation({
    id: 'get_audit_events',
    group: 'audit',
    method: 'GET',
    path: '/api/2/auth/audit-events',
    access: adminWithScope('audit-events:view'),
    summary: 'List audit events, newest first',
    query: z.strictObject({
      user: z.optional(queryId),
      actor: z.optional(queryId),
      credential: z.optional(z.enum(credentialKinds)),
      credential_id: z.optional(queryId),
      field: z.optional(queryText),
      event: z.optional(queryNames),
      target: z.optional(queryText),
      organization: z.optional(queryId),
      ip: z.optional(queryText),
      request_id: z.optional(queryText),
      failed: z.optional(queryBoolean),
      since: z.optional(givenDateTime),
      until: z.optional(givenDateTime),
      ordering: ordering(['created_at'], '-created_at'),
      ...paging,
    }),
    responses: { 200: docs && z.array(AuditEvent) },
    text:
      docs &&
      describe(() => ({
        description: `Lists who did what, and with what result: sign-ins, tickets, changes of users and settings, and refused requests. The
newest event comes first. All filters must match.

The filters \`user\`, \`actor\`, \`organization\`, and \`credential_id\` with the kind of an API token have an index, so a page takes as long with any
number of events. The other filters select among what these found, or among all events: up to 1,000 for each request. If few of them
match, the page is short or empty, and its \`Link\` header leads on.

Events are kept for as long as the setting \`auditRetentionDays\` says. Most appear at once. Refusals of the same kind can be combined into one event, whose \`count\`
is their number. To follow new events, remember the newest \`created_at\`, and request the events \`since\` then.`,
        parameters: {
          user: { description: 'Only events that affect the account of this user.', example: 7 },
          actor: {
            description:
              'Only events that this user caused. During an impersonation, this is the administrator.',
            example: 1,
          },
          credential: {
            description: 'Only events of callers with this kind of credential.',
            example: 'api_token',
          },
          credential_id: {
            description:
              'Only events of the credential with this ID. Also name its kind as `credential`, and of a session its user as `actor`: credentials of different kinds, and sessions of different users, can have the same ID.',
            example: exampleIds.apiToken,
          },
          field: {
            description:
              'Only events in whose `changes` this field is, or a part of it, such as `permissions`.',
            example: 'permissions',
          },
          event: {
            description:
              'Only events with one of these names, such as `login.failed`, separated by commas. Each name must be complete. An unknown name is a 400.',
            example: 'login.succeeded,login.failed',
          },
          target: {
            description:
              'Only events whose `target` is this text, or begins with it and a space. For an ID, also name the events: IDs of several kinds can be equal.',
            example: '12',
          },
          organization: {
            description: 'Only events about this organization and its members.',
            example: exampleIds.organization,
          },
          ip: {
            description: 'Only events from exactly this IP address, in the form that events show.',
            example: exampleAddress,
          },
          request_id: { description: 'Only events of this request.', example: 'JKJaXmPLoAMESGQ=' },
          failed: {
            description:
              'With `true`, only events of what was refused or failed. A step after which a sign-in goes on is none of them.',
            example: true,
          },
          since: {
            description: 'Only events at or after this time, in ISO 8601.',
            example: '2026-11-01T00:00:00Z',
          },
          until: {
            description: 'Only events before this time, in ISO 8601.',
            example: '2026-12-01T00:00:00Z',
          },
        },
        responses: { 200: [{ summary: 'A sign-in', value: [exampleOf(AuditEvent)] }] },
      })),
  }),
  getRateLimitedSubjects: defineOperation({
    id: 'get_rate_limited_subjects',
    group: 'audit',
    method: 'GET',
    path: '/api/2/rate-limited',
    access: withPermission('users:manage'),
    summary: 'List accounts, networks and links that reached a rate limit, newest first',
    query: z.strictObject({
      name: z.optional(queryText),
      user: z.optional(queryId),
      ordering: ordering(['since'], '-since'),
      ...paging,
    }),
    responses: { 200: docs && z.array(RateLimitedSubject) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the accounts, networks and access links whose requests are refused at the moment, because they reached a rate limit.
The newest comes first. Use it to help people who are locked out, and to see attacks.

Names that were typed in are never stored, because they can be passwords in the wrong field. So an unknown name appears
without a user. The wait after a few wrong passwords for one account from one network is \`signInDelays\`. It is listed once a
sign-in was refused because of it, and ends after 15 minutes at the latest.`,
        parameters: {
          name: {
            description: 'Only this rate limit, such as `addressFailures`. An unknown name is a 400.',
            example: 'addressFailures',
          },
          user: { description: 'Only limits that the account of this user reached.', example: 7 },
        },
        responses: { 200: [{ summary: 'A network', value: [exampleOf(RateLimitedSubject)] }] },
      })),
  }),
  liftRateLimit: defineOperation({
    id: 'lift_rate_limit',
    group: 'audit',
    method: 'DELETE',
    path: '/api/2/rate-limited/{key}',
    access: withPermissionBySession('users:manage'),
    summary: 'Forget what a rate limit counted, so that requests are accepted again',
    responses: { 204: null },
    errors: ['not_found', 'permission_denied'],
    recentAuthentication: true,
    notWhileImpersonating: true,
    audit: ['rate_limit.lifted'],
    text:
      docs &&
      describe(() => ({
        description: `Forgets what a rate limit counted, so that the account, network or link can try again at once. Failures are counted anew
from then on. A network that failed to look up tickets, links or reset tokens can be refused for another minute.

For an account, callers need the same permissions as to change the user.`,
        parameters: {
          key: {
            description: 'The `key` of the count, from `get_rate_limited_subjects`.',
            example: exampleRateLimitKey,
          },
        },
      })),
  }),
  getSuppressedAddresses: defineOperation({
    id: 'get_suppressed_addresses',
    group: 'audit',
    method: 'GET',
    path: '/api/2/suppressed-addresses',
    access: withPermission('users:manage'),
    summary: 'List email addresses that receive no email, newest first',
    query: z.strictObject({
      address: z.optional(queryText),
      ordering: ordering(['since'], '-since'),
      ...paging,
    }),
    responses: { 200: docs && z.array(SuppressedAddress) },
    text:
      docs &&
      describe(() => ({
        description: `Lists the email addresses to which the service sends nothing, because an email bounced or was reported as spam. The newest
comes first. Deployments that send email through SES have such a list, local mode does not.`,
        parameters: {
          address: {
            description: 'Only this address. Case makes no difference.',
            example: 'grace@example.com',
          },
        },
        responses: { 200: [{ summary: 'An address', value: [exampleOf(SuppressedAddress)] }] },
      })),
  }),
  liftSuppression: defineOperation({
    id: 'lift_suppression',
    group: 'audit',
    method: 'DELETE',
    path: '/api/2/suppressed-addresses/{key}',
    access: withPermissionBySession('users:manage'),
    summary: 'Let an address receive email again',
    responses: { 204: null },
    errors: ['not_found'],
    notWhileImpersonating: true,
    audit: ['mail.suppression_lifted'],
    text:
      docs &&
      describe(() => ({
        description: `Lets an address receive email again, such as after its mailbox was created. The next bounce or complaint suppresses it
anew. SES can have a suppression list of its own for the AWS account, which this does not change.`,
        parameters: {
          key: {
            description: 'The `key` of the address, from `get_suppressed_addresses`.',
            example: exampleSuppressedKey,
          },
        },
      })),
  }),
}
