import { SAMLAccount } from '../../models/saml-accounts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds, exampleTimes } from '../example-values.ts'

export const samlAccountsTexts = [
  describeModel(SAMLAccount, {
    description: 'An account at an identity provider that signs a user in here.',
    fields: {
      id: 'The ID of the account. It is unique among the accounts of one user. Use it to unlink the account.',
      provider: 'The SAML provider of the account.',
      name: 'What people recognize the account by: the email address or username that the identity provider sent, otherwise its name for the user.',
      linked_at:
        'When the user linked the account: ISO 8601, UTC. Null for the account that created the user.',
      last_used_at:
        'When the account last signed its user in: ISO 8601, UTC, with a precision of an hour. Null if it was not used since it was linked.',
    },
    example: {
      id: exampleIds.samlAccount,
      provider: { id: exampleIds.samlProvider, name: 'Example Corp' },
      name: 'ada@example.com',
      linked_at: exampleTimes.linkCreated,
      last_used_at: exampleTimes.signedIn,
    },
  }),
]
