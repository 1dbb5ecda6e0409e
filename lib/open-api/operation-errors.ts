import { checks } from '../features/connections/saml/assertion/checks.ts'
import { answersHead, changesState, type Operation } from '../kernel/contract/operation.ts'
import type { ErrorCode } from '../kernel/errors/errors.ts'
import { reasons } from '../kernel/errors/reasons.ts'
import { publishedClientReasons } from '../published-clients/link-operations.ts'

type ReasonsByCode = Readonly<Partial<Record<ErrorCode, readonly string[]>>>

const codeReasons = ['otp_required', 'otp_invalid']
const passkeyReasons = ['passkey_invalid', 'passkey_unknown', 'user_verification_required']
const fetchReasons = [
  'resolve',
  'connect',
  'tls',
  'answer',
  'timeout',
  'redirect',
  'status',
  'size',
  'encoding',
]

/** Why a sign-in makes nobody a member of the organization that the connection belongs to. */
const joinReasons = ['organization_inactive', 'organization_full', 'not_a_member']

/** What the hook of a product does to every sign-in. */
const hookReasons = {
  login_incomplete: ['sign_in_refused'],
  temporarily_unavailable: ['hook_failed'],
}

/** What a hook does to every account that a person, or a provider for them, begins. */
const signUpHookReasons = {
  permission_denied: ['sign_up_refused'],
  temporarily_unavailable: ['hook_failed'],
}

const oidcAnswerReasons: ReasonsByCode = {
  login_failed: [
    ...['unsolicited', 'no_cookie', 'other_browser', 'used_or_late', 'signed_out', 'force_authn'],
    ...['provider_refused', 'token_refused', 'invalid_answer', 'hosted_domain', 'authentication_time'],
    'authn_context',
  ],
  login_incomplete: ['account_disabled', 'passkey_required', ...hookReasons.login_incomplete],
  temporarily_unavailable: hookReasons.temporarily_unavailable,
  permission_denied: ['no_account', 'no_template', 'sign_up_refused', ...joinReasons],
  conflict: ['account_taken'],
  upstream_failed: [...fetchReasons, 'discovery'],
}

/** Above the limit of a network, these need a proof of work. */
const proofRequired = { too_many_requests: ['proof_required'] }

