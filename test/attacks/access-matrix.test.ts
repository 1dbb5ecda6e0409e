import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { changesState } from '../../lib/kernel/contract/operation.ts'
import { type Credential, createCredentials } from '../support/credentials.ts'
import { type ReviewedOperation, readReviewedOperations } from '../support/reviewed-operations.ts'
import { useService } from '../support/use-service.ts'

/*
 * Every operation with every kind of credential, against the interface that a review approved. The requests are invalid on purpose: a caller who may call the operation
 * gets a validation error, and nothing changes. Rules inside of operations have tests of their own.
 */

const reviewed = readReviewedOperations()
const service = await useService({}, { sendsMail: false })
const credentials: Readonly<Record<string, Credential>> = await createCredentials(service)

/**
 * The operations that answer callers without a credential. All others need one, so that no declaration alone can open an
 * operation to everyone.
 */
const openOperations = `
check_auth_ticket check_return_url
get_jwks get_openid_configuration get_authorization_server_metadata get_userinfo get_userinfo_by_form introspect_token
revoke_token issue_tokens start_authorization start_authorization_by_form resume_authorization
answer_consent
logout_for_client logout_for_client_by_form confirm_logout_for_client
push_authorization_request
start_device_authorization show_device_page enter_device_code answer_device
login logout logout_page find_sign_in_route request_email_code login_with_email_code start_passkey_login login_with_passkey
get_password_policy request_password_reset reset_password report_change confirm_email find_email_confirmation reject_email_confirmation
request_sign_up find_sign_up complete_sign_up find_organization_invitation complete_invited_sign_up
find_saml_setup set_saml_setup_metadata check_saml_setup_domain remove_saml_setup_domain finish_saml_setup
start_saml_setup_test find_saml_setup_test start_saml_setup_directory create_saml_setup_directory_token
find_invitation accept_invitation start_invitation_passkey accept_invitation_with_passkey start_invitation_saml
get_access_token_by_value redeem_access_token
get_all_saml_providers get_saml_provider get_saml_service_provider_metadata start_saml_auth receive_saml_auth_assertion
return_from_saml_auth start_saml_logout return_from_saml_logout
start_oidc_sign_in receive_oidc_answer receive_oidc_answer_by_form return_from_oidc_sign_in receive_apple_notification
receive_upstream_logout
show_sign_in_question answer_sign_in_question
get_branding get_logo get_health report_leaked_credentials
sign_in_page secure_page reset_page reference_page reference_topic_page guide_page link_page confirm_page passkeys_page sign_up_page invite_page setup_page account_page organization_page admin_page
get_script get_stylesheet get_favicon get_robots get_licenses get_security_contact change_password_page get_passkey_endpoints get_related_origins get_open_api get_reference_index
`
  .trim()
  .split(/\s+/)

type Outcome =
  | 'allowed'
  | '401'
  | '401 credential_expired'
  | '403'
  | '403 insufficient_scope'
  | '403 reauthentication_required'
  | '404'

/** Kinds that count as no credential where they are not accepted. */
const kindsApart: ReadonlySet<string> = new Set(['reset_token', 'organization_token', 'scim_token'])

/** The decision for a credential. */
const decide = (operation: ReviewedOperation, credential: Credential): Outcome => {
  const { access } = operation
  const { kind, permissions } = credential
  const isForgeable = credential.isForeignCookie && changesState(operation)
  if (access.allow === 'anyone') return isForgeable && access.credential === 'optional' ? '403' : 'allowed'
  if (access.by.length === 1 && access.by[0] === 'organization_token')
    return kind === 'organization_token' ? 'allowed' : '401'
  if (access.by.length === 1 && access.by[0] === 'scim_token')
    return credential.connectionId === undefined ? '401' : 'allowed'
  if (credential.hasExpired) return '401 credential_expired'
  const isOfOtherKind = kindsApart.has(kind) && !access.by.some((one) => one === kind)
  if (kind === 'none' || isOfOtherKind) return '401'
  if (!access.by.includes(kind)) return '403'
  if (operation.notWhileImpersonating && (credential.isLinkSession || credential.isImpersonating))
    return '403'
  const isRecent = kind !== 'session' || !(credential.isStale || credential.isLinkSession)
  if (operation.recentAuthentication === true && !isRecent) return '403 reauthentication_required'
  if (isForgeable) return '403'
  const scopes = credential.scopes?.(operation)
  const holds = (held: readonly string[], needed: string) =>
    held.includes(needed) || held.includes('system:admin-access')
  if (scopes && !holds(scopes, access.scope ?? '')) return '403 insufficient_scope'
  if (access.allow === 'role') return decideInOrganization(access, credential, holds)
  return access.allow === 'permission' && !holds(permissions, access.permission) ? '403' : 'allowed'
}

