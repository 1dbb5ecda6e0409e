import { randomUUID } from 'node:crypto'
import { exampleLogo } from '../lib/accounts/example-values.models.ts'
import { suppressAddress } from '../lib/accounts/outbox/suppressed-addresses.records.ts'
import { surveyAuditIfDue } from '../lib/features/audit/survey.records.ts'
import { buildManageSteps } from '../lib/features/configuration/managed.records.ts'
import { oidcKind } from '../lib/features/connections/oidc/records.ts'
import { editConnectionOf, findConnectionOf } from '../lib/features/connections/records.ts'
import { operations } from '../lib/features/operations.ts'
import { messagesVersion, pageFiles } from '../lib/features/pages/app.prebuilt.ts'
import { nameScriptFolder } from '../lib/kernel/i18n/languages.ts'
import { newAuthenticator } from '../test/support/authenticator.ts'
import type { JsonValue } from '../test/support/client.ts'
import { readMailed } from '../test/support/deliver-mail.ts'
import { addLink, bundle } from '../test/support/links.ts'
import { addRelyingParty } from '../test/support/oidc.ts'
import { newPersonAddress } from '../test/support/organization-invitations.ts'
import { SoftwarePasskey } from '../test/support/passkeys.ts'
import { addPerson, addSignedIn, signIn } from '../test/support/people.ts'
import { reachLimit } from '../test/support/reached-limits.ts'
import { addRememberedDevice } from '../test/support/remembered-devices.ts'
import {
  adoptUser,
  callDirectory,
  schemas,
  scimPreview,
  scimSettings,
  sendUnassigned,
  storeConnection,
} from '../test/support/scim.ts'
import type { TestService } from '../test/support/service.ts'
import { storeSignInPolicy } from '../test/support/sign-in-policy.ts'
import { sendEmailedOperations } from './emailed-operations.ts'
import { sendOAuthOperations } from './oidc-operations.ts'
import { sendSamlOperations } from './saml-operations.ts'
import { createSend, type Measure, type Send, withMeasuredClient } from './send-operation.ts'

/** Sends a request of each operation, and measures it. */
export const sendEveryOperation = async (service: TestService, measure: Measure): Promise<void> => {
  const measured = withMeasuredClient(service, measure)
  const send = createSend(measured)
  const warmUp = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { bearer } = admin
  // The first request of a session updates the time of last use. Later requests are measured.
  await warmUp(bearer)
  await sendOwnOperations(service, send)
  await send('set_onboarding', [], { bearer, body: { is_hidden: true } })
  await sendDirectoryOperations(service, send, bearer)
  await sendAttributeOperations(send, bearer)
  await sendOrganizationOperations(service, send, bearer)
  await send('import_users', [], { bearer, body: { lines: [{ username: `made-${randomUUID()}` }] } })
  await send('get_exported_users', [], { bearer })
  await sendCredentialOperations(service, send, bearer)
  await sendEmailedOperations(service, send, bearer)
  await sendSamlOperations(service, measured, send, bearer)
  await sendOAuthOperations(service, send)
  await sendHookOperations(service, send, bearer)
  await sendOversightOperations(service, send, bearer)
  await sendDeletionOperations(service, send)
  await send('get_script', [nameScriptFolder('en', messagesVersion), pageFiles.account.script])
  await send('get_stylesheet', [pageFiles.account.stylesheet])
  await send('reference_topic_page', ['tickets'])
  await send('guide_page', ['sessions'])
  for (const { id, group, path } of operations)
    if ((group === 'pages' || group === 'health') && !path.includes('{')) await send(id, [])
}