/** The reasons that a use case can give with its error codes. The tests fail if it gives any other reason. */
const useCaseReasons = new Map<string, ReasonsByCode>(
  Object.entries({
    request_sign_up: proofRequired,
    request_password_reset: proofRequired,
    request_email_code: proofRequired,
    find_sign_in_route: proofRequired,
    start_saml_auth: proofRequired,
    login: {
      login_failed: ['invalid_credentials'],
      login_incomplete: [
        'account_disabled',
        ...codeReasons,
        'passkey_required',
        'password_change_required',
        'password_breached',
        'second_factor_setup_required',
        'sso_required',
        ...hookReasons.login_incomplete,
      ],
      temporarily_unavailable: ['password_check_failed', ...hookReasons.temporarily_unavailable],
    },
    login_with_email_code: {
      login_failed: ['email_code_invalid'],
      login_incomplete: [
        ...codeReasons,
        ...['passkey_required', 'second_factor_setup_required', 'sso_required'],
        ...hookReasons.login_incomplete,
      ],
      temporarily_unavailable: hookReasons.temporarily_unavailable,
    },
    confirm_identity: {
      login_incomplete: [
        ...codeReasons,
        'passkey_required',
        'password_change_required',
        'password_breached',
        'second_factor_setup_required',
        'sso_required',
      ],
    },
    change_own_password: {
      login_incomplete: [...codeReasons, 'password_breached', 'second_factor_setup_required'],
      permission_denied: ['reauthentication_required'],
    },
    // Administrators prove who they are before they change the address of another account.
    update_user: {
      conflict: ['last_sign_in_method'],
      permission_denied: ['reauthentication_required', 'sso_required'],
    },
    patch_user: {
      conflict: ['last_sign_in_method'],
      permission_denied: ['reauthentication_required', 'sso_required'],
    },
    sync_totp: { login_incomplete: codeReasons },
    disable_totp: { conflict: ['last_sign_in_method'], login_incomplete: codeReasons },
    start_passkey_registration: { conflict: ['too_many_passkeys'] },
    create_passkey: { conflict: ['passkey_taken', 'too_many_passkeys'] },
    invite_user: { conflict: ['already_set_up', 'cannot_be_invited'] },
    accept_invitation: {
      ...hookReasons,
      login_incomplete: ['second_factor_setup_required', ...hookReasons.login_incomplete],
      permission_denied: ['sso_required'],
    },
    accept_invitation_with_passkey: {
      ...hookReasons,
      conflict: ['passkey_taken'],
      permission_denied: ['sso_required'],
    },
    issue_tokens: { temporarily_unavailable: hookReasons.temporarily_unavailable },
    reset_password: { permission_denied: ['sso_required'] },
    change_own_email: { permission_denied: ['sso_required'], ...proofRequired },
    send_email_confirmation: proofRequired,
    set_user_password: { permission_denied: ['sso_required'] },
    confirm_email: { permission_denied: ['sso_required', 'sign_in_required', 'other_account'] },
    create_organization: { conflict: ['slug_taken', 'external_id_taken'] },
    create_own_organization: {
      conflict: ['slug_taken', 'too_many_organizations', 'roles_limited'],
      permission_denied: ['creation_off', 'unconfirmed_email'],
    },
    request_organization_ending: { conflict: ['decision_changed'], permission_denied: ['ending_off'] },
    create_organization_sign_in: { permission_denied: ['company_sign_in_off'] },
    approve_connection: { conflict: ['decision_changed'] },
    answer_own_directory: { conflict: ['decision_changed'] },
    check_organization_domain: { permission_denied: ['company_sign_in_off'] },
    patch_organization: {
      conflict: ['slug_taken', 'too_many_slug_changes', 'too_many_former_slugs', 'external_id_taken'],
    },
    create_organization_member: { conflict: ['already_member', 'member_limit_reached', 'roles_limited'] },
    create_organization_api_token: { conflict: ['too_many_organization_tokens'] },
    patch_organization_member: { conflict: ['last_owner', 'roles_limited'] },
    remove_organization_member: { conflict: ['last_owner'] },
    create_organization_invitation: {
      conflict: ['already_invited', 'too_many_invitations', 'organization_suspended'],
    },
    resend_organization_invitation: {
      conflict: ['already_invited', 'too_many_invitations', 'organization_suspended'],
    },
    find_organization_invitation: { conflict: ['inviter_changed', 'organization_suspended'] },
    complete_sign_up: signUpHookReasons,
    complete_invited_sign_up: {
      ...signUpHookReasons,
      conflict: ['account_exists', 'inviter_changed', 'organization_suspended'],
    },
    accept_organization_invitation: {
      conflict: [
        ...['already_member', 'decision_changed', 'inviter_changed', 'member_limit_reached'],
        ...['organization_suspended', 'roles_limited'],
      ],
      permission_denied: ['other_address'],
    },
    request_organization_join_code: {
      conflict: ['inviter_changed', 'organization_suspended'],
      permission_denied: ['link_required'],
    },
    join_organization_with_code: {
      conflict: [
        ...['already_member', 'decision_changed', 'inviter_changed', 'member_limit_reached'],
        ...['organization_suspended', 'roles_limited'],
      ],
      invalid_token: ['email_code_invalid'],
      permission_denied: ['link_required'],
    },
    leave_organization: { conflict: ['last_owner'] },
    merge_user: { conflict: ['decision_changed'] },
    request_account_deletion: { conflict: ['decision_changed', 'last_admin', 'last_owner'] },
    link_user_company_account: { conflict: ['account_taken'], permission_denied: ['sso_required'] },
    unlink_user_company_account: { conflict: ['last_sign_in_method'] },
    delete_user_passkey: { conflict: ['last_sign_in_method'] },
    unlink_own_company_account: { conflict: ['last_sign_in_method'] },
    delete_saml_provider: { conflict: ['last_sign_in_method'] },
    delete_oidc_connection: { conflict: ['last_sign_in_method'] },
    delete_organization_sign_in: { conflict: ['last_sign_in_method'] },
    delete_passkey: { conflict: ['last_sign_in_method'] },
    create_auth_ticket: { permission_denied: ['organization_refused'] },
    create_jwt: { conflict: ['token_too_large'] },
    start_authorization: { invalid_request: ['authorization_refused'] },
    resume_authorization: { invalid_request: ['authorization_expired', 'authorization_refused'] },
    answer_consent: { invalid_request: ['authorization_expired', 'authorization_refused'] },
    update_sign_in_policy: { conflict: ['last_admin', 'last_sign_in_method', 'own_passkey_required'] },
    update_passkey_settings: { conflict: ['last_sign_in_method', 'spare_factor_required'] },
    start_passkey_login: { ...proofRequired, login_failed: ['passkey_invalid'] },
    login_with_passkey: {
      ...hookReasons,
      login_failed: passkeyReasons,
      login_incomplete: ['account_disabled', 'sso_required', ...hookReasons.login_incomplete],
    },
    reauthenticate_with_passkey: { login_failed: passkeyReasons, login_incomplete: ['sso_required'] },
    create_access_token: { permission_denied: ['organization_refused'] },
    ...publishedClientReasons,
    redeem_access_token: {
      login_failed: ['invalid_credentials'],
      login_incomplete: ['password_required'],
    },
    parse_samlidp_metadata: { upstream_failed: fetchReasons },
    refresh_samlidp_metadata: { upstream_failed: fetchReasons },
    find_saml_setup: { permission_denied: ['setup_browser'] },
    set_saml_setup_metadata: { permission_denied: ['setup_browser'], upstream_failed: fetchReasons },
    check_saml_setup_domain: { permission_denied: ['setup_browser'] },
    remove_saml_setup_domain: { permission_denied: ['setup_browser'] },
    finish_saml_setup: {
      permission_denied: ['setup_browser', 'company_sign_in_off'],
      conflict: ['setup_incomplete', 'setup_changed'],
    },
    start_saml_setup_directory: { permission_denied: ['setup_browser'] },
    create_saml_setup_directory_token: { permission_denied: ['setup_browser'] },
    start_saml_setup_test: { permission_denied: ['setup_browser'], conflict: ['setup_incomplete'] },
    find_saml_setup_test: { permission_denied: ['setup_browser'] },
    start_oidc_sign_in: {
      ...proofRequired,
      permission_denied: ['needs_https'],
      upstream_failed: [...fetchReasons, 'discovery'],
    },
    receive_oidc_answer: oidcAnswerReasons,
    receive_oidc_answer_by_form: oidcAnswerReasons,
    return_from_oidc_sign_in: { not_authenticated: ['no_cookie'] },
    return_from_saml_auth: { not_authenticated: ['no_cookie'] },
    show_sign_in_question: {
      login_failed: ['no_cookie', 'other_browser', 'used_or_late'],
      permission_denied: ['no_account'],
    },
    answer_sign_in_question: {
      login_failed: ['no_cookie', 'other_browser', 'used_or_late', 'signed_out', 'invitation_ended'],
      ...hookReasons,
      login_incomplete: ['account_disabled', 'passkey_required', ...hookReasons.login_incomplete],
      permission_denied: [
        'no_account',
        'no_template',
        'invitation_mismatch',
        'sign_up_refused',
        ...joinReasons,
      ],
      conflict: ['account_taken'],
    },
    receive_saml_auth_assertion: {
      login_failed: [
        'unsolicited',
        'no_cookie',
        'other_browser',
        'used_or_late',
        'encrypted_assertion',
        'replay',
        'signed_out',
        'invitation_ended',
        ...checks.map(({ name }) => name),
      ],
      ...hookReasons,
      login_incomplete: ['account_disabled', 'passkey_required', ...hookReasons.login_incomplete],
      permission_denied: [
        'no_account',
        'no_template',
        'invitation_mismatch',
        'sign_up_refused',
        ...joinReasons,
      ],
      conflict: ['account_taken'],
      too_many_requests: ['encrypted_assertion'],
    },
  }),
)

