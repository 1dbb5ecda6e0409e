import * as z from 'zod/mini'
import { exampleIds } from '../../../accounts/example-values.models.ts'
import { bySession, withPermission, withPermissionBySession } from '../../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../../kernel/contract/describe.ts'
import { userIdDescription } from '../../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../../kernel/contract/operation.ts'
import { ordering, paging } from '../../../kernel/contract/query.ts'
import { CompanyAccount, CompanyAccountCreate } from '../../connections/accounts.models.ts'

const listQuery = z.strictObject({ ordering: ordering(['id', 'linked_at']), ...paging })
const exampleAccounts = docs && { 200: [{ summary: 'An account', value: [exampleOf(CompanyAccount)] }] }

export const usersCompanyAccounts = {
  getOwnCompanyAccounts: defineOperation({
    id: 'get_own_company_accounts',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me/company-accounts',
    access: bySession,
    summary: "List the current user's accounts at identity providers",
    query: listQuery,
    responses: { 200: docs && z.array(CompanyAccount) },
    notWhileImpersonating: true,
    text:
      docs &&
      describe(() => ({
        description: `Lists the accounts at identity providers that sign the current user in. A user links more of them with \`start_saml_auth\`
and \`link=true\`. Accounts of deleted providers are left out.`,
        parameters: {},
        responses: exampleAccounts,
      })),
  }),
  unlinkOwnCompanyAccount: defineOperation({
    id: 'unlink_own_company_account',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/me/company-accounts/{id}',
    access: bySession,
    summary: "Unlink an account and end the current user's other sessions",
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    localChange: 'ends_access',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['company_account.unlinked'],
    text:
      docs &&
      describe(() => ({
        description: `Removes an account at an identity provider from the current user. It no longer signs in here, and the user leaves the
groups that they are in because of this account alone. All other sessions of the user end. The user gets an email about it.

The last way to sign in stays: 409 with the reason \`last_sign_in_method\` lists what is left, and what the user can add first. If the provider creates users, a later sign-in with the account creates a new
user.`,
        parameters: {
          id: {
            description: 'The ID of the account, from `get_own_company_accounts`.',
            example: exampleIds.companyAccount,
          },
        },
      })),
  }),
  getUserCompanyAccounts: defineOperation({
    id: 'get_user_company_accounts',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}/company-accounts',
    access: withPermission('users:manage'),
    summary: 'List the accounts of a user at identity providers',
    query: listQuery,
    responses: { 200: docs && z.array(CompanyAccount) },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description:
          'Lists the accounts at identity providers that sign a user in, such as to help them after they lost access to one. Remove one with `unlink_user_company_account`.',
        parameters: { id: userIdDescription },
        responses: exampleAccounts,
      })),
  }),
  linkUserCompanyAccount: defineOperation({
    id: 'link_user_company_account',
    group: 'users',
    method: 'POST',
    path: '/api/2/users/{id}/company-accounts',
    access: withPermissionBySession('users:manage'),
    summary: 'Let an account at an identity provider sign a user in',
    body: CompanyAccountCreate,
    responses: { 200: docs && CompanyAccount, 201: docs && CompanyAccount },
    errors: ['not_found', 'conflict', 'permission_denied'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: [
      'company_account.linked',
      'user.started_anew',
      'api_token.deleted',
      'company_account.unlinked',
      'passkey.removed',
    ],
    decidesSignIn: 'caller',
    text:
      docs &&
      describe(() => ({
        description: `Links an account at an identity provider to a user by the name that the provider sends. So people who exist here already keep
their account at their first sign-in there. From then on, the person with this name there signs in as the user. The user gets an email about it.

Callers can change only users whose permissions they hold themselves. If the user is an administrator, all administrators get an
email. An account of another user gets 409 with the reason \`account_taken\`. Repeating the request changes nothing, unless permissions of
the user's groups have no effect, and the caller holds them: then the account starts anew, as \`patch_user\` says.`,
        parameters: { id: userIdDescription },
        request: [{ summary: 'A name at a provider', value: exampleOf(CompanyAccountCreate) }],
        responses: {
          200: [{ summary: 'The account was linked before', value: exampleOf(CompanyAccount) }],
          201: [{ summary: 'The new account', value: exampleOf(CompanyAccount) }],
        },
      })),
  }),
  unlinkUserCompanyAccount: defineOperation({
    id: 'unlink_user_company_account',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/company-accounts/{account_id}',
    access: withPermissionBySession('users:manage'),
    summary: 'Unlink an account of a user and end their sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    localChange: 'ends_access',
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['company_account.unlinked'],
    text:
      docs &&
      describe(() => ({
        description: `Removes an account at an identity provider from a user, even if it is their only way to sign in. The user leaves the groups
that they are in because of this account alone. All sessions of the user end. The user gets an email about it.

Callers can change only users whose permissions they hold themselves.`,
        parameters: {
          id: userIdDescription,
          account_id: {
            description: 'The ID of the account, from `get_user_company_accounts`.',
            example: exampleIds.companyAccount,
          },
        },
      })),
  }),
}
