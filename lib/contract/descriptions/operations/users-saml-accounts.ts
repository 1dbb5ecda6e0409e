import { SAMLAccount } from '../../models/saml-accounts.ts'
import type { usersSamlAccounts } from '../../operations/users-saml-accounts.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { exampleIds } from '../example-values.ts'

const id = { description: 'The ID of the user.', example: 7 } as const
const accounts = { 200: [{ summary: 'An account', value: [exampleOf(SAMLAccount)] }] }

export const usersSamlAccountsTexts: OperationTexts<typeof usersSamlAccounts> = {
  getOwnSamlAccounts: {
    description: `Lists the accounts at identity providers that sign the current user in. A user links more of them with \`start_saml_auth\`
and \`link=true\`. Accounts of deleted providers are left out.`,
    parameters: {},
    responses: accounts,
  },
  unlinkOwnSamlAccount: {
    description: `Removes an account at an identity provider from the current user. It no longer signs in here, and the user leaves the
groups that they are in because of this account alone. All other sessions of the user end. The user gets an email about it.

A user who could not sign in any more without the account gets 409 with the reason \`last_sign_in_method\`: they need a
password, a passkey or another account first. If the provider creates users, a later sign-in with the account creates a new
user. The audit event is \`saml_account.unlinked\`.`,
    parameters: {
      id: {
        description: 'The ID of the account, from `get_own_saml_accounts`.',
        example: exampleIds.samlAccount,
      },
    },
  },
  getUserSamlAccounts: {
    description:
      'Lists the accounts at identity providers that sign a user in, such as to help them after they lost access to one. Remove one with `unlink_user_saml_account`.',
    parameters: { id },
    responses: accounts,
  },
  unlinkUserSamlAccount: {
    description: `Removes an account at an identity provider from a user, even if it is their only way to sign in. The user leaves the groups
that they are in because of this account alone. All sessions of the user end. The user gets an email about it.

Callers can change only users whose permissions they hold themselves. The audit event is \`saml_account.unlinked\`.`,
    parameters: {
      id,
      account_id: {
        description: 'The ID of the account, from `get_user_saml_accounts`.',
        example: exampleIds.samlAccount,
      },
    },
  },
}