/** Lists every reason that an operation can give with an error code, like `listErrors` for the codes themselves. */
export const listReasons = (operation: Operation, code: string): readonly string[] => [
  ...new Set([
    ...(code === 'permission_denied' ? listAccessReasons(operation) : []),
    ...(code === 'not_authenticated' ? ['credential_expired'] : []),
    ...(code === 'too_many_requests' ? ['record_busy'] : []),
    ...(code === 'temporarily_unavailable'
      ? [
          'table_busy',
          'storage_full',
          // What an answer reads after its change can find the table busy, so each change can end like this.
          ...(answersHead(operation) ? ['out_of_time'] : ['outcome_unknown', 'partly_changed']),
        ]
      : []),
    ...(code === 'conflict' && operation.seals ? ['managed'] : []),
    ...(code === 'conflict' && operation.localChange === 'refused' ? ['managed_by_directory'] : []),
    ...(code === 'conflict' && operation.acceptsIfUnchanged ? ['changed_since'] : []),
    ...(useCaseReasons.get(operation.id)?.[code as ErrorCode] ?? []),
  ]),
]

/** The reasons of the checks before a use case. */
const listAccessReasons = ({
  access,
  acceptsProduct,
  allowsSetupSession,
  allowsOrganizationSession,
  acceptsOrganization,
  recentAuthentication,
}: Operation): readonly string[] => {
  const acceptsApiTokens = access.allow !== 'anyone' && access.scope !== undefined
  return [
    ...(acceptsApiTokens || acceptsProduct ? ['insufficient_scope'] : []),
    ...(access.allow === 'anyone' || allowsSetupSession === true ? [] : ['second_factor_setup_required']),
    ...(access.allow === 'anyone' ? [] : ['second_factor_required']),
    ...(['anyone', 'role'].includes(access.allow) || allowsOrganizationSession
      ? []
      : ['service_sign_in_required']),
    ...(acceptsOrganization ? ['organization_refused'] : []),
    ...(access.allow === 'role' && !['membership', 'none'].includes(access.inOrganization)
      ? ['organization_sign_in_required']
      : []),
    ...(recentAuthentication ? ['reauthentication_required'] : []),
  ]
}

