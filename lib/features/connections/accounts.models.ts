import type * as z from 'zod/mini'
import { exampleIds, exampleTimes } from '../../accounts/example-values.models.ts'
import { flag, id, nonEmptyText, nullableDateTime, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { SessionProvider } from '../sign-in/sessions.models.ts'

/** An account at an identity provider that signs a user in. */
export const CompanyAccount = model(
  {
    id: field(
      id,
      docs &&
        'The ID of the account. It is unique among the accounts of one user. Use it to unlink the account.',
    ),
    provider: field(SessionProvider, docs && 'The company connection of the account.'),
    name: field(
      nonEmptyText,
      docs &&
        'What people recognize the account by: the email address or username that the identity provider sent, otherwise its name for the user.',
    ),
    linked_at: field(
      nullableDateTime,
      docs && 'When the user linked the account: ISO 8601, UTC. Null for the account that created the user.',
    ),
    last_used_at: field(
      nullableDateTime,
      docs &&
        'When the account last signed its user in: ISO 8601, UTC, with a precision of an hour. Null if it was not used since it was linked.',
    ),
    from_directory: field(
      flag,
      docs &&
        'Whether the directory of the connection sent this person, so that it changes their name and ends their access.',
    ),
  },
  docs && {
    description: 'An account at an identity provider that signs a user in here.',
    example: {
      id: exampleIds.companyAccount,
      provider: { id: exampleIds.samlProvider, name: 'Example Corp' },
      name: 'ada@example.com',
      linked_at: exampleTimes.linkCreated,
      last_used_at: exampleTimes.signedIn,
      from_directory: false,
    },
  },
)
export type CompanyAccount = z.output<typeof CompanyAccount>

/** An account at an identity provider to link. */
export const CompanyAccountCreate = model(
  {
    provider: field(id, docs && 'The ID of the company connection.'),
    name: field(
      text255,
      docs &&
        'The name that the provider sends for the person, exactly: the name ID, the value of `nameid_attribute` if the provider has one, or the `sub` of OpenID Connect.',
    ),
  },
  docs && {
    description: 'An account at an identity provider that should sign a user in.',
    example: { provider: exampleIds.samlProvider, name: '5f0c1d9e-4b7a-4f68-9c30-ada000000007' },
  },
)
export type CompanyAccountCreate = z.output<typeof CompanyAccountCreate>