type RoleAccess = Extract<ReviewedOperation['access'], { readonly allow: 'role' }>
type Holds = (held: readonly string[], needed: string) => boolean

/** The decision about an organization: for a holder of the permission, one who has a role in it, and everybody else. */
const decideInOrganization = (
  { inOrganization, permission }: RoleAccess,
  { kind, permissions, organization }: Credential,
  holds: Holds,
): Outcome => {
  if (!organization) return '404'
  if (kind !== 'organization_token' && holds(permissions, permission)) return 'allowed'
  const own = organization.permissions
  if (!own) return '404'
  return inOrganization === 'membership' || own.some((name) => name === inOrganization) ? 'allowed' : '403'
}

/** The path of a request. An operation about an organization names that of the credential. */
const pathOf = ({ path, access }: ReviewedOperation, { organization, connectionId }: Credential): string => {
  const id = access.allow === 'role' ? organization?.id : undefined
  return (id === undefined ? path : path.replace('{id}', String(id)))
    .replace('{connection_id}', String(connectionId ?? 2_147_483_647))
    .replaceAll(/\{\w*id\}/g, '2147483647')
    .replaceAll(/\{\w+\}/g, 'x')
}

/** Errors of SCIM have keywords of their own. */
const scimCodes: ReadonlyMap<unknown, string> = new Map([
  ['invalidSyntax', 'invalid_request'],
  ['401', 'not_authenticated'],
])

const send = async (operation: ReviewedOperation, credential: Credential): Promise<Outcome | string> => {
  const { status, body, headers, text } = await service.client(
    operation.method,
    `${pathOf(operation, credential)}?repeated=1&repeated=2`,
    credential.send(operation),
  )
  // Endpoints of OAuth name the code `error`.
  const code = body.code ?? body.error ?? scimCodes.get(body.scimType ?? body.status)
  if (status === 400 && code === 'invalid_request') return 'allowed'
  const challenge = headers.get('www-authenticate')
  if (status === 404 && body.code === 'not_found') return '404'
  if (status === 401 && code === 'not_authenticated' && challenge === 'Bearer') return '401'
  if (status === 401 && body.reason === 'credential_expired') {
    expect(challenge).toBe('Bearer error="invalid_token", error_description="The credential has expired"')
    return '401 credential_expired'
  }
  const isScopeMissing = challenge?.startsWith('Bearer error="insufficient_scope", scope="')
  if (status !== 403 || body.code !== 'permission_denied' || Boolean(challenge) !== Boolean(isScopeMissing))
    return text
  return ['403', body.reason].filter(Boolean).join(' ')
}

describe('the access to every operation', () => {
  it('is in the reviewed interface', () => {
    expect(reviewed.map(({ id }) => id).sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  it('requires a credential, unless the operation is open on purpose', () => {
    const open = reviewed.filter(({ access }) => access.allow === 'anyone').map(({ id }) => id)
    expect(open.sort()).toEqual([...openOperations].sort())
  })

  it.each(reviewed.map((operation) => [operation.id, operation] as const))(
    '%s allows exactly the credentials of the reviewed interface',
    async (_, operation) => {
      const entries = Object.entries(credentials)
      const outcomes = await Promise.all(
        entries.map(async ([name, credential]) => [name, await send(operation, credential)] as const),
      )
      expect(Object.fromEntries(outcomes)).toEqual(
        Object.fromEntries(entries.map(([name, credential]) => [name, decide(operation, credential)])),
      )
    },
  )
})