/** Returns the meaning of a reason. Links of the reference page lead nowhere in the document. */
export const describeReason = (reason: string): string => {
  const meaning = reasons.get(reason)?.meaning ?? checks.find(({ name }) => name === reason)?.statement ?? ''
  return meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}

/** Lists every error code that an operation can return: those of the checks before its use case and its own. */
export const listErrors = (operation: Operation): readonly string[] => [
  ...new Set([
    'invalid_request',
    ...(operation.ignoresAccept ? [] : ['not_acceptable']),
    ...(operation.method === 'GET' ? [] : ['payload_too_large', 'unsupported_media_type']),
    ...listAccessErrors(operation),
    ...(operation.errors ?? []),
    ...(operation.seals || operation.acceptsIfUnchanged ? ['conflict'] : []),
    'internal_error',
    // The table or a record is busy. Pages read and write no records.
    ...(operation.group === 'pages' ? [] : ['too_many_requests', 'temporarily_unavailable']),
  ]),
]

const listAccessErrors = (operation: Operation): readonly string[] => {
  const { access } = operation
  // Session-only operations reject API tokens. All others reject API tokens without their scope.
  if (access.allow !== 'anyone') return ['not_authenticated', 'permission_denied']
  // A header of a product without the right credential is refused.
  if (operation.acceptsProduct) return ['not_authenticated', 'permission_denied']
  // A request with the cookie that comes from another site must not change anything.
  return changesState(operation) && access.credential === 'optional' ? ['permission_denied'] : []
}
