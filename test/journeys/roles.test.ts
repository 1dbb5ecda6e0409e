import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleLogo } from '../../lib/accounts/example-values.models.ts'
import { operations } from '../../lib/features/operations.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { scimPreview, scimSettings } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

type Role = 'anonymous' | 'user' | 'other' | 'admin'
const roles: readonly Role[] = ['anonymous', 'user', 'other', 'admin']

const newClient = () => ({ name: randomUUID(), redirect_uris: ['https://app.example/cb'] })
const newApi = () => ({ name: randomUUID(), audience: `urn:${randomUUID()}` })
const newSlug = () => `made-${randomUUID().slice(0, 8).replaceAll(/[01]/g, '2')}x`
const wordsPath = '/api/2/branding/email-texts/service/sign_up/en'
const invitationWordsPath = () => `${organizationPath}/email-texts/organization_invitation/en`
const newInvitationWords = () => ({ subject: 'Join', body: '{inviter} {organization}\n[Join]({link})' })
const newWords = () => ({ subject: 'Welcome', body: '[Go on]({link})' })
const newLogo = () => ({ content_type: 'image/png', data: exampleLogo.data })
const { pem: certificate } = await makeCertificate()
const newProvider = () => ({
  entity_id: `urn:idp:${randomUUID()}`,
  sso_url: 'https://idp.example.com/sso',
  certificate,
})
const shared = { bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/a' }] }

const service = await useService()
const target = await addPerson(service)
const recipient = await addSignedIn(service)
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const bearers: Partial<Record<Role, string>> = {
  user: recipient.bearer,
  other: (await addSignedIn(service, { permissions: ['users:view'] })).bearer,
  admin: admin.bearer,
}
const create = async (path: string, body: object): Promise<JsonValue> =>
  (await service.client('POST', `/api/2/${path}`, { bearer: admin.bearer, body })).body
const upstream = { issuer: 'https://idp.example', client_id: 'a', client_secret: 'b' }
/** The ids of objects that the last row naming them deletes. */
const doomed = {
  user: (await addPerson(service)).user.id,
  group: (await create('groups', { name: 'doomed' })).id,
  template: (await create('user-templates', { name: 'doomed' })).id,
  client: (await create('oidc-clients', newClient())).id,
  api: (await create('protected-apis', newApi())).id,
  oidc: (await create('auth/oidc-connections', { name: 'doomed', ...upstream })).id,
  saml: (await create('auth/saml', newProvider())).id,
  organization: (await create('organizations', { name: 'Doomed', slug: newSlug() })).id,
}
const organizationPath = `/api/2/organizations/${doomed.organization}`
await create(`organizations/${doomed.organization}/members`, { user: recipient.user.id, roles: ['member'] })
const invitation = { email: `${randomUUID()}@example.com`, roles: ['member'] }
const { id: invitationId } = await create(`organizations/${doomed.organization}/invitations`, invitation)
/** Links of the administrator: one for `user`, and one without a recipient. */
const links = {
  own: (await create('auth/access-tokens', { ...shared, user: recipient.user.id })).id,
  open: (await create('auth/access-tokens', shared)).token,
}

interface Call {
  readonly path?: () => string
  readonly body?: () => unknown
  readonly form?: string
  /** The status for each role, in the order of `roles`. `other` has users:view only. */
  readonly statuses: readonly [number, number, number, number]
}

const ticketOf = async (): Promise<string> => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer: bearers.user ?? '' })
  return answer.body.ticket
}
let ticket = ''

/**
 * Each operation with a valid request, so that only the role decides. The statuses are written by hand: a second opinion on the
 * access that is declared and reviewed.
 */
