import * as z from 'zod/mini'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import { id, integer } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { activityMonths } from '../../kernel/limits/limits.ts'
import { signInCounts } from './overview.models.ts'

const count = integer.check(z.minimum(0))
const month = z.string().check(z.regex(/^\d{4}-\d{2}$/))

/** The apps, and the company connections, that are named. */
export const activityObjects = 100

const exampleMonth = docs && {
  month: '2026-11',
  is_settled: false,
  active_users: 1840,
  new_accounts: 420,
  sign_ups: 96,
  invitations_accepted: 41,
  company_accounts: 212,
  imported_accounts: 60,
  sign_ins: 9214,
  password: 4010,
  passkey: 2650,
  saml: 1204,
  oidc: 860,
  email_code: 449,
  invitation: 41,
  second_factor: 5120,
  refused: 318,
}

/** What happened in a month. */
export const ActivityMonth = model(
  {
    month: field(month, docs && 'The month, in UTC.'),
    is_settled: field(
      z.boolean(),
      docs &&
        'Whether the month has ended and its numbers are final, which takes up to half an hour after its end. The numbers of a month that is not settled can grow.',
    ),
    active_users: field(
      count,
      docs &&
        'The users who signed in or used a session in the month, each once. Guests of access links do not count.',
    ),
    new_accounts: field(
      count,
      docs &&
        'Accounts that were created or imported by anybody. Guests of access links do not count. The numbers below are parts of it, except for accepted invitations. The rest was created by administrators and API tokens.',
    ),
    sign_ups: field(
      count,
      docs && 'Accounts that people created themselves, and those whose request to sign up was approved.',
    ),
    invitations_accepted: field(count, docs && 'Invitations that were accepted.'),
    company_accounts: field(
      count,
      docs && 'Accounts that a first sign-in through a company connection created.',
    ),
    imported_accounts: field(count, docs && 'Accounts that an import created.'),
    sign_ins: signInCounts.succeeded,
    password: field(count, docs && 'Those of them with a password.'),
    passkey: signInCounts.passkey,
    saml: field(count, docs && 'Those of them through a SAML provider.'),
    oidc: field(count, docs && 'Those of them through an OpenID Connect connection.'),
    email_code: signInCounts.email_code,
    invitation: field(count, docs && 'Those of them by accepting an invitation, with any method.'),
    second_factor: signInCounts.second_factor,
    refused: signInCounts.refused,
  },
  docs && { description: 'What happened in a month.', example: exampleMonth },
)
export type ActivityMonth = z.output<typeof ActivityMonth>

const signIns = z.array(count)
const exampleSignIns = docs && [0, 0, 0, 0, 0, 0, 0, 0, 120, 340, 512, 640, 702]

/** The sign-ins at an app. */
export const AppActivity = model(
  {
    app_id: field(
      z.nullable(id),
      docs && 'The ID of the OpenID Connect client. Null for all others together.',
    ),
    name: field(
      z.nullable(z.string()),
      docs && 'The name of the client. Null for all others together, and for a deleted client.',
    ),
    sign_ins: field(
      signIns,
      docs && 'The sign-ins at the client in each of the months, in the order of `months`.',
    ),
  },
  docs && {
    description: 'How often users signed in at an OpenID Connect client, also on devices.',
    example: { app_id: 3, name: 'Shop', sign_ins: exampleSignIns },
  },
)
export type AppActivity = z.output<typeof AppActivity>

/** The sign-ins through a company connection. */
export const ConnectionActivity = model(
  {
    connection_id: field(
      z.nullable(id),
      docs && 'The ID of the company connection. Null for all others together.',
    ),
    name: field(
      z.nullable(z.string()),
      docs && 'The name of the connection. Null for all others together, and for a deleted connection.',
    ),
    kind: field(
      z.nullable(z.enum(connectionKinds)),
      docs &&
        '`saml` for a SAML provider, `oidc` for an OpenID Connect connection. Null where the name is null.',
    ),
    sign_ins: field(
      signIns,
      docs && 'The sign-ins through the connection in each of the months, in the order of `months`.',
    ),
  },
  docs && {
    description: 'How often users signed in through a company connection.',
    example: { connection_id: 3, name: 'Example Ltd', kind: 'saml' as const, sign_ins: exampleSignIns },
  },
)
export type ConnectionActivity = z.output<typeof ConnectionActivity>

/** How the service was used in the last months. */
export const Activity = model(
  {
    months: field(
      z.array(ActivityMonth),
      docs &&
        `The last ${activityMonths} months with the present one, oldest first: a year, and the month before it to compare with.`,
    ),
    apps: field(
      z.array(AppActivity),
      docs &&
        `The ${activityObjects} clients with the most sign-ins in the last two months, then all others together.`,
    ),
    connections: field(
      z.array(ConnectionActivity),
      docs &&
        `The ${activityObjects} company connections with the most sign-ins in the last two months, then all others together.`,
    ),
  },
  docs && {
    description: 'How the service was used in the last months.',
    example: {
      months: [exampleMonth],
      apps: [{ app_id: 3, name: 'Shop', sign_ins: [702] }],
      connections: [{ connection_id: 3, name: 'Example Ltd', kind: 'saml' as const, sign_ins: [1204] }],
    },
  },
)
export type Activity = z.output<typeof Activity>
