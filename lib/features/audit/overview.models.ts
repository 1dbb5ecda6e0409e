import * as z from 'zod/mini'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import { id, int32, integer, nonEmptyText, nullableDateTime } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { auditCountedDays, auditStoppedMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'

const count = integer.check(z.minimum(0))

/** The days whose failures are reported. */
export const overviewFailureDays = 7
/** Days before the end of a certificate from which it is reported. */
export const overviewCertificateDays = 30

/** How many things an entry names. */
export const overviewNamed = 10

const exampleThing = docs && {
  connection: 3,
  connection_kind: 'saml' as const,
  user: null,
  name: 'Example Ltd',
  domain: null,
  time: '2026-12-09T08:00:00.000Z',
}

/** One of the things that an administrator should look at. */
export const OverviewThing = model(
  {
    connection: field(z.nullable(id), docs && 'The ID of the company connection. Null if it is none.'),
    connection_kind: field(
      z.nullable(z.enum(connectionKinds)),
      docs && '`saml` or `oidc`, as the connection. Null if it is none.',
    ),
    user: field(z.nullable(id), docs && 'The ID of the user. Null if it is none.'),
    name: field(
      z.nullable(z.string()),
      docs &&
        'The name of the connection, the username, or the network that must wait. Null if a name was counted that belongs to no account.',
    ),
    domain: field(z.nullable(z.string()), docs && 'The email domain whose proof is lost. Null otherwise.'),
    time: field(
      nullableDateTime,
      docs &&
        'When the last certificate of one side ends, or until when the account or network must wait: ISO 8601, UTC. Null if it takes a success or a new password, and otherwise.',
    ),
  },
  docs && { description: 'One of the things that an administrator should look at.', example: exampleThing },
)
export type OverviewThing = z.output<typeof OverviewThing>

const exampleAttention = docs && {
  kind: 'certificate_ending' as const,
  count: 1,
  has_more: false,
  time: '2026-12-09T08:00:00.000Z',
  things: [exampleThing],
}

/** Something that an administrator should look at. */
export const OverviewAttention = model(
  {
    kind: field(
      z.enum([
        ...(['audit_chain_stopped', 'certificate_ending', 'metadata_not_refreshed', 'rate_limited'] as const),
        'domain_lost',
        ...(['mail_failed', 'mail_unknown', 'address_suppressed', 'logout_not_delivered'] as const),
      ]),
      docs &&
        [
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
    ),
    count: field(integer.check(z.minimum(1)), docs && 'How many there are.'),
    has_more: field(z.boolean(), docs && 'Whether there are more than `count`, which were not counted.'),
    time: field(
      nullableDateTime,
      docs &&
        'When the first certificate ends, or until when a stopped chain has its events: ISO 8601, UTC. Null otherwise.',
    ),
    things: field(
      z.array(OverviewThing),
      docs &&
        `The first ${overviewNamed} of them by name, for \`certificate_ending\`, \`domain_lost\` and \`rate_limited\`. Empty otherwise: the audit log has them.`,
    ),
  },
  docs && { description: 'Something that an administrator should look at.', example: exampleAttention },
)
export type OverviewAttention = z.output<typeof OverviewAttention>

const exampleDay = docs && {
  date: '2026-11-20',
  succeeded: 412,
  passkey: 120,
  saml: 64,
  email_code: 18,
  second_factor: 265,
  refused: 23,
}

/** What is counted of the sign-ins of any time. */
export const signInCounts = {
  succeeded: field(count, docs && 'Sign-ins that succeeded, by any method.'),
  passkey: field(count, docs && 'Those of them with a passkey, alone or after a password.'),
  email_code: field(count, docs && 'Those of them with an emailed code.'),
  second_factor: field(
    count,
    docs &&
      'Those of them with a second factor. A passkey counts as one. What an identity provider asked for is not known.',
  ),
  refused: field(
    count,
    docs &&
      'Sign-ins that were refused. A sign-in that continues with a second factor or a new password is not counted.',
  ),
}

/** The sign-ins of a day. */
export const OverviewDay = model(
  {
    date: field(z.iso.date(), docs && 'The day, in UTC.'),
    succeeded: signInCounts.succeeded,
    passkey: signInCounts.passkey,
    saml: field(count, docs && 'Those of them through a SAML provider or an OpenID Connect connection.'),
    email_code: signInCounts.email_code,
    second_factor: signInCounts.second_factor,
    refused: signInCounts.refused,
  },
  docs && { description: 'How often users signed in on a day.', example: exampleDay },
)
export type OverviewDay = z.output<typeof OverviewDay>

/** The SAML providers that the overview names. */
export const overviewProviders = 10

const exampleProvider =
  docs && ({ provider_id: 3, name: 'Example Ltd', kind: 'saml', succeeded: 64 } as const)

/** The sign-ins through a company connection. */
export const OverviewProvider = model(
  {
    provider_id: field(z.nullable(id), docs && 'The ID of the provider. Null for all others together.'),
    name: field(
      z.nullable(z.string()),
      docs && 'The name of the provider. Null for all others together, and for a deleted provider.',
    ),
    kind: field(
      z.nullable(z.enum(connectionKinds)),
      docs &&
        '`saml` for a SAML provider, `oidc` for an OpenID Connect connection. Null where the name is null.',
    ),
    succeeded: field(integer.check(z.minimum(1)), docs && 'Sign-ins that succeeded on all of the days.'),
  },
  docs && {
    description: 'How often users signed in through a SAML provider or an OpenID Connect connection.',
    example: exampleProvider,
  },
)
export type OverviewProvider = z.output<typeof OverviewProvider>

const exampleActive = docs && { days: 7, users: 1840 }

/** The users who were seen in the last days. */
export const ActiveUsers = model(
  {
    days: field(integer.check(z.minimum(1)), docs && 'The number of days with the present one, in UTC.'),
    users: field(
      integer,
      docs &&
        'The users who used a session on any of these days, each once. Guests of access links do not count.',
    ),
  },
  docs && { description: 'How many users were there in the last days.', example: exampleActive },
)
export type ActiveUsers = z.output<typeof ActiveUsers>

/** What needs attention, and how often users signed in. */
export const Overview = model(
  {
    attention: field(
      z.array(OverviewAttention),
      docs && 'What an administrator should look at. Empty if nothing needs attention.',
    ),
    days: field(
      z.array(OverviewDay),
      docs &&
        `The last ${auditCountedDays} days with the present one, oldest first. A sign-in is counted within two minutes.`,
    ),
    providers: field(
      z.array(OverviewProvider),
      docs &&
        `The ${overviewProviders} SAML providers and OpenID Connect connections with the most sign-ins on these days, then all others together. On days with more than ten providers, some of their sign-ins may be among the others.`,
    ),
    active_users: field(z.array(ActiveUsers), docs && 'The users of the last 1, 7 and 30 days.'),
  },
  docs && {
    description: 'What needs attention, and how often users signed in.',
    example: {
      attention: [exampleAttention],
      days: [exampleDay],
      providers: [exampleProvider],
      active_users: [exampleActive],
    },
  },
)
export type Overview = z.output<typeof Overview>

/** How many entries the lists of the directory have. */
export const Totals = model(
  {
    users: field(count, docs && 'The number of users without guests, also disabled ones.'),
    guests: field(count, docs && 'The number of guests of access links. The list of users has both.'),
    groups: field(count, docs && 'The number of groups.'),
  },
  docs && {
    description: 'How many users and groups there are.',
    example: { users: 9_993, guests: 212, groups: 3 },
  },
)
export type Totals = z.output<typeof Totals>

const status = z.enum(['ok', 'failing'])

const exampleCheck = docs && ({ name: 'table', status: 'ok', detail: null, duration_ms: 6 } as const)

export const HealthCheck = model(
  {
    name: field(
      z.enum(['table', 'vault', 'mail']),
      docs &&
        'What was checked: `table` (reading data), `vault` (encryption of secrets) or `mail` (the sender of emails).',
    ),
    status: field(
      z.enum(['ok', 'failing', 'off']),
      docs && '`ok`, `failing`, or `off` for a part that is not configured.',
    ),
    detail: field(
      z.nullable(nonEmptyText),
      docs && 'What is wrong, in one sentence without internal details. Null if nothing is.',
    ),
    duration_ms: field(int32, docs && 'How long the check took, in milliseconds.'),
  },
  docs && { description: 'The result of one check.', example: exampleCheck },
)
export type HealthCheck = z.output<typeof HealthCheck>

const exampleCommit = docs && '29c7398c1f0a4b6d8e5c3a2b1d0f9e8c7b6a5d4e'

export const Health = model(
  {
    status: field(
      status,
      docs && '`ok`, or `failing` if a check failed. Without checks, it says that the service answers.',
    ),
    version: field(nonEmptyText, docs && 'The version of the service.'),
    commit: field(
      z.optional(nonEmptyText),
      docs &&
        'The commit that the service was built from, or `unknown`. Only if the request has `deep=true`.',
    ),
    checks: field(z.optional(z.array(HealthCheck)), docs && 'The checks, if the request has `deep=true`.'),
  },
  docs && {
    description: 'Whether the service works.',
    example: { status: 'ok' as const, version: '0.1.0', commit: exampleCommit, checks: [exampleCheck] },
  },
)
export type Health = z.output<typeof Health>