const sendOrganizationOperations = async (
  service: TestService,
  send: Send,
  bearer: string,
): Promise<void> => {
  const roles = [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }]
  await send('update_organization_roles', [], { bearer, body: { roles } })
  await send('get_organization_roles', [], { bearer })
  await send('update_organization_policy', [], {
    bearer,
    body: { creation: 'everybody', ending_grace_days: 30, company_sign_in: 'ask' },
  })
  await send('get_organization_policy', [], { bearer })
  const body = { name: 'Acme Studios', slug: 'acme' }
  const { id } = (await send('create_organization', [], { bearer, body })).body
  const member = await addSignedIn(service)
  const userId = member.user.id
  await send('create_organization_member', [id], { bearer, body: { user: userId, roles: ['owner'] } })
  // A member finds the organization by their role.
  const own = { bearer: member.bearer }
  await service.client('GET', '/api/2/users/me', own)
  await send('get_own_organizations', [], own)
  const founder = await addSignedIn(service, { email: newPersonAddress() })
  await send('create_own_organization', [], {
    bearer: founder.bearer,
    body: { name: 'Own', slug: 'own-one' },
  })
  await send('get_organization', [id], own)
  await send('patch_organization', [id], { ...own, body: { name: 'Acme Film Studios' } })
  await send('recount_organization', [id], { bearer })
  await service.client('PATCH', `/api/2/organizations/${id}`, { ...own, body: { slug: 'acme-films' } })
  await send('release_organization_slug', ['acme'], { bearer })
  await send('request_organization_ending', [id], { ...own, body: {} })
  await send('withdraw_organization_ending', [id], own)
  await send('update_organization_branding', [id], {
    ...own,
    body: { name: 'Acme', accent_color: '#b91c1c', logo: exampleUpload },
  })
  await send('get_organization_branding', [id], own)
  await send('reset_organization_branding', [id], own)
  const words = { subject: 'Join', body: '{inviter} {organization}\n[Join]({link})' }
  const invitations = [id, 'organization_invitation', 'en']
  await send('update_organization_email_text', invitations, { bearer, body: words })
  await send('list_organization_email_texts', [id], own)
  await send('get_organization_email_text', invitations, own)
  await send('preview_organization_email_text', invitations, { ...own, body: words })
  await send('reset_organization_email_text', invitations, own)
  await send('get_organization_members', [id], own)
  await send('get_organization_events', [id], own)
  await send('get_organization_api_tokens', [id], { bearer })
  const given = { name: 'nightly import', permissions: ['films:edit'] }
  const token = (await send('create_organization_api_token', [id], { ...own, body: given })).body
  await service.client('GET', '/api/2/organizations/current', { bearer: token.token })
  await send('get_current_organization', [], { bearer: token.token })
  await send('delete_organization_api_token', [id, token.id], own)
  const provider = { issuer: 'https://idp.example.com', client_id: 'latchkey', client_secret: 'secret' }
  const brought = await send('create_organization_sign_in', [id], {
    ...own,
    body: { kind: 'oidc', ...provider },
  })
  const domain = 'acme.example'
  await send('check_organization_domain', [id, brought.body.id], { ...own, body: { domain } })
  await send('get_organization_sign_in', [id], own)
  await sendScimOperations(service, send, id, { own, bearer })
  await requestApproval(service, brought.body.id)
  await send('approve_connection', [brought.body.id], {
    bearer,
    body: { provider: provider.issuer, domains: [] },
  })
  await send('stop_organization_sign_ins', [], { bearer, body: { dry_run: true } })
  await send('remove_organization_domain', [id, brought.body.id, domain], own)
  await send('delete_organization_sign_in', [id, brought.body.id], own)
  await sendOrganizationLinkOperations(service, send, id, bearer)
  await send('get_user_organizations', [userId], { bearer })
  await send('get_all_organizations', [], { bearer })
  await send('patch_organization_member', [id, userId], { bearer, body: { roles: ['editor'] } })
  await send('leave_organization', [id], own)
  await send('create_organization_member', [id], { bearer, body: { user: userId, roles: ['editor'] } })
  await send('remove_organization_member', [id, userId], { bearer })
  await sendInvitationOperations(service, send, id, bearer)
  await send('delete_organization', [id], { bearer })
}