const calls: Readonly<Record<string, Call>> = {
  login: {
    body: () => ({ username: target.user.username, password: target.password }),
    statuses: [200, 200, 200, 200],
  },
  create_auth_ticket: { statuses: [401, 200, 200, 200] },
  check_auth_ticket: { body: () => ({ ticket }), statuses: [200, 200, 200, 200] },
  check_return_url: { path: () => '/api/2/auth/continue?return_to=/', statuses: [200, 200, 200, 200] },
  continue_to_return_url: { body: () => ({ return_to: '/' }), statuses: [401, 200, 200, 200] },
  get_current_user: { statuses: [401, 200, 200, 200] },
  get_user_attributes: { statuses: [401, 403, 200, 200] },
  update_user_attributes: { body: () => ({ attributes: [] }), statuses: [401, 403, 403, 200] },
  get_own_attributes: { statuses: [401, 200, 200, 200] },
  get_own_account_deletion: { statuses: [401, 200, 200, 200] },
  // The sign-in policy lets no one.
  request_account_deletion: { statuses: [401, 403, 403, 403] },
  withdraw_account_deletion: { statuses: [401, 204, 204, 204] },
  update_own_attributes: { body: () => ({ attributes: [] }), statuses: [401, 200, 200, 200] },
  update_current_user: { body: () => ({ full_name: 'Somebody' }), statuses: [401, 200, 200, 200] },
  update_profile: { body: () => ({ full_name: 'Somebody' }), statuses: [401, 200, 200, 200] },
  create_user: {
    body: () => ({ username: `made-${randomUUID()}`, permissions: [], groups: [] }),
    statuses: [401, 403, 403, 201],
  },
  import_users: {
    body: () => ({ lines: [{ username: `made-${randomUUID()}` }] }),
    statuses: [401, 403, 403, 200],
  },
  get_exported_users: { statuses: [401, 403, 403, 200] },
  get_user: { path: () => `/api/2/users/${target.user.id}`, statuses: [401, 403, 200, 200] },
  set_user_password: {
    path: () => `/api/2/users/${target.user.id}/password`,
    body: () => ({ password: target.password }),
    statuses: [401, 403, 403, 204],
  },
  enable_totp: {
    path: () => `/api/2/users/${target.user.id}/totp`,
    body: () => ({ key: 'GEZDGNBVGY3TQOJQ', otp: '123456' }),
    statuses: [401, 404, 404, 404],
  },
  renew_recovery_codes: {
    path: () => `/api/2/users/${target.user.id}/totp/recovery-codes`,
    statuses: [401, 404, 404, 404],
  },
  sync_totp: {
    path: () => `/api/2/users/${target.user.id}/totp`,
    body: () => ({ otp: '123456' }),
    statuses: [401, 404, 404, 404],
  },
  disable_totp: { path: () => `/api/2/users/${target.user.id}/totp`, statuses: [401, 403, 403, 204] },
  report_change: {
    body: () => ({ token: `lkn_${'a'.repeat(45)}` }),
    statuses: [400, 400, 400, 400],
  },
  find_sign_in_route: { body: () => ({ username: 'ada@unknown.example' }), statuses: [200, 200, 200, 200] },
  request_email_code: { body: () => ({ username: 'unknown' }), statuses: [403, 403, 403, 403] },
  login_with_email_code: {
    body: () => ({ request_id: 'x', code: '12345678' }),
    statuses: [401, 401, 401, 401],
  },
  confirm_identity: {
    body: () => ({ password: 'not it' }),
    statuses: [401, 400, 400, 400],
  },
  change_own_password: {
    body: () => ({ current_password: 'not it', password: 'a long enough password' }),
    statuses: [401, 400, 400, 400],
  },
  invite_user: { path: () => `/api/2/users/${target.user.id}/invite`, statuses: [401, 403, 403, 409] },
  revoke_invitation: { path: () => `/api/2/users/${target.user.id}/invite`, statuses: [401, 403, 403, 404] },
  request_sign_up: { body: () => ({ email: 'a@example.com' }), statuses: [403, 403, 403, 403] },
  find_sign_up: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  complete_sign_up: { body: () => ({ token: 'x', full_name: 'x' }), statuses: [400, 400, 400, 400] },
  get_agent_policy: { statuses: [401, 403, 403, 200] },
  update_agent_policy: { body: () => ({ hosts: [] }), statuses: [401, 403, 403, 200] },
  get_sign_up_policy: { statuses: [401, 403, 403, 200] },
  update_sign_up_policy: { body: () => ({ mode: 'off' }), statuses: [401, 403, 403, 200] },
  get_sign_up_requests: { statuses: [401, 403, 403, 200] },
  approve_sign_up: { path: () => '/api/2/sign-up-requests/x/approve', statuses: [401, 403, 403, 404] },
  refuse_sign_up: { path: () => '/api/2/sign-up-requests/x', statuses: [401, 403, 403, 404] },
  sign_up_page: { statuses: [200, 200, 200, 200] },
  find_invitation: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  accept_invitation: { body: () => ({ token: 'x', password: 'y' }), statuses: [400, 400, 400, 400] },
  start_invitation_passkey: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  accept_invitation_with_passkey: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  start_invitation_saml: {
    path: () => `/api/2/auth/connections/${doomed.saml}/invitation`,
    body: () => ({ token: 'x' }),
    statuses: [400, 400, 400, 400],
  },
  send_password_reset: {
    path: () => `/api/2/users/${target.user.id}/password/reset`,
    statuses: [401, 403, 403, 409],
  },
  change_own_email: { body: () => ({}), statuses: [401, 400, 400, 400] },
  send_email_confirmation: {
    path: () => `/api/2/users/${target.user.id}/email/confirmation`,
    statuses: [401, 404, 404, 409],
  },
  confirm_email: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  find_email_confirmation: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  reject_email_confirmation: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  confirm_page: { statuses: [200, 200, 200, 200] },
  request_password_reset: { body: () => ({ username: 'unknown' }), statuses: [204, 204, 204, 204] },
  generate_password: { statuses: [401, 200, 200, 200] },
  evaluate_password: { body: () => ({ password: 'any' }), statuses: [401, 200, 200, 200] },
  get_password_policy: { statuses: [200, 200, 200, 200] },
  update_password_policy: {
    body: () => ({ min_length: 12, no_pwned: true }),
    statuses: [401, 403, 403, 200],
  },
  get_sign_in_policy: { statuses: [401, 403, 403, 200] },
  update_sign_in_policy: { body: () => ({}), statuses: [401, 403, 403, 200] },
  reset_password: { body: () => ({ token: 'x', password: 'y' }), statuses: [400, 400, 400, 400] },
  start_impersonation: { body: () => ({ user: 2147483647 }), statuses: [401, 403, 403, 400] },
  stop_impersonation: { statuses: [401, 409, 409, 409] },
  get_all_api_tokens: { statuses: [401, 200, 200, 200] },
  get_api_tokens_of_all_users: { statuses: [401, 403, 403, 200] },
  create_api_token: { body: () => ({ name: 'token' }), statuses: [401, 201, 201, 201] },
  get_api_token: { path: () => '/api/2/api-tokens/2147483647', statuses: [401, 404, 404, 404] },
  update_api_token: {
    path: () => '/api/2/api-tokens/2147483647',
    body: () => ({ name: 'x' }),
    statuses: [401, 404, 404, 404],
  },
  patch_api_token: {
    path: () => '/api/2/api-tokens/2147483647',
    body: () => ({ name: 'x' }),
    statuses: [401, 404, 404, 404],
  },
  shorten_api_token: {
    path: () => '/api/2/api-tokens/2147483647/shorten',
    body: () => ({ expires: new Date(Date.now() + 3_600_000).toISOString() }),
    statuses: [401, 404, 404, 404],
  },
  delete_api_token: { path: () => '/api/2/api-tokens/2147483647', statuses: [401, 404, 404, 404] },
  get_all_users: { statuses: [401, 403, 200, 200] },
  update_user: {
    path: () => `/api/2/users/${target.user.id}`,
    body: () => ({ username: target.user.username, permissions: [], groups: [] }),
    statuses: [401, 403, 403, 200],
  },
  patch_user: {
    path: () => `/api/2/users/${target.user.id}`,
    body: () => ({ full_name: 'Somebody' }),
    statuses: [401, 403, 403, 200],
  },
  get_user_sessions: {
    path: () => `/api/2/users/${target.user.id}/sessions`,
    statuses: [401, 403, 403, 200],
  },
  end_user_session: {
    path: () => `/api/2/users/${target.user.id}/sessions/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  get_remembered_devices: {
    path: () => `/api/2/users/${target.user.id}/remembered-devices`,
    statuses: [401, 403, 403, 200],
  },
  end_remembered_device: {
    path: () => `/api/2/users/${target.user.id}/remembered-devices/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  end_user_sessions: {
    path: () => `/api/2/users/${target.user.id}/sessions`,
    statuses: [401, 403, 403, 204],
  },
  get_user_holdings: {
    path: () => `/api/2/users/${target.user.id}/holdings`,
    statuses: [401, 403, 403, 200],
  },
  hand_over_access_tokens: {
    path: () => `/api/2/users/${target.user.id}/access-tokens/hand-over`,
    body: () => ({ to: 2147483647 }),
    statuses: [401, 403, 403, 400],
  },
  end_user_holdings: {
    path: () => `/api/2/users/${target.user.id}/holdings/end`,
    body: () => ({}),
    statuses: [401, 403, 403, 200],
  },
  delete_user: { path: () => `/api/2/users/${doomed.user}`, statuses: [401, 403, 403, 204] },
  get_all_groups: { statuses: [401, 403, 200, 200] },
  create_group: { body: () => ({ name: `made-${randomUUID()}` }), statuses: [401, 403, 403, 201] },
  get_group: { path: () => `/api/2/groups/${doomed.group}`, statuses: [401, 403, 200, 200] },
  update_group: {
    path: () => `/api/2/groups/${doomed.group}`,
    body: () => ({ name: 'group' }),
    statuses: [401, 403, 403, 200],
  },
  patch_group: {
    path: () => `/api/2/groups/${doomed.group}`,
    body: () => ({ gid: 1 }),
    statuses: [401, 403, 403, 200],
  },
  change_group_members: {
    path: () => `/api/2/groups/${doomed.group}/members`,
    body: () => ({ remove: [target.user.id] }),
    statuses: [401, 403, 403, 200],
  },
  delete_group: { path: () => `/api/2/groups/${doomed.group}`, statuses: [401, 403, 403, 204] },
  get_all_user_templates: { statuses: [401, 403, 200, 200] },
  create_user_template: { body: () => ({ name: `made-${randomUUID()}` }), statuses: [401, 403, 403, 201] },
  get_user_template: {
    path: () => `/api/2/user-templates/${doomed.template}`,
    statuses: [401, 403, 200, 200],
  },
  update_user_template: {
    path: () => `/api/2/user-templates/${doomed.template}`,
    body: () => ({ name: 'template' }),
    statuses: [401, 403, 403, 200],
  },
  patch_user_template: {
    path: () => `/api/2/user-templates/${doomed.template}`,
    body: () => ({ language: 'en' }),
    statuses: [401, 403, 403, 200],
  },
  delete_user_template: {
    path: () => `/api/2/user-templates/${doomed.template}`,
    statuses: [401, 403, 403, 204],
  },
  get_all_organizations: { statuses: [401, 403, 403, 200] },
  create_organization: {
    body: () => ({ name: 'Made', slug: newSlug() }),
    statuses: [401, 403, 403, 201],
  },
  // The user is a member. To the other one, the organization does not exist.
  get_organization: { path: () => organizationPath, statuses: [401, 200, 404, 200] },
  patch_organization: {
    path: () => organizationPath,
    body: () => ({ name: 'Renamed' }),
    statuses: [401, 403, 404, 200],
  },
  request_organization_ending: {
    path: () => `${organizationPath}/ending`,
    body: () => ({}),
    statuses: [401, 403, 404, 403],
  },
  withdraw_organization_ending: { path: () => `${organizationPath}/ending`, statuses: [401, 403, 404, 204] },
  get_organization_branding: {
    path: () => `${organizationPath}/branding`,
    statuses: [401, 403, 404, 200],
  },
  update_organization_branding: {
    path: () => `${organizationPath}/branding`,
    body: () => ({ accent_color: '#b91c1c' }),
    statuses: [401, 403, 404, 200],
  },
  reset_organization_branding: {
    path: () => `${organizationPath}/branding`,
    statuses: [401, 403, 404, 204],
  },
  list_organization_email_texts: {
    path: () => `${organizationPath}/email-texts`,
    statuses: [401, 403, 404, 200],
  },
  get_organization_email_text: { path: invitationWordsPath, statuses: [401, 403, 404, 200] },
  update_organization_email_text: {
    path: invitationWordsPath,
    body: newInvitationWords,
    statuses: [401, 403, 404, 200],
  },
  preview_organization_email_text: {
    path: () => `${invitationWordsPath()}/preview`,
    body: newInvitationWords,
    statuses: [401, 403, 404, 200],
  },
  reset_organization_email_text: { path: invitationWordsPath, statuses: [401, 403, 404, 204] },
  get_organization_events: { path: () => `${organizationPath}/events`, statuses: [401, 403, 404, 200] },
  get_organization_links: { path: () => `${organizationPath}/links`, statuses: [401, 403, 404, 200] },
  delete_organization_link: {
    path: () => `${organizationPath}/links/987654`,
    statuses: [401, 403, 404, 404],
  },
  get_organization_members: { path: () => `${organizationPath}/members`, statuses: [401, 403, 404, 200] },
  create_organization_member: {
    path: () => `${organizationPath}/members`,
    body: () => ({ user: target.user.id, roles: ['member'] }),
    statuses: [401, 403, 404, 201],
  },
  patch_organization_member: {
    path: () => `${organizationPath}/members/${target.user.id}`,
    body: () => ({ roles: ['admin'] }),
    statuses: [401, 403, 404, 200],
  },
  remove_organization_member: {
    path: () => `${organizationPath}/members/${target.user.id}`,
    statuses: [401, 403, 404, 204],
  },
  get_organization_invitations: {
    path: () => `${organizationPath}/invitations`,
    statuses: [401, 403, 404, 200],
  },
  create_organization_invitation: {
    path: () => `${organizationPath}/invitations`,
    body: () => ({ email: `${randomUUID()}@example.com`, roles: ['member'] }),
    statuses: [401, 403, 404, 201],
  },
  resend_organization_invitation: {
    path: () => `${organizationPath}/invitations/${invitationId}/resend`,
    statuses: [401, 403, 404, 200],
  },
  revoke_organization_invitation: {
    path: () => `${organizationPath}/invitations/${invitationId}`,
    statuses: [401, 403, 404, 204],
  },
  get_organization_sign_in: { path: () => `${organizationPath}/sign-in`, statuses: [401, 403, 404, 200] },
  // The policy lets no organization bring one.
  create_organization_sign_in: {
    path: () => `${organizationPath}/sign-in`,
    body: () => ({ kind: 'saml' }),
    statuses: [401, 403, 404, 403],
  },
  check_organization_domain: {
    path: () => `${organizationPath}/sign-in/987654/domains`,
    body: () => ({ domain: 'a.example' }),
    statuses: [401, 403, 404, 404],
  },
  remove_organization_domain: {
    path: () => `${organizationPath}/sign-in/987654/domains/a.example`,
    statuses: [401, 403, 404, 404],
  },
  delete_organization_sign_in: {
    path: () => `${organizationPath}/sign-in/987654`,
    statuses: [401, 403, 404, 404],
  },
  get_connection_scim: { path: () => '/api/2/auth/connections/987654/scim', statuses: [401, 403, 403, 404] },
  set_connection_scim: {
    path: () => '/api/2/auth/connections/987654/scim',
    body: () => scimSettings,
    statuses: [401, 403, 403, 404],
  },
  create_connection_scim_token: {
    path: () => '/api/2/auth/connections/987654/scim/tokens',
    statuses: [401, 403, 403, 404],
  },
  delete_connection_scim_token: {
    path: () => '/api/2/auth/connections/987654/scim/tokens/1',
    statuses: [401, 403, 403, 404],
  },
  get_organization_scim: {
    path: () => `${organizationPath}/sign-in/987654/scim`,
    statuses: [401, 403, 404, 404],
  },
  set_organization_scim: {
    path: () => `${organizationPath}/sign-in/987654/scim`,
    body: () => scimSettings,
    statuses: [401, 403, 404, 404],
  },
  create_organization_scim_token: {
    path: () => `${organizationPath}/sign-in/987654/scim/tokens`,
    statuses: [401, 403, 404, 404],
  },
  delete_organization_scim_token: {
    path: () => `${organizationPath}/sign-in/987654/scim/tokens/1`,
    statuses: [401, 403, 404, 404],
  },
  list_connection_scim_users: {
    path: () => '/api/2/auth/connections/987654/scim/users',
    statuses: [401, 403, 403, 404],
  },
  list_connection_scim_groups: {
    path: () => '/api/2/auth/connections/987654/scim/groups',
    statuses: [401, 403, 403, 404],
  },
  list_connection_scim_calls: {
    path: () => '/api/2/auth/connections/987654/scim/calls',
    statuses: [401, 403, 403, 404],
  },
  preview_connection_scim: {
    path: () => '/api/2/auth/connections/987654/scim/preview',
    body: () => scimPreview,
    statuses: [401, 403, 403, 404],
  },
  assign_connection_scim_user: {
    path: () => '/api/2/auth/connections/987654/scim/users/x/account',
    body: () => ({ user: target.user.id }),
    statuses: [401, 403, 403, 404],
  },
  assign_organization_scim_user: {
    path: () => `${organizationPath}/sign-in/987654/scim/users/x/account`,
    body: () => ({ user: target.user.id }),
    statuses: [401, 403, 404, 404],
  },
  bring_back_connection_scim_user: {
    path: () => '/api/2/auth/connections/987654/scim/users/x/bring-back',
    statuses: [401, 403, 403, 404],
  },
  bring_back_organization_scim_user: {
    path: () => `${organizationPath}/sign-in/987654/scim/users/x/bring-back`,
    statuses: [401, 403, 404, 404],
  },
  list_organization_scim_users: {
    path: () => `${organizationPath}/sign-in/987654/scim/users`,
    statuses: [401, 403, 404, 404],
  },
  list_organization_scim_groups: {
    path: () => `${organizationPath}/sign-in/987654/scim/groups`,
    statuses: [401, 403, 404, 404],
  },
  list_organization_scim_calls: {
    path: () => `${organizationPath}/sign-in/987654/scim/calls`,
    statuses: [401, 403, 404, 404],
  },
  preview_organization_scim: {
    path: () => `${organizationPath}/sign-in/987654/scim/preview`,
    body: () => scimPreview,
    statuses: [401, 403, 404, 404],
  },
  // Only the directory itself has its token.
  list_scim_resources: { path: () => '/scim/v2/987654/Users', statuses: [401, 401, 401, 401] },
  create_scim_resource: { path: () => '/scim/v2/987654/Users', statuses: [401, 401, 401, 401] },
  get_scim_resource: { path: () => '/scim/v2/987654/Users/x', statuses: [401, 401, 401, 401] },
  replace_scim_resource: { path: () => '/scim/v2/987654/Users/x', statuses: [401, 401, 401, 401] },
  change_scim_resource: { path: () => '/scim/v2/987654/Users/x', statuses: [401, 401, 401, 401] },
  delete_scim_resource: { path: () => '/scim/v2/987654/Users/x', statuses: [401, 401, 401, 401] },
  approve_connection: {
    path: () => '/api/2/auth/connections/987654/approval',
    body: () => ({ provider: 'https://idp.example.com', domains: [] }),
    statuses: [401, 403, 403, 404],
  },
  stop_organization_sign_ins: { body: () => ({ dry_run: true }), statuses: [401, 403, 403, 200] },
  get_own_organization_invitations: { statuses: [401, 200, 200, 200] },
  decline_organization_invitation: {
    path: () => `/api/2/users/me/organization-invitations/${invitationId}`,
    statuses: [401, 404, 404, 404],
  },
  request_organization_join_code: {
    path: () => `/api/2/users/me/organization-invitations/${invitationId}/code`,
    statuses: [401, 404, 404, 404],
  },
  join_organization_with_code: {
    path: () => `/api/2/users/me/organization-invitations/${invitationId}/join`,
    body: () => ({ request_id: 'x', code: '12345678', shown: 'x'.repeat(43) }),
    statuses: [401, 404, 404, 404],
  },
  // Nobody has the token of a link.
  accept_organization_invitation: {
    body: () => ({ token: 'x', shown: 'x'.repeat(43) }),
    statuses: [401, 400, 400, 400],
  },
  find_organization_invitation: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  complete_invited_sign_up: {
    body: () => ({ token: 'x', full_name: 'Ada' }),
    statuses: [400, 400, 400, 400],
  },
  get_own_organizations: { statuses: [401, 200, 200, 200] },
  get_user_organizations: {
    path: () => `/api/2/users/${target.user.id}/organizations`,
    statuses: [401, 403, 403, 200],
  },
  get_organization_roles: { statuses: [401, 200, 200, 200] },
  get_organization_policy: { statuses: [401, 200, 200, 200] },
  update_organization_policy: { body: () => ({}), statuses: [401, 403, 403, 200] },
  create_own_organization: { body: () => ({ name: 'Own', slug: 'own-one' }), statuses: [401, 403, 403, 403] },
  update_organization_roles: { body: () => ({ roles: [] }), statuses: [401, 403, 403, 200] },
  leave_organization: {
    path: () => `/api/2/users/me/organizations/${doomed.organization}`,
    statuses: [401, 204, 404, 404],
  },
  release_organization_slug: {
    path: () => '/api/2/organization-slugs/nobody-had-it',
    statuses: [401, 403, 403, 404],
  },
  delete_organization: { path: () => organizationPath, statuses: [401, 404, 404, 204] },
  // Access tokens and clients have credentials of their own.
  get_userinfo: { statuses: [401, 401, 401, 401] },
  get_userinfo_by_form: { statuses: [401, 401, 401, 401] },
  introspect_token: { form: 'token=x', statuses: [401, 401, 401, 401] },
  revoke_token: { form: 'token=x', statuses: [401, 401, 401, 401] },
  get_all_oidc_clients: { statuses: [401, 403, 403, 200] },
  create_oidc_client: { body: newClient, statuses: [401, 403, 403, 201] },
  get_oidc_client: {
    path: () => `/api/2/oidc-clients/${doomed.client}`,
    statuses: [401, 403, 403, 200],
  },
  patch_oidc_client: {
    path: () => `/api/2/oidc-clients/${doomed.client}`,
    body: () => ({ name: 'Renamed' }),
    statuses: [401, 403, 403, 200],
  },
  renew_oidc_client_secret: {
    path: () => `/api/2/oidc-clients/${doomed.client}/secret`,
    body: () => ({}),
    statuses: [401, 403, 403, 200],
  },
  end_oidc_client_secret: {
    path: () => `/api/2/oidc-clients/${doomed.client}/secrets/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  delete_oidc_client: {
    path: () => `/api/2/oidc-clients/${doomed.client}`,
    statuses: [401, 403, 403, 204],
  },
  get_all_protected_apis: { statuses: [401, 403, 200, 200] },
  create_protected_api: { body: newApi, statuses: [401, 403, 403, 201] },
  get_protected_api: {
    path: () => `/api/2/protected-apis/${doomed.api}`,
    statuses: [401, 403, 200, 200],
  },
  patch_protected_api: {
    path: () => `/api/2/protected-apis/${doomed.api}`,
    body: () => ({ name: 'Renamed' }),
    statuses: [401, 403, 403, 200],
  },
  delete_protected_api: {
    path: () => `/api/2/protected-apis/${doomed.api}`,
    statuses: [401, 403, 403, 204],
  },
  start_passkey_registration: { statuses: [401, 200, 200, 200] },
  create_passkey: { body: () => ({ credential: {} }), statuses: [401, 400, 400, 400] },
  get_own_passkeys: { statuses: [401, 200, 200, 200] },
  patch_passkey: {
    path: () => '/api/2/users/me/passkeys/2147483647',
    body: () => ({ name: 'x' }),
    statuses: [401, 404, 404, 404],
  },
  delete_passkey: { path: () => '/api/2/users/me/passkeys/2147483647', statuses: [401, 404, 404, 404] },
  get_passkey_settings: { statuses: [401, 200, 200, 200] },
  update_passkey_settings: {
    body: () => ({ required_with_password: false }),
    statuses: [401, 200, 200, 200],
  },
  get_user_passkeys: {
    path: () => `/api/2/users/${target.user.id}/passkeys`,
    statuses: [401, 403, 403, 200],
  },
  delete_user_passkey: {
    path: () => `/api/2/users/${target.user.id}/passkeys/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  get_own_apps: { statuses: [401, 200, 200, 200] },
  end_own_app: { path: () => '/api/2/users/me/apps/2147483647', statuses: [401, 404, 404, 404] },
  get_user_apps: { path: () => `/api/2/users/${target.user.id}/apps`, statuses: [401, 403, 403, 200] },
  end_user_app: {
    path: () => `/api/2/users/${target.user.id}/apps/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  get_own_company_accounts: { statuses: [401, 200, 200, 200] },
  get_own_directories: { statuses: [401, 200, 200, 200] },
  answer_own_directory: {
    path: () => '/api/2/users/me/directories/2147483647',
    body: () => ({ agrees: false }),
    statuses: [401, 404, 404, 404],
  },
  unlink_own_company_account: {
    path: () => '/api/2/users/me/company-accounts/2147483647',
    statuses: [401, 404, 404, 404],
  },
  get_user_company_accounts: {
    path: () => `/api/2/users/${target.user.id}/company-accounts`,
    statuses: [401, 403, 403, 200],
  },
  get_user_sign_in_ways: {
    path: () => `/api/2/users/${target.user.id}/sign-in-ways`,
    statuses: [401, 403, 403, 200],
  },
  link_user_company_account: {
    path: () => `/api/2/users/${target.user.id}/company-accounts`,
    body: () => ({ provider: doomed.oidc, name: 'role-test' }),
    statuses: [401, 403, 403, 201],
  },
  merge_user: {
    path: () => `/api/2/users/${target.user.id}/merge`,
    body: () => ({ user: 2147483647 }),
    statuses: [401, 403, 403, 400],
  },
  unlink_user_company_account: {
    path: () => `/api/2/users/${target.user.id}/company-accounts/2147483647`,
    statuses: [401, 403, 403, 404],
  },
  get_overview: { statuses: [401, 403, 403, 200] },
  get_activity: { statuses: [401, 403, 403, 200] },
  get_rate_limited_subjects: { statuses: [401, 403, 403, 200] },
  lift_rate_limit: { path: () => '/api/2/rate-limited/unknown', statuses: [401, 403, 403, 404] },
  get_suppressed_addresses: { statuses: [401, 403, 403, 200] },
  lift_suppression: { path: () => '/api/2/suppressed-addresses/unknown', statuses: [401, 403, 403, 404] },
  start_passkey_login: { body: () => ({}), statuses: [200, 200, 200, 200] },
  login_with_passkey: { body: () => ({ credential: {} }), statuses: [400, 400, 400, 400] },
  start_passkey_reauthentication: { statuses: [401, 200, 200, 200] },
  reauthenticate_with_passkey: { body: () => ({ credential: {} }), statuses: [401, 400, 400, 400] },
  get_own_sessions: { statuses: [401, 200, 200, 200] },
  end_own_session: { path: () => '/api/2/auth/sessions/2147483647', statuses: [401, 404, 404, 404] },
  create_access_token: { body: () => shared, statuses: [401, 403, 403, 201] },
  share_media_library_objects: { body: () => ({ bundles: [7] }), statuses: [401, 403, 403, 201] },
  get_easy_sharing_token_for_bundle: {
    path: () => '/api/2/media/bundles/7/easy-sharing-token',
    statuses: [401, 404, 404, 404],
  },
  delete_easy_sharing_token_for_bundle: {
    path: () => '/api/2/media/bundles/7/easy-sharing-token',
    statuses: [401, 404, 404, 404],
  },
  get_easy_sharing_token_for_directory: {
    path: () => '/api/2/media/files/7/easy-sharing-token',
    statuses: [401, 404, 404, 404],
  },
  delete_easy_sharing_token_for_directory: {
    path: () => '/api/2/media/files/7/easy-sharing-token',
    statuses: [401, 404, 404, 404],
  },
  get_all_access_tokens: { statuses: [401, 200, 200, 200] },
  get_access_token: {
    path: () => `/api/2/auth/access-tokens/${links.own}`,
    statuses: [401, 200, 404, 200],
  },
  get_access_token_media_library_permissions: {
    path: () => `/api/2/auth/access-tokens/${links.own}/permissions`,
    statuses: [401, 200, 404, 200],
  },
  get_access_token_by_value: {
    path: () => `/api/2/auth/access-tokens/get/${links.open}`,
    statuses: [200, 200, 200, 200],
  },
  redeem_access_token: { body: () => ({ token: links.open }), statuses: [200, 200, 200, 200] },
  send_access_token_email_notification: {
    path: () => `/api/2/auth/access-tokens/${links.own}/email`,
    body: () => ({ email: 'somebody@example.com' }),
    statuses: [401, 403, 404, 204],
  },
  delete_access_token: {
    path: () => `/api/2/auth/access-tokens/${links.own}`,
    statuses: [401, 403, 404, 204],
  },
  get_branding: { statuses: [200, 200, 200, 200] },
  get_logo: { path: () => `/logos/${exampleLogo.hash}`, statuses: [404, 404, 404, 404] },
  update_branding: { body: () => ({ product_name: 'Acme' }), statuses: [401, 403, 403, 200] },
  patch_branding: { body: () => ({ product_name: 'Acme' }), statuses: [401, 403, 403, 200] },
  upload_logo: { body: newLogo, statuses: [401, 403, 403, 200] },
  delete_logo: { statuses: [401, 403, 403, 204] },
  reset_branding: { statuses: [401, 403, 403, 204] },
  get_product_brandings: { statuses: [401, 403, 403, 200] },
  update_product_branding: {
    path: () => '/api/2/branding/products/unknown',
    body: () => ({ product_name: 'Acme' }),
    statuses: [401, 403, 403, 404],
  },
  patch_product_branding: {
    path: () => '/api/2/branding/products/unknown',
    body: () => ({ product_name: 'Acme' }),
    statuses: [401, 403, 403, 404],
  },
  upload_product_logo: {
    path: () => '/api/2/branding/products/unknown/logo',
    body: newLogo,
    statuses: [401, 403, 403, 404],
  },
  delete_product_logo: {
    path: () => '/api/2/branding/products/unknown/logo',
    statuses: [401, 403, 403, 404],
  },
  reset_product_branding: {
    path: () => '/api/2/branding/products/unknown',
    statuses: [401, 403, 403, 404],
  },
  list_email_texts: {
    path: () => '/api/2/branding/email-texts/service',
    statuses: [401, 403, 403, 200],
  },
  get_email_text: { path: () => wordsPath, statuses: [401, 403, 403, 200] },
  update_email_text: { path: () => wordsPath, body: newWords, statuses: [401, 403, 403, 200] },
  preview_email_text: {
    path: () => `${wordsPath}/preview`,
    body: newWords,
    statuses: [401, 403, 403, 200],
  },
  // The administrator of this test has no address.
  send_email_text_test: {
    path: () => `${wordsPath}/test`,
    body: newWords,
    statuses: [401, 403, 403, 409],
  },
  reset_email_text: { path: () => wordsPath, statuses: [401, 403, 403, 204] },
  list_hooks: { statuses: [401, 403, 403, 200] },
  // This service has no hooks.
  change_hook: {
    path: () => '/api/2/hooks/afterSignIn',
    body: () => ({ turned_off: true }),
    statuses: [401, 403, 403, 404],
  },
  try_hook: {
    path: () => '/api/2/hooks/afterSignIn/try',
    body: () => ({ user: 1 }),
    statuses: [401, 403, 403, 404],
  },
  get_audit_events: { statuses: [401, 403, 403, 200] },
  report_leaked_credentials: { body: () => ({ token: 'x' }), statuses: [204, 204, 204, 204] },
  sign_in_page: { statuses: [200, 200, 200, 200] },
  secure_page: { statuses: [200, 200, 200, 200] },
  reset_page: { statuses: [200, 200, 200, 200] },
  link_page: { statuses: [200, 200, 200, 200] },
  passkeys_page: { statuses: [303, 303, 303, 303] },
  invite_page: { statuses: [200, 200, 200, 200] },
  account_page: { statuses: [303, 200, 200, 200] },
  organization_page: { statuses: [303, 200, 200, 200] },
  admin_page: { statuses: [303, 200, 200, 200] },
  get_script: { path: () => '/assets/js/en-unknown/unknown.js', statuses: [404, 404, 404, 404] },
  get_stylesheet: { path: () => '/assets/css/unknown.css', statuses: [404, 404, 404, 404] },
  reference_page: { statuses: [200, 200, 200, 200] },
  reference_topic_page: { path: () => '/docs/tickets', statuses: [200, 200, 200, 200] },
  guide_page: { path: () => '/docs/guides/sessions', statuses: [200, 200, 200, 200] },
  get_reference_index: { statuses: [200, 200, 200, 200] },
  get_health: { statuses: [200, 200, 200, 200] },
  get_favicon: { statuses: [200, 200, 200, 200] },
  get_robots: { statuses: [200, 200, 200, 200] },
  get_licenses: { statuses: [200, 200, 200, 200] },
  get_security_contact: { statuses: [404, 404, 404, 404] },
  change_password_page: { statuses: [303, 303, 303, 303] },
  get_passkey_endpoints: { statuses: [200, 200, 200, 200] },
  get_related_origins: { statuses: [200, 200, 200, 200] },
  get_open_api: { statuses: [200, 200, 200, 200] },
  logout: { statuses: [204, 204, 204, 204] },
  get_all_saml_providers: { statuses: [200, 200, 200, 200] },
  create_saml_provider: { body: newProvider, statuses: [401, 403, 403, 201] },
  get_saml_provider: { path: () => `/api/2/auth/saml/${doomed.saml}`, statuses: [200, 200, 200, 200] },
  update_saml_provider: {
    path: () => `/api/2/auth/saml/${doomed.saml}`,
    body: newProvider,
    statuses: [401, 403, 403, 200],
  },
  patch_saml_provider: {
    path: () => `/api/2/auth/saml/${doomed.saml}`,
    body: () => ({ name: 'Renamed' }),
    statuses: [401, 403, 403, 200],
  },
  // Local mode has no public address from which metadata could be read.
  parse_samlidp_metadata: { body: () => ({ url: 'https://127.0.0.1/' }), statuses: [401, 403, 403, 400] },
  refresh_samlidp_metadata: {
    path: () => `/api/2/auth/saml/${doomed.saml}/refresh-idp-metadata`,
    body: () => ({ url: 'https://127.0.0.1/' }),
    statuses: [401, 403, 403, 400],
  },
  rotate_saml_sp_key: {
    path: () => `/api/2/auth/saml/${doomed.saml}/rotate-sp-key`,
    body: () => ({}),
    statuses: [401, 403, 403, 200],
  },
  create_connection_domain: {
    path: () => `/api/2/auth/connections/${doomed.saml}/domains`,
    body: () => ({ domain: 'roles.example' }),
    statuses: [401, 403, 403, 201],
  },
  get_connection_domains: {
    path: () => `/api/2/auth/connections/${doomed.saml}/domains`,
    statuses: [401, 403, 403, 200],
  },
  check_connection_domain: {
    path: () => `/api/2/auth/connections/${doomed.saml}/domains/roles.example/check`,
    statuses: [401, 403, 403, 200],
  },
  vouch_for_connection_domain: {
    path: () => `/api/2/auth/connections/${doomed.saml}/domains/roles.example/vouch`,
    statuses: [401, 403, 403, 200],
  },
  delete_connection_domain: {
    path: () => `/api/2/auth/connections/${doomed.saml}/domains/roles.example`,
    statuses: [401, 403, 403, 204],
  },
  create_saml_setup: {
    body: () => ({ name: 'Example Company' }),
    statuses: [401, 403, 403, 201],
  },
  create_saml_setup_link: {
    path: () => '/api/2/auth/saml/999999/setup-links',
    statuses: [401, 403, 403, 404],
  },
  get_saml_setup_links: {
    path: () => `/api/2/auth/saml/${doomed.saml}/setup-links`,
    statuses: [401, 403, 403, 200],
  },
  revoke_saml_setup_link: {
    path: () => `/api/2/auth/saml/${doomed.saml}/setup-links/x`,
    statuses: [401, 403, 403, 404],
  },
  find_saml_setup: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  set_saml_setup_metadata: { body: () => ({ token: 'x', xml: 'x' }), statuses: [400, 400, 400, 400] },
  check_saml_setup_domain: {
    body: () => ({ token: 'x', domain: 'roles.example' }),
    statuses: [400, 400, 400, 400],
  },
  remove_saml_setup_domain: {
    body: () => ({ token: 'x', domain: 'roles.example' }),
    statuses: [400, 400, 400, 400],
  },
  finish_saml_setup: { body: () => ({ token: 'x', shown: 'x'.repeat(43) }), statuses: [400, 400, 400, 400] },
  start_saml_setup_directory: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  create_saml_setup_directory_token: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  start_saml_setup_test: { body: () => ({ token: 'x' }), statuses: [400, 400, 400, 400] },
  find_saml_setup_test: { body: () => ({ token: 'x', test: 'x' }), statuses: [400, 400, 400, 400] },
  setup_page: { statuses: [200, 200, 200, 200] },
  get_saml_service_provider_metadata: {
    path: () => `/api/2/auth/saml/${doomed.saml}/metadata`,
    statuses: [200, 200, 200, 200],
  },
  start_saml_auth: {
    path: () => `/api/2/auth/saml/${doomed.saml}/sso`,
    statuses: [303, 303, 303, 303],
  },
  receive_saml_auth_assertion: {
    path: () => `/api/2/auth/saml/${doomed.saml}/assertion`,
    statuses: [400, 400, 400, 400],
  },
  return_from_saml_auth: {
    path: () => `/api/2/auth/saml/${doomed.saml}/sso/return`,
    statuses: [303, 303, 303, 303],
  },
  diagnose_saml_response: {
    path: () => `/api/2/auth/saml/${doomed.saml}/diagnose`,
    body: () => ({ saml_response: 'x' }),
    statuses: [401, 403, 403, 200],
  },
  get_connection_test_result: {
    path: () => `/api/2/auth/connections/${doomed.saml}/tests/unknown`,
    statuses: [401, 403, 403, 404],
  },
  list_oidc_connections: { statuses: [401, 403, 403, 200] },
  create_oidc_connection: {
    body: () => ({ name: 'Upstream', issuer: 'https://idp.example', client_id: 'a', client_secret: 'b' }),
    statuses: [401, 403, 403, 201],
  },
  get_oidc_connection: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}`,
    statuses: [401, 403, 403, 200],
  },
  patch_oidc_connection: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}`,
    body: () => ({ name: 'Renamed' }),
    statuses: [401, 403, 403, 200],
  },
  // An identity provider on a private address is not reached.
  start_oidc_sign_in: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/start`,
    statuses: [502, 502, 502, 502],
  },
  receive_oidc_answer: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/callback`,
    statuses: [401, 401, 401, 401],
  },
  receive_oidc_answer_by_form: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/callback`,
    form: 'code=x&state=x',
    statuses: [401, 401, 401, 401],
  },
  // It is no connection for Apple.
  receive_apple_notification: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/apple-notifications`,
    body: () => ({ payload: 'x' }),
    statuses: [404, 404, 404, 404],
  },
  receive_upstream_logout: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/backchannel-logout`,
    form: 'logout_token=x',
    statuses: [400, 400, 400, 400],
  },
  // No answer of an identity provider waits.
  show_sign_in_question: {
    path: () => `/sign-in-question/${doomed.saml}/unknown`,
    statuses: [401, 401, 401, 401],
  },
  answer_sign_in_question: {
    path: () => `/sign-in-question/${doomed.saml}/unknown`,
    form: `answer=yes&shown=${'x'.repeat(43)}`,
    statuses: [401, 401, 401, 401],
  },
  return_from_oidc_sign_in: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}/return`,
    statuses: [303, 303, 303, 303],
  },
  delete_oidc_connection: {
    path: () => `/api/2/auth/oidc-connections/${doomed.oidc}`,
    statuses: [401, 403, 403, 204],
  },
  delete_saml_provider: { path: () => `/api/2/auth/saml/${doomed.saml}`, statuses: [401, 403, 403, 204] },
  get_jwks: { statuses: [200, 200, 200, 200] },
  create_jwt: { body: () => ({}), statuses: [401, 200, 200, 200] },
  get_openid_configuration: { statuses: [200, 200, 200, 200] },
  get_authorization_server_metadata: { statuses: [200, 200, 200, 200] },
  // Without parameters the client is not known.
  push_authorization_request: { statuses: [400, 400, 400, 400] },
  start_authorization: { statuses: [400, 400, 400, 400] },
  start_authorization_by_form: { statuses: [303, 303, 303, 303] },
  resume_authorization: { path: () => '/oauth2/interaction/unknown', statuses: [400, 400, 400, 400] },
  answer_consent: { path: () => '/oauth2/interaction/unknown', statuses: [400, 400, 400, 400] },
  issue_tokens: { statuses: [400, 400, 400, 400] },
  // Users are asked first.
  logout_for_client: { statuses: [303, 200, 200, 200] },
  logout_for_client_by_form: { statuses: [303, 303, 303, 303] },
  // They answered another page.
  confirm_logout_for_client: { form: `shown=${'x'.repeat(43)}`, statuses: [303, 200, 200, 200] },
  // Without parameters the client is not known.
  start_device_authorization: { statuses: [401, 401, 401, 401] },
  // Users sign in first.
  show_device_page: { statuses: [303, 200, 200, 200] },
  enter_device_code: { statuses: [303, 200, 200, 200] },
  answer_device: { statuses: [400, 400, 400, 400] },
  logout_page: { statuses: [204, 204, 204, 204] },
  start_saml_logout: { path: () => '/api/2/auth/saml/2147483647/sls', statuses: [303, 303, 303, 303] },
  return_from_saml_logout: {
    path: () => '/api/2/auth/saml/2147483647/sls/return',
    statuses: [404, 404, 404, 404],
  },
}
const endsSession = new Set(['logout', 'logout_page', 'start_saml_logout'])

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

describe('each operation and role', () => {
  // `test/attacks/access-matrix.test.ts` tries every operation with every kind of credential.
  it('exist', () => {
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(calls)))
  })

  it.each(Object.entries(calls))('%s answers each role as the table says', async (id, call) => {
    const operation = operations.find((candidate) => candidate.id === id)
    const answers: (readonly [Role, number, string])[] = []
    for (const [at, role] of roles.entries()) {
      if (id === 'check_auth_ticket') ticket = await ticketOf()
      const bearer =
        endsSession.has(id) && role !== 'anonymous' ? (await addSignedIn(service)).bearer : bearers[role]
      const { status, text } = await service.client(
        operation?.method ?? '',
        call.path?.() ?? operation?.path ?? '',
        {
          ...(call.body ? { body: call.body() } : {}),
          ...(call.form === undefined ? {} : { raw: call.form, headers: formHeaders }),
          ...(bearer === undefined ? {} : { bearer }),
        },
      )
      answers.push([role, status, status === call.statuses[at] ? '' : text])
    }
    expect(answers).toEqual(roles.map((role, at) => [role, call.statuses[at], '']))
  })
})
