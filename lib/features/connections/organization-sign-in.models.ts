import * as z from 'zod/mini'
import { exampleCredentials, exampleIds, exampleUrl } from '../../accounts/example-values.models.ts'
import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import { exampleOf } from '../../kernel/contract/describe.ts'
import {
  flag,
  id,
  integer,
  nonEmptyText,
  nullableDateTime,
  text,
  text255,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { ConnectionDomain } from './domains.models.ts'

const texts = z.array(nonEmptyText)
const exampleCallback = docs && `${exampleUrl}/api/2/auth/oidc-connections/${exampleIds.oidcConnection}`

const fields = {
  id: field(id, docs && 'The ID of the connection.'),
  kind: field(z.enum(connectionKinds), docs && 'The protocol that the identity provider speaks.'),
  name: field(nonEmptyText, docs && 'The name of the connection, which people see when they sign in.'),
  state: field(
    z.enum(['in_setup', 'awaits_approval', 'live']),
    docs &&
      '`in_setup`: a domain or the metadata is missing, or nobody finished the set-up page. `awaits_approval`: an administrator of the service has to approve it. `live`: people can sign in with it.',
  ),
  is_from_organization: field(
    flag,
    docs &&
      'Whether members of the organization brought it. They can change only such a connection. Administrators of the service manage the others.',
  ),
  provider: field(
    z.nullable(nonEmptyText),
    docs && 'The issuer or entity ID of the identity provider. Null before its metadata was sent.',
  ),
  domains: field(z.array(ConnectionDomain), docs && 'The email domains of the connection.'),
  default_roles: field(
    z.nullable(texts),
    docs && 'The roles with which people join who sign in with it. Null if nobody joins.',
  ),
  redirect_uri: field(
    z.nullable(nonEmptyText),
    docs && 'What the identity provider needs with OpenID Connect. Null with SAML.',
  ),
  setup_expires_at: field(
    nullableDateTime,
    docs && 'When its set-up link stops working: ISO 8601, UTC. Null without one that works.',
  ),
}

const example = docs && {
  id: exampleIds.oidcConnection,
  kind: 'oidc' as const,
  name: 'Acme Studios',
  state: 'in_setup' as const,
  is_from_organization: true,
  provider: 'https://idp.example.com',
  domains: [exampleOf(ConnectionDomain)],
  default_roles: ['member'],
  redirect_uri: `${exampleCallback}/callback`,
  setup_expires_at: null,
}

/** A company connection of an organization, as those see it who manage its sign-in. */
export const OrganizationSignIn = model(
  fields,
  docs && {
    description: 'A company connection of an organization, as its members see it who manage the sign-in.',
    example,
  },
)
export type OrganizationSignIn = z.output<typeof OrganizationSignIn>

export const NewOrganizationSignIn = model(
  {
    kind: field(
      z.enum(connectionKinds),
      docs &&
        'The protocol: `oidc` with the next three fields, or `saml`, which the page of `setup_url` sets up.',
    ),
    issuer: field(
      z.optional(text(1023)),
      docs && 'The issuer of the identity provider, as in its discovery document. Required with `oidc`.',
    ),
    client_id: field(
      z.optional(text255),
      docs && 'The ID that the identity provider gave this service. Required with `oidc`.',
    ),
    client_secret: field(
      z.optional(text(1023)),
      docs &&
        'The secret that goes with it. It is stored encrypted and never returned. Required with `oidc`.',
    ),
    allows_directory: field(
      z.optional(flag),
      docs &&
        'Only with `saml`: whether the page of `setup_url` can also turn the directory (SCIM) on, and create its tokens. Default: false.',
    ),
    default_roles: field(
      z.optional(z.nullable(z.array(text255).check(z.maxLength(20)))),
      docs &&
        'The roles with which people join who sign in with it: declared ones that you may give, and never `owner`. Null if nobody joins. Default: `member`.',
    ),
  },
  docs && {
    description: 'An identity provider that an organization brings.',
    example: {
      kind: 'oidc' as const,
      issuer: 'https://idp.example.com',
      client_id: 'latchkey',
      client_secret: 'ThisIsAnExampleClientSecret',
    },
  },
)

export const NewOrganizationSignInResult = model(
  {
    ...fields,
    setup_url: field(
      z.nullable(nonEmptyText),
      docs &&
        'The page that sets up SAML, for you or somebody who manages the identity provider. It is shown once, and works in the first browser that opens it. Null with `oidc`.',
    ),
  },
  docs && {
    description: 'A connection that an organization brought just now.',
    example: {
      ...(example as NonNullable<typeof example>),
      kind: 'saml' as const,
      provider: null,
      domains: [],
      redirect_uri: null,
      setup_url: `${exampleUrl}/setup#token=${exampleCredentials.samlSetup}`,
    },
  },
)
export type NewOrganizationSignInResult = z.output<typeof NewOrganizationSignInResult>

export const OrganizationSignInStop = model(
  {
    dry_run: field(
      z.optional(flag),
      docs && {
        description: 'Whether connections are only counted. Default: false.',
        example: true,
      },
    ),
  },
  docs && { description: 'Stops what organizations brought.', example: { dry_run: true } },
)

export const OrganizationSignInsStopped = model(
  {
    live: field(integer, docs && 'How many connections that organizations brought are live now.'),
    stopped: field(integer, docs && 'How many of them this request stopped, with all of their sessions.'),
    is_complete: field(
      flag,
      docs &&
        'Whether the request came to the end. Otherwise there may be more connections or sessions: repeat it.',
    ),
  },
  docs && {
    description: 'What became of the connections that organizations brought.',
    example: { live: 0, stopped: 12, is_complete: true },
  },
)
export type OrganizationSignInsStopped = z.output<typeof OrganizationSignInsStopped>

export const ConnectionApproval = model(
  {
    provider: field(nonEmptyText, docs && 'The issuer or entity ID of the identity provider, as you saw it.'),
    domains: field(texts, docs && 'The proven domains of the connection, as you saw them, in any order.'),
  },
  docs && {
    description: 'What an administrator saw of a connection when they approved it.',
    example: { provider: 'https://idp.example.com', domains: ['example.com'] },
  },
)