/** What a directory sends, and who lets it. */
const sendScimOperations = async (
  service: TestService,
  send: Send,
  organizationId: number,
  { own, bearer }: { readonly own: { readonly bearer: string }; readonly bearer: string },
): Promise<void> => {
  const connectionId = await storeConnection(service, {
    organization_id: organizationId,
    isFromOrganization: true,
  })
  for (const [name, path, caller] of [
    ['organization', [organizationId, connectionId], own],
    ['connection', [connectionId], { bearer }],
  ] as const) {
    await send(`set_${name}_scim`, path, { ...caller, body: scimSettings })
    const { body } = await send(`create_${name}_scim_token`, path, caller)
    await send(`get_${name}_scim`, path, caller)
    await send(`list_${name}_scim_users`, path, caller)
    await send(`list_${name}_scim_groups`, path, caller)
    await send(`list_${name}_scim_calls`, path, caller)
    await send(`preview_${name}_scim`, path, { ...caller, body: scimPreview })
    const { person, user } = await sendUnassigned(service, callDirectory(service, connectionId, body.token))
    await send(`assign_${name}_scim_user`, [...path, person], { ...caller, body: { user } })
    await send(`bring_back_${name}_scim_user`, [...path, person], caller)
    if (name === 'connection') {
      await sendAgreement(service, send, connectionId, body.token)
      await sendAsDirectory(send, connectionId, body.token)
    }
    await send(`delete_${name}_scim_token`, [...path, body.id], caller)
  }
}

/** What somebody answers who had an account before the directory sent them. */
const sendAgreement = async (
  service: TestService,
  send: Send,
  connectionId: number,
  token: string,
): Promise<void> => {
  const { user, bearer } = await addSignedIn(service)
  const addUser = (fields: object) =>
    service.client('POST', `/scim/v2/${connectionId}/Users`, {
      bearer: token,
      body: { schemas: [schemas.user], ...fields },
    })
  await adoptUser(service, user, { connectionId, addUser })
  await service.client('GET', '/api/2/users/me', { bearer })
  const [{ shown }] = (await send('get_own_directories', [], { bearer })).body
  await send('answer_own_directory', [connectionId], { bearer, body: { agrees: true, shown } })
}

const sendAsDirectory = async (send: Send, connectionId: number, bearer: string): Promise<void> => {
  const user = { schemas: [schemas.user], userName: `${randomUUID()}@example.com` }
  const { id } = (await send('create_scim_resource', [connectionId, 'Users'], { bearer, body: user })).body
  await send('list_scim_resources', [connectionId, 'Users'], { bearer })
  await send('get_scim_resource', [connectionId, 'Users', id], { bearer })
  await send('replace_scim_resource', [connectionId, 'Users', id], { bearer, body: user })
  const leaves = { schemas: [schemas.patch], Operations: [{ op: 'replace', value: { active: false } }] }
  await send('change_scim_resource', [connectionId, 'Users', id], { bearer, body: leaves })
  await send('delete_scim_resource', [connectionId, 'Users', id], { bearer })
}

const sendOrganizationLinkOperations = async (
  service: TestService,
  send: Send,
  id: number,
  bearer: string,
): Promise<void> => {
  const sharer = await addSignedIn(service, { permissions: ['media:access'] })
  const path = `/api/2/organizations/${id}/members`
  await service.client('POST', path, { bearer, body: { user: sharer.user.id, roles: ['admin'] } })
  const link = await addLink(service, sharer.bearer, { organization: id })
  const own = { bearer: sharer.bearer }
  await send('get_organization_links', [id], own)
  await send('delete_organization_link', [id, link.id], own)
}

/** Lets a connection wait for an administrator as if one of its domains was proven. */
const requestApproval = async ({ services: { table } }: TestService, id: number): Promise<void> => {
  const connection = await findConnectionOf(table, oidcKind, id)
  if (!connection) throw new Error('the connection was not found')
  await editConnectionOf(table, oidcKind, connection, { setup: { link: null, awaitsApproval: true } }, [])
}

