import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { id, int32, integer, nonEmptyText, nullableDateTime } from '../../kernel/contract/fields.ts'
import { auditCountedDays, auditStoppedMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'

const count = integer.check(z.minimum(0))

/** Something that an administrator should look at. */
export const OverviewAttention = z.strictObject({
  kind: z.enum([
    ...(['audit_chain_stopped', 'certificate_ending', 'metadata_not_refreshed', 'rate_limited'] as const),
    'domain_lost',
    ...(['mail_failed', 'mail_unknown', 'address_suppressed', 'logout_not_delivered'] as const),
  ]),
  count: integer.check(z.minimum(1)),
  has_more: z.boolean(),
  time: nullableDateTime,
})
export type OverviewAttention = z.output<typeof OverviewAttention>

/** The days whose failures are reported. */
export const overviewFailureDays = 7
/** Days before the end of a certificate from which it is reported. */
export const overviewCertificateDays = 30

const exampleAttention = {
  kind: 'certificate_ending',
  count: 1,
  has_more: false,
  time: '2026-12-09T08:00:00.000Z',
} as const

describeModel(OverviewAttention, () => ({
  description: 'Something that an administrator should look at.',
  fields: {
    kind: [
      'What it is.',
      `\`audit_chain_stopped\`: a chain of audit events got no new ones for ${describeDuration(auditStoppedMs)}.`,
      `\`certificate_ending\`: the last certificate of one side of a SAML provider ends within ${overviewCertificateDays} days or has ended.`,
      '`domain_lost`: the TXT record that proved a domain of a SAML provider is missing now.',
      '`rate_limited`: accounts, networks or links are refused at the moment.',
      `All others happened in the last ${overviewFailureDays} days.`,
      '`metadata_not_refreshed`: the metadata of a SAML provider could not be fetched.',
      '`mail_failed`: an email was given up. `mail_unknown`: an email may not have been sent.',
      '`address_suppressed`: an address receives no more email, because one bounced or was reported as spam.',
      '`logout_not_delivered`: an OpenID Connect client could not be informed of the end of a session.',
    ].join(' '),
    count: 'How many there are.',
    has_more: 'Whether there are more than `count`, which were not counted.',
    time: 'When the first certificate ends, or until when a stopped chain has its events: ISO 8601, UTC. Null otherwise.',
  },
  example: exampleAttention,
}))

/** The sign-ins of a day. */
export const OverviewDay = z.strictObject({
  date: z.iso.date(),
  succeeded: count,
  passkey: count,
  saml: count,
  email_code: count,
  second_factor: count,
  refused: count,
})
export type OverviewDay = z.output<typeof OverviewDay>

const exampleDay = {
  date: '2026-11-20',
  ...{ succeeded: 412, passkey: 120, saml: 64, email_code: 18, second_factor: 265, refused: 23 },
}

describeModel(OverviewDay, () => ({
  description: 'How often users signed in on a day.',
  fields: {
    date: 'The day, in UTC.',
    succeeded: 'Sign-ins that succeeded, in any way.',
    passkey: 'Those of them with a passkey, alone or after a password.',
    saml: 'Those of them through a SAML provider or an OpenID Connect connection.',
    email_code: 'Those of them with an emailed code.',
    second_factor:
      'Those of them with a second factor. A passkey counts as one. What an identity provider asked for is not known.',
    refused:
      'Sign-ins that were refused. A sign-in that continues with a second factor or a new password is not counted.',
  },
  example: exampleDay,
}))

/** The SAML providers that the overview names. */
export const overviewProviders = 10

/** The sign-ins through a company connection. */
export const OverviewProvider = z.strictObject({
  provider_id: z.nullable(id),
  name: z.nullable(z.string()),
  kind: z.nullable(z.enum(['saml', 'oidc'])),
  succeeded: integer.check(z.minimum(1)),
})
export type OverviewProvider = z.output<typeof OverviewProvider>

const exampleProvider = { provider_id: 3, name: 'Example Ltd', kind: 'saml', succeeded: 64 } as const

describeModel(OverviewProvider, () => ({
  description: 'How often users signed in through a SAML provider or an OpenID Connect connection.',
  fields: {
    provider_id: 'The ID of the provider. Null for all others together.',
    name: 'The name of the provider. Null for all others together, and for a deleted provider.',
    kind: '`saml` for a SAML provider, `oidc` for an OpenID Connect connection. Null where the name is null.',
    succeeded: 'Sign-ins that succeeded on all of the days.',
  },
  example: exampleProvider,
}))

/** The users who were seen in the last days. */
export const ActiveUsers = z.strictObject({ days: integer.check(z.minimum(1)), users: integer })
export type ActiveUsers = z.output<typeof ActiveUsers>

const exampleActive = { days: 7, users: 1840 }

describeModel(ActiveUsers, () => ({
  description: 'How many users were there in the last days.',
  fields: {
    days: 'The number of days with the present one, in UTC.',
    users:
      'The users who used a session on any of these days, each once. Guests of access links do not count.',
  },
  example: exampleActive,
}))

/** What needs attention, and how often users signed in. */
export const Overview = z.strictObject({
  attention: z.array(OverviewAttention),
  days: z.array(OverviewDay),
  providers: z.array(OverviewProvider),
  active_users: z.array(ActiveUsers),
})
export type Overview = z.output<typeof Overview>

describeModel(Overview, () => ({
  description: 'What needs attention, and how often users signed in.',
  fields: {
    attention: 'What an administrator should look at. Empty if nothing needs attention.',
    days: `The last ${auditCountedDays} days with the present one, oldest first. A sign-in is counted within two minutes.`,
    providers: `The ${overviewProviders} SAML providers and OpenID Connect connections with the most sign-ins on these days, then all others together. On days with more than ten providers, some of their sign-ins may be among the others.`,
    active_users: 'The users of the last 1, 7 and 30 days.',
  },
  example: {
    attention: [exampleAttention],
    days: [exampleDay],
    providers: [exampleProvider],
    active_users: [exampleActive],
  },
}))

/** How many entries the lists of the directory have. */
export const Totals = z.strictObject({ users: count, guests: count, groups: count })
export type Totals = z.output<typeof Totals>

describeModel(Totals, () => ({
  description: 'How many users and groups there are.',
  fields: {
    users: 'The number of users without guests, also disabled ones.',
    guests: 'The number of guests of access links. The list of users has both.',
    groups: 'The number of groups.',
  },
  example: { users: 9_993, guests: 212, groups: 3 },
}))

const status = z.enum(['ok', 'failing'])

export const HealthCheck = z.strictObject({
  name: z.enum(['table', 'vault', 'mail']),
  status: z.enum(['ok', 'failing', 'off']),
  detail: z.nullable(nonEmptyText),
  duration_ms: int32,
})
export type HealthCheck = z.output<typeof HealthCheck>

const exampleCheck = { name: 'table', status: 'ok', detail: null, duration_ms: 6 } as const

describeModel(HealthCheck, () => ({
  description: 'The result of one check.',
  fields: {
    name: 'What was checked: `table` (reading data), `vault` (encryption of secrets) or `mail` (the sender of emails).',
    status: '`ok`, `failing`, or `off` for a part that is not configured.',
    detail: 'What is wrong, in one sentence without internal details. Null if nothing is.',
    duration_ms: 'How long the check took, in milliseconds.',
  },
  example: exampleCheck,
}))

const exampleCommit = '29c7398c1f0a4b6d8e5c3a2b1d0f9e8c7b6a5d4e'

export const Health = z.strictObject({
  status,
  version: nonEmptyText,
  commit: z.optional(nonEmptyText),
  checks: z.optional(z.array(HealthCheck)),
})
export type Health = z.output<typeof Health>

describeModel(Health, () => ({
  description: 'Whether the service works.',
  fields: {
    status: '`ok`, or `failing` if a check failed. Without checks, it says that the service answers.',
    version: 'The version of the service.',
    commit: 'The commit that the service was built from, or `unknown`. Only if the request has `deep=true`.',
    checks: 'The checks, if the request has `deep=true`.',
  },
  example: { status: 'ok' as const, version: '0.1.0', commit: exampleCommit, checks: [exampleCheck] },
}))
