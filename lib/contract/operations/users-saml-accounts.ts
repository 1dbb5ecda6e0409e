import * as z from 'zod/mini'
import { bySession, withPermission, withPermissionBySession } from '../access.ts'
import { SAMLAccount } from '../models/saml-accounts.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging } from '../query.ts'

const listQuery = z.strictObject({ ordering: ordering(['id', 'linked_at']), ...paging })

/** The accounts of users at identity providers. They belong to the operations on users. */
export const usersSamlAccounts = {
  getOwnSamlAccounts: defineOperation({
    id: 'get_own_saml_accounts',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/me/saml-accounts',
    access: bySession,
    summary: "List the current user's accounts at identity providers",
    query: listQuery,
    responses: { 200: z.array(SAMLAccount) },
    notWhileImpersonating: true,
  }),
  unlinkOwnSamlAccount: defineOperation({
    id: 'unlink_own_saml_account',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/me/saml-accounts/{id}',
    access: bySession,
    summary: "Unlink an account and end the current user's other sessions",
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
  }),
  getUserSamlAccounts: defineOperation({
    id: 'get_user_saml_accounts',
    group: 'users',
    method: 'GET',
    path: '/api/2/users/{id}/saml-accounts',
    access: withPermission('users:manage'),
    summary: 'List the accounts of a user at identity providers',
    query: listQuery,
    responses: { 200: z.array(SAMLAccount) },
    errors: ['not_found'],
  }),
  unlinkUserSamlAccount: defineOperation({
    id: 'unlink_user_saml_account',
    group: 'users',
    method: 'DELETE',
    path: '/api/2/users/{id}/saml-accounts/{account_id}',
    access: withPermissionBySession('users:manage'),
    summary: 'Unlink an account of a user and end their sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
  }),
}