const sendInvitationOperations = async (
  service: TestService,
  send: Send,
  id: number,
  bearer: string,
): Promise<void> => {
  const invite = (email: string) =>
    send('create_organization_invitation', [id], { bearer, body: { email, roles: ['editor'] } })
  const person = await addSignedIn(service, { email: newPersonAddress() })
  const own = { bearer: person.bearer }
  const email = person.user.email ?? ''
  const { id: first } = (await invite(email)).body
  await send('get_organization_invitations', [id], { bearer })
  await send('get_own_organization_invitations', [], own)
  await readMailed(service, email, 'token')
  await send('resend_organization_invitation', [id, first], { bearer })
  const resent = await readMailed(service, email, 'token')
  const { shown } = (await send('find_organization_invitation', [], { body: { token: resent } })).body
  await send('accept_organization_invitation', [], { ...own, body: { token: resent, shown } })
  const newcomer = newPersonAddress()
  const { id: second } = (await invite(newcomer)).body
  const body = { token: await readMailed(service, newcomer, 'token'), full_name: 'Grace Hopper' }
  await send('complete_invited_sign_up', [], { body })
  await send('revoke_organization_invitation', [id, second], { bearer })
  const { id: third } = (await invite(email)).body
  await send('decline_organization_invitation', [third], own)
  const joiner = await addSignedIn(service, { email: newPersonAddress() })
  const theirs = { bearer: joiner.bearer }
  const { id: fourth } = (await invite(joiner.user.email ?? '')).body
  const { request_id, shown: seen } = (await send('request_organization_join_code', [fourth], theirs)).body
  const code = await readMailed(service, joiner.user.email ?? '', 'code')
  await send('join_organization_with_code', [fourth], { ...theirs, body: { request_id, code, shown: seen } })
}

const sendAttributeOperations = async (send: Send, bearer: string): Promise<void> => {
  const definition = { name: 'staff_number', type: 'text', is_searchable: true, user_access: 'write' }
  await send('update_user_attributes', [], { bearer, body: { attributes: [definition] } })
  await send('get_user_attributes', [], { bearer })
  await send('get_totals', [], { bearer })
  const attributes = [{ name: definition.name, value: 'E-1234' }]
  await send('update_own_attributes', [], { bearer, body: { attributes } })
  await send('get_own_attributes', [], { bearer })
}

const sendDeletionOperations = async (service: TestService, send: Send): Promise<void> => {
  await storeSignInPolicy(service, { account_deletion: 'after_grace', account_deletion_grace_days: 14 })
  const { bearer } = await addSignedIn(service, { email: `${randomUUID()}@example.com` })
  await send('request_account_deletion', [], { bearer })
  await send('get_own_account_deletion', [], { bearer })
  await send('withdraw_account_deletion', [], { bearer })
}

const sendOwnOperations = async (service: TestService, send: Send): Promise<void> => {
  const person = await addPerson(service)
  const credentials = { username: person.user.username, password: person.password }
  const { session_key: bearer } = (await send('login', [], { body: credentials })).body
  await service.client('GET', '/api/2/users/me', { bearer })
  await send('get_current_user', [], { bearer })
  const { ticket } = (await send('create_auth_ticket', [], { bearer, body: {} })).body
  await send('check_auth_ticket', [], { body: { ticket } })
  await send('check_return_url', [], { query: '?return_to=/' })
  await send('continue_to_return_url', [], { bearer, body: { return_to: 'https://shop.example.com/' } })
  // The first request of a process reads and decrypts the keys. Later requests use them.
  await service.client('POST', '/api/2/auth/jwt', { bearer, body: {} })
  await send('get_jwks', [])
  await send('create_jwt', [], { bearer, body: {} })
  await send('update_current_user', [], { bearer, body: { language: 'de' } })
  await send('update_profile', [], { bearer, body: { full_name: 'Replaced' } })
  await send('confirm_identity', [], { bearer, body: { password: person.password } })
  const other = await signIn(service, person)
  const sessions = (await send('get_own_sessions', [], { bearer })).body
  const others: readonly { id: string; is_current: boolean }[] = sessions
  await send('end_own_session', [others.find((one) => !one.is_current)?.id ?? ''], { bearer })
  await send('generate_password', [], { bearer, body: {} })
  await send('evaluate_password', [], { bearer, body: { password: 'Password1' } })
  const body = { current_password: person.password, password: 'Another good and long password' }
  await send('change_own_password', [], { bearer, body })
  await send('report_leaked_credentials', [], { body: { token: other } })
  await send('logout_page', [], { bearer })
  await send('logout', [], { bearer: await signIn(service, { ...person, password: body.password }) })
}

const sendDirectoryOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const ada = { username: 'ada', email: 'ada@example.com', groups: [], permissions: [], fm_bookmarks: [] }
  const { id } = (await send('create_user', [], { bearer, body: ada })).body
  await send('get_user', [id], { bearer })
  await send('get_user_sign_in_ways', [id], { bearer })
  await send('get_all_users', [], { bearer })
  await send('update_user', [id], { bearer, body: { ...ada, full_name: 'Ada Lovelace' } })
  await send('patch_user', [id], { bearer, body: { email: 'lovelace@example.com' } })
  await send('set_user_password', [id], { bearer, body: { password: 'A good and long password' } })
  await send('send_password_reset', [id], { bearer })
  await send('start_impersonation', [], { bearer, body: { user: id } })
  await send('stop_impersonation', [], { bearer, body: {} })
  await send('set_user_password', [id], { bearer, body: { password: 'A good and long password' } })
  const opened = { username: 'ada', password: 'A good and long password' }
  await service.client('POST', '/api/2/auth/login', { body: opened })
  const device = await addRememberedDevice(service, id)
  await send('get_remembered_devices', [id], { bearer })
  await send('end_remembered_device', [id, device.id], { bearer })
  const [session] = (await send('get_user_sessions', [id], { bearer })).body
  await send('end_user_session', [id, session.id], { bearer })
  await send('end_user_sessions', [id], { bearer })
  await send('get_user_holdings', [id], { bearer })
  await send('end_user_holdings', [id], { bearer, body: {} })
  const kinds = [
    { kind: 'group', body: { name: 'group', members: [{ id }] } },
    { kind: 'user_template', body: { name: 'template' } },
  ]
  const client = { name: 'shop', redirect_uris: ['https://shop.example/cb'] }
  const { id: clientId } = (await send('create_oidc_client', [], { bearer, body: client })).body
  await send('get_all_oidc_clients', [], { bearer })
  await send('get_oidc_client', [clientId], { bearer })
  await send('try_oidc_client_sign_in', [clientId], { bearer, body: {} })
  await send('patch_oidc_client', [clientId], { bearer, body: { name: 'store' } })
  await send('renew_oidc_client_secret', [clientId], { bearer, body: { keep_previous_for: 60 } })
  await send('end_oidc_client_secret', [clientId, 1], { bearer })
  await send('delete_oidc_client', [clientId], { bearer })
  const api = { name: 'films', audience: 'urn:films' }
  const { id: apiId } = (await send('create_protected_api', [], { bearer, body: api })).body
  await send('get_all_protected_apis', [], { bearer })
  await send('get_agent_policy', [], { bearer })
  await send('update_agent_policy', [], { bearer, body: { hosts: ['agent.example.com'] } })
  await send('get_protected_api', [apiId], { bearer })
  const managed = { kind: 'api', key: 'films', id: apiId, owner: 'shop', given: '', result: '' } as const
  await service.services.table.transact(buildManageSteps(managed, undefined))
  await send('find_managed', ['api'], { bearer, query: `?ids=${apiId}` })
  await send('unlock_managed', ['api', 'films'], { bearer })
  await send('patch_protected_api', [apiId], { bearer, body: { name: 'cinema' } })
  await send('delete_protected_api', [apiId], { bearer })
  for (const { kind, body } of kinds) {
    const made = (await send(`create_${kind}`, [], { bearer, body })).body
    await send(`get_all_${kind}s`, [], { bearer })
    await send(`get_${kind}`, [made.id], { bearer })
    await send(`update_${kind}`, [made.id], { bearer, body: { ...body, name: 'another' } })
    await send(`patch_${kind}`, [made.id], { bearer, body: { name: 'other' } })
    if (kind === 'group') await send('change_group_members', [made.id], { bearer, body: { add: [id] } })
    await send(`delete_${kind}`, [made.id], { bearer })
  }
  await send('delete_user', [id], { bearer })
  // On AWS, a schedule runs this. The cost of a list depends on it.
  await surveyAuditIfDue(service.services.table, {
    nowMs: service.services.now(),
    retentionMs: service.services.config.auditRetentionMs,
  })
  await send('get_audit_events', [], { bearer })
  await send('list_hooks', [], { bearer })
  // Equal values write nothing, so each round changes something.
  const changePolicy = {
    password: ({ min_length }: JsonValue) => ({ min_length: min_length === 10 ? 11 : 10 }),
    sign_in: ({ second_factor_grace_days: days }: JsonValue) => ({
      allow_email_codes: true,
      second_factor_grace_days: days === 7 ? 8 : 7,
    }),
  }
  for (const [policy, change] of Object.entries(changePolicy)) {
    const { body } = await send(`get_${policy}_policy`, [], { bearer })
    await send(`update_${policy}_policy`, [], { bearer, body: { ...body, ...change(body) } })
  }
  await send('get_session_review', [], { bearer })
  await sendBrandingOperations(send, bearer)
  await sendEmailTextOperations(service, send)
  const { bearer: own, user } = await addSignedIn(service)
  const { key, code } = newAuthenticator()
  await send('enable_totp', [user.id], { bearer: own, body: { key, otp: code() } })
  await send('renew_recovery_codes', [user.id], { bearer: own, body: {} })
  await send('sync_totp', [user.id], { bearer: own, body: { otp: code(3) } })
  await send('disable_totp', [user.id], { bearer: own, query: `?otp=${code(4)}` })
}

const exampleUpload = { content_type: 'image/png', data: exampleLogo.data }

const sendBrandingOperations = async (send: Send, bearer: string): Promise<void> => {
  const body = { product_name: 'Acme', accent_color: '#1d4ed8' }
  await send('update_branding', [], { bearer, body })
  await send('patch_branding', [], { bearer, body: { accent_color: '#047857' } })
  await send('upload_logo', [], { bearer, body: exampleUpload })
  await send('get_branding', [])
  await send('get_logo', [exampleLogo.hash])
  await send('delete_logo', [], { bearer })
  await send('reset_branding', [], { bearer })
  await send('update_product_branding', ['Shop'], { bearer, body })
  await send('patch_product_branding', ['Shop'], { bearer, body: { accent_color: '#047857' } })
  await send('upload_product_logo', ['Shop'], { bearer, body: exampleUpload })
  await send('get_product_brandings', [], { bearer })
  await send('delete_product_logo', ['Shop'], { bearer })
  await send('reset_product_branding', ['Shop'], { bearer })
}

/** The hook of the service is one that no other request calls. */
const sendHookOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const { user } = await addPerson(service)
  const { client } = await addRelyingParty(service)
  const body = { user: user.id, client_id: client.clientId }
  await send('try_hook', ['beforeToken'], { bearer, body })
  await send('change_hook', ['beforeToken'], { bearer, body: { turned_off: true } })
  await send('change_hook', ['beforeToken'], { bearer, body: { turned_off: false } })
}

const sendEmailTextOperations = async (service: TestService, send: Send): Promise<void> => {
  // A test is sent to the own address.
  const { bearer } = await addSignedIn(service, {
    email: `${randomUUID()}@example.com`,
    permissions: ['system:admin-access'],
  })
  const words = { subject: 'Welcome', body: '[Go on]({link})' }
  await send('update_email_text', ['service', 'sign_up', 'en'], { bearer, body: words })
  await send('list_email_texts', ['service'], { bearer })
  await send('get_email_text', ['service', 'sign_up', 'en'], { bearer })
  await send('preview_email_text', ['service', 'sign_up', 'en'], { bearer, body: words })
  await send('send_email_text_test', ['service', 'sign_up', 'en'], { bearer, body: words })
  await send('reset_email_text', ['service', 'sign_up', 'en'], { bearer })
}

const sendCredentialOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const { id: token, token: value } = (
    await send('create_api_token', [], { bearer, body: { name: 'token' } })
  ).body
  await send('find_credential', [], { bearer, body: { value } })
  await send('get_all_api_tokens', [], { bearer })
  await send('get_api_tokens_of_all_users', [], { bearer })
  await send('get_api_token', [token], { bearer })
  await send('update_api_token', [token], { bearer, body: { name: 'other' } })
  await send('patch_api_token', [token], { bearer, body: { name: 'another' } })
  const soon = new Date(service.services.now() + 3_600_000).toISOString()
  await send('shorten_api_token', [token], { bearer, body: { expires: soon } })
  await send('delete_api_token', [token], { bearer })

  // The first link of a month creates a key. Later links use it.
  await addLink(service, bearer)
  const shared = { bundles: [bundle()], email: 'guest@example.com' }
  const link = (await send('create_access_token', [], { bearer, body: shared })).body
  for (const [kind, field] of [
    ['bundle', 'bundles'],
    ['directory', 'directories'],
  ] as const) {
    await send('share_media_library_objects', [], { bearer, body: { [field]: [7], is_easy_sharing: true } })
    await send(`get_easy_sharing_token_for_${kind}`, [7], { bearer })
    await send(`delete_easy_sharing_token_for_${kind}`, [7], { bearer })
  }
  await send('get_all_access_tokens', [], { bearer })
  await send('get_access_token_totals', [], { bearer })
  await send('get_access_token', [link.id], { bearer })
  await send('get_access_token_media_library_permissions', [link.id], { bearer })
  await send('get_access_token_by_value', [link.token])
  await send('redeem_access_token', [], { body: { token: link.token } })
  await send('delete_access_token', [link.id], { bearer })
  const [leaver, successor] = [
    await addSignedIn(service, { permissions: ['media:access'] }),
    await addSignedIn(service, { permissions: ['media:access'] }),
  ]
  await addLink(service, leaver.bearer)
  await send('hand_over_access_tokens', [leaver.user.id], {
    bearer,
    body: { to: successor.user.id, new_addresses: true },
  })

  const { bearer: own, user } = await addSignedIn(service)
  const origin = service.url
  const passkey = new SoftwarePasskey()
  const add = async (created = passkey) => {
    const { body } = await send('start_passkey_registration', [], { bearer: own })
    const credential = created.create(body, { origin })
    return (await send('create_passkey', [], { bearer: own, body: { credential } })).body.id
  }
  const id = await add()
  await send('get_own_passkeys', [], { bearer: own })
  await send('patch_passkey', [id], { bearer: own, body: { name: 'Laptop' } })
  await send('get_passkey_settings', [], { bearer: own })
  // Required passkeys need a spare one.
  await add(new SoftwarePasskey())
  const challenge = await send('start_passkey_login', [], { body: {} })
  await send('login_with_passkey', [], { body: { credential: passkey.get(challenge.body, { origin }) } })
  const again = await send('start_passkey_reauthentication', [], { bearer: own, body: {} })
  const proof = { credential: passkey.get(again.body, { origin }) }
  await send('reauthenticate_with_passkey', [], { bearer: own, body: proof })
  // After this proof: a password alone is none while passkeys are required.
  for (const required_with_password of [true, false])
    await send('update_passkey_settings', [], { bearer: own, body: { required_with_password } })
  await send('get_user_passkeys', [user.id], { bearer })
  await send('delete_passkey', [id], { bearer: own })
  await send('delete_user_passkey', [user.id, await add()], { bearer })
}

/** What administrators see of limits and of addresses that receive no email. */
const sendOversightOperations = async (service: TestService, send: Send, bearer: string): Promise<void> => {
  const { services } = service
  for (const network of ['192.0.2.1', '192.0.2.2']) await reachLimit(service, 'leakReports', network)
  await send('get_overview', [], { bearer })
  await send('get_activity', [], { bearer })
  const [limited] = (await send('get_rate_limited_subjects', [], { bearer })).body
  await send('lift_rate_limit', [limited.key], { bearer })
  for (const address of ['ann@example.com', 'bob@example.com'])
    await suppressAddress(
      services.table,
      address,
      { reason: 'bounce', since: services.now(), feedbackId: address },
      [],
    )
  const [suppressed] = (await send('get_suppressed_addresses', [], { bearer })).body
  await send('lift_suppression', [suppressed.key], { bearer })
}
