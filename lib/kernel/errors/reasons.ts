import {
  formerSlugsMax,
  openInvitationsMax,
  organizationApiTokensMax,
  passkeysPerUser,
  slugChangesMax,
} from '../limits/limits.ts'
import type { ErrorCode } from './errors.ts'

interface ReasonDescription {
  /** The codes that it refines. */
  readonly codes: readonly ErrorCode[]
  readonly meaning: string
}

/**
 * Every `reason` of a problem body, apart from the names of the SAML checks in `lib/features/connections/saml/assertion/checks.ts`. Clients
 * branch on them, so they are stable. `npm run docs` builds the reference page from this table.
 */
export const reasons = new Map<string, ReasonDescription>(
  Object.entries({
    invalid_credentials: {
      codes: ['login_failed'],
      meaning: 'The username or password is wrong. For an access link: its password is wrong.',
    },
    proof_required: {
      codes: ['too_many_requests'],
      meaning:
        'Many requests come from the network, or many requests for emails to the service. Solve `challenge`, and repeat the request with `proof`: see [Bots](../concepts/bots.md). Or wait as long as for any other 429.',
    },
    otp_required: {
      codes: ['login_incomplete'],
      meaning: 'The account has a second factor. Repeat the request with `otp`.',
    },
    otp_invalid: {
      codes: ['login_incomplete'],
      meaning:
        'The one-time password or recovery code is wrong or was already used. Repeat the request with the next code.',
    },
    passkey_required: {
      codes: ['login_incomplete'],
      meaning:
        'The user wants a passkey as their second factor. Continue with `login_with_passkey` and the `second_factor_token` of this answer.',
    },
    passkey_invalid: {
      codes: ['login_failed'],
      meaning:
        'The passkey was not accepted, or its challenge was used or has expired. Start again with a new challenge.',
    },
    passkey_unknown: {
      codes: ['login_failed'],
      meaning:
        'The passkey is not registered. It may have been removed here but not on the device. Call `PublicKeyCredential.signalUnknownCredential()`, and sign in another way.',
    },
    decision_changed: {
      codes: ['conflict'],
      meaning: 'What the dialog showed to the person who decided has changed. Show it again.',
    },
    managed: {
      codes: ['conflict'],
      meaning:
        'A configuration document manages this. `managed` has its kind, key and owner. Change it in the document, or unlock it with `unlock_managed`.',
    },
    managed_by_directory: {
      codes: ['conflict'],
      meaning:
        'The directory of a connection keeps this. `managed_by_directory` has the connection, its name and the fields. Change it in the directory, or set `allows_local_changes` of the connection.',
    },
    changed_since: {
      codes: ['conflict'],
      meaning:
        'A field that `Latchkey-If-Unchanged` names has another value by now. Nothing was changed. Read the fields, and decide again.',
    },
    slug_taken: {
      codes: ['conflict'],
      meaning: 'Another organization has the slug, or one that looks like it, or had it in the last year.',
    },
    roles_limited: {
      codes: ['conflict'],
      meaning:
        'The roles would have no effect: somebody without `organizations:manage` decided how the user signs in. Invite the user to the organization, if nobody did more than name their address. Otherwise a holder of it sets a new password for the account first.',
    },
    too_many_slug_changes: {
      codes: ['conflict'],
      meaning: `Members changed the slug of the organization ${slugChangesMax} times in the last 30 days.`,
    },
    too_many_former_slugs: {
      codes: ['conflict'],
      meaning: `The organization keeps ${formerSlugsMax} former slugs, each for a year. Take one of them again, or ask a holder of \`organizations:manage\` to release one.`,
    },
    external_id_taken: { codes: ['conflict'], meaning: 'Another organization has the external ID.' },
    already_member: { codes: ['conflict'], meaning: 'The user is a member of the organization already.' },
    member_limit_reached: {
      codes: ['conflict'],
      meaning: 'The organization has as many members as its `member_limit` allows.',
    },
    already_invited: {
      codes: ['conflict'],
      meaning: 'The organization invites this address already, and the invitation is open.',
    },
    too_many_invitations: {
      codes: ['conflict'],
      meaning: `The organization has ${openInvitationsMax} open invitations. Revoke one, or wait until one is accepted or expires.`,
    },
    organization_suspended: {
      codes: ['conflict'],
      meaning: 'The organization is suspended, so nobody can be invited or join.',
    },
    inviter_changed: {
      codes: ['conflict'],
      meaning:
        'The inviter may no longer give the roles of the invitation. Ask the organization to send it again.',
    },
    account_exists: {
      codes: ['conflict'],
      meaning: 'There is an account with the invited address. Sign in with it instead.',
    },
    other_address: {
      codes: ['permission_denied'],
      meaning: 'The invitation is for another address than the verified one of the signed-in user.',
    },
    link_required: {
      codes: ['permission_denied'],
      meaning: 'The invitation makes an owner, so only the link in its email accepts it.',
    },
    sign_in_required: {
      codes: ['permission_denied'],
      meaning:
        'The link counts only in a browser that is signed in to its account. Sign in there, and open the link again.',
    },
    other_account: {
      codes: ['permission_denied'],
      meaning:
        'The link counts only in a browser that is signed in to its account, and somebody else is signed in.',
    },
    last_owner: { codes: ['conflict'], meaning: 'The organization would have no owner.' },
    last_admin: { codes: ['conflict'], meaning: 'No administrator would be left who can act.' },
    company_sign_in_off: {
      codes: ['permission_denied'],
      meaning:
        'The policy of organizations lets only administrators of the service connect identity providers of organizations.',
    },
    ending_off: {
      codes: ['permission_denied'],
      meaning: 'The policy of organizations lets owners not have their organization deleted.',
    },
    creation_off: {
      codes: ['permission_denied'],
      meaning: 'The policy of organizations lets nobody create one without `organizations:manage`.',
    },
    unconfirmed_email: {
      codes: ['permission_denied'],
      meaning: 'The user has no confirmed email address.',
    },
    too_many_organizations: {
      codes: ['conflict'],
      meaning: 'The user has created as many organizations as the policy allows.',
    },
    too_many_organization_tokens: {
      codes: ['conflict'],
      meaning: `The organization already has ${organizationApiTokensMax} API tokens. Delete one first.`,
    },
    passkey_taken: { codes: ['conflict'], meaning: 'The passkey is already registered.' },
    too_many_passkeys: {
      codes: ['conflict'],
      meaning: `The user already has ${passkeysPerUser} passkeys. Remove one first.`,
    },
    token_too_large: {
      codes: ['conflict'],
      meaning:
        'The groups and permissions of the user do not fit into a JWT that HTTP servers accept. Use an API token with scopes, or fewer groups.',
    },
    spare_factor_required: {
      codes: ['conflict'],
      meaning:
        'A password can require a passkey only if the user has two passkeys, or one and an authenticator app.',
    },
    own_passkey_required: {
      codes: ['conflict'],
      meaning:
        'The policy would accept only passkeys, and you have none. Add a passkey to your own account first.',
    },
    needs_https: {
      codes: ['permission_denied'],
      meaning:
        'The identity provider returns only to https addresses with a domain name, and this service has none. In local mode, nobody can sign in with Apple.',
    },
    provider_refused: {
      codes: ['login_failed'],
      meaning: 'The identity provider answered with an error instead of a code.',
    },
    token_refused: {
      codes: ['login_failed'],
      meaning:
        'The identity provider did not exchange the code. Check the client ID, the client secret and the redirect URI of the connection.',
    },
    invalid_answer: {
      codes: ['login_failed'],
      meaning:
        'The answer, the ID token or the userinfo response of the identity provider is not valid for this sign-in. The log has the check that failed.',
    },
    hosted_domain: {
      codes: ['login_failed'],
      meaning: 'The ID token has not the hosted domain of the connection.',
    },
    authentication_time: {
      codes: ['login_failed'],
      meaning: 'The `auth_time` of the ID token is not a time, or is in the future.',
    },
    discovery: {
      codes: ['upstream_failed'],
      meaning: 'The discovery document of an identity provider is not valid, or is for another issuer.',
    },
    last_sign_in_method: {
      codes: ['conflict'],
      meaning:
        'Nothing else would sign the user in. They add another way first: `left_ways` lists what is left and why it does not work, and `ways_to_add` what helps. See [Passkeys](../concepts/passkeys.md#the-last-way-to-sign-in).',
    },
    user_verification_required: {
      codes: ['login_failed'],
      meaning:
        'The passkey did not verify its user, such as by a fingerprint or PIN. Sign in with a password first.',
    },
    password_change_required: {
      codes: ['login_incomplete'],
      meaning: 'The user must choose a new password. Repeat the request with `new_password`.',
    },
    password_breached: {
      codes: ['login_incomplete'],
      meaning:
        'The password is right, and was found in a data breach of another service. The user never signed in from this browser or network, so the email that was sent to them has the link to choose another one.',
    },
    second_factor_setup_required: {
      codes: ['login_incomplete', 'permission_denied'],
      meaning:
        'The policy requires a second factor, and the account has none. Sign in with `second_factor_setup` and turn one on with `enable_totp`, or add a passkey. See [Sign-in policies](../concepts/sign-in-policies.md).',
    },
    second_factor_required: {
      codes: ['permission_denied'],
      meaning:
        'The user has the permission, and it rests in this session: the sign-in asks a second factor for it, which the session does not have. Confirm the identity with a passkey or with a code of the authenticator app, or sign in again. Someone who has neither sets one up first. See [Sign-in policies](../concepts/sign-in-policies.md#rights-that-rest).',
    },
    service_sign_in_required: {
      codes: ['permission_denied'],
      meaning:
        'The connection of an organization opened the session, which counts only in this organization. Sign in in another way. See [Organizations](../concepts/organizations.md#the-sign-in-of-an-organization).',
    },
    organization_refused: {
      codes: ['permission_denied'],
      meaning:
        'The header `Latchkey-Organization` or the field `organization` names an organization that does not exist or is suspended, of which the user is no member, for which their session does not count, or that requires another sign-in. See [Organizations](../concepts/organizations.md#in-your-product).',
    },
    organization_sign_in_required: {
      codes: ['permission_denied'],
      meaning:
        'The organization requires another sign-in than the present one: by its own connection, with a second factor, or a newer one. Open `sign_in_url` of `get_own_organizations`. See [Organizations](../concepts/organizations.md#how-members-sign-in).',
    },
    sso_required: {
      codes: ['login_incomplete', 'permission_denied'],
      meaning:
        'The company of the user requires its own sign-in. Open `login_url` of `saml_provider` in a browser. See [Company sign-in](../concepts/company-sign-in.md#require-the-sign-in-of-the-company).',
    },
    email_code_invalid: {
      codes: ['login_failed', 'invalid_token'],
      meaning: 'The emailed code is wrong, used or expired, or was tried too often. Request a new one.',
    },
    already_set_up: {
      codes: ['conflict'],
      meaning:
        'The user has a password, a passkey or an authenticator app, so there is nothing to invite them to. Send a reset link instead: see `send_password_reset`.',
    },
    cannot_be_invited: {
      codes: ['conflict'],
      meaning:
        'The user is disabled or has expired, is a guest of an access link, or has no email address. Change that first.',
    },
    setup_incomplete: {
      codes: ['conflict'],
      meaning:
        'The connection cannot go live yet. Send the metadata with `set_saml_setup_metadata`, and prove a domain with `check_saml_setup_domain`.',
    },
    setup_changed: {
      codes: ['conflict'],
      meaning:
        'The identity provider or the domains of the connection have changed since they were shown. Nothing went live. Look up the connection again with `find_saml_setup`.',
    },
    setup_browser: {
      codes: ['permission_denied'],
      meaning:
        'A set-up link works only in the browser that opened it first with `find_saml_setup`. The request has not the cookie of that browser. An administrator can create a new link.',
    },
    insufficient_scope: {
      codes: ['permission_denied'],
      meaning:
        'The API token lacks the scope that the operation needs. The header `WWW-Authenticate` names it.',
    },
    organization_inactive: {
      codes: ['permission_denied'],
      meaning: 'The connection belongs to an organization that is suspended or was deleted.',
    },
    organization_full: {
      codes: ['permission_denied'],
      meaning:
        'The sign-in would make the user a member of an organization that has as many members as it can: see `member_limit`.',
    },
    not_a_member: {
      codes: ['permission_denied'],
      meaning:
        'The connection belongs to an organization. The user is no member, and nobody joins by signing in: see `default_organization_roles`.',
    },
    account_disabled: {
      codes: ['login_incomplete'],
      meaning: 'The account is disabled or has expired. Only an administrator can change that.',
    },
    password_required: {
      codes: ['login_incomplete'],
      meaning: 'The access link has a password. Repeat the request with `password`.',
    },
    reauthentication_required: {
      codes: ['permission_denied'],
      meaning:
        'The last proof of identity in the session is too old for this. Call `confirm_identity` or sign in again, then repeat the request.',
    },
    credential_expired: {
      codes: ['not_authenticated'],
      meaning:
        'The session or API token was right, and its time is over. Sign in again, or create another token. Revoked credentials and those of disabled users have no reason.',
    },
    no_cookie: {
      codes: ['not_authenticated', 'login_failed'],
      meaning:
        'The browser did not send the cookie that it got earlier in the SAML sign-in. Start the sign-in again, with cookies allowed.',
    },
    unsolicited: {
      codes: ['login_failed'],
      meaning:
        'The SAML response does not belong to a sign-in that started at this service, and the browser was already sent to start one. Start it with `login_url` of the provider.',
    },
    other_browser: {
      codes: ['login_failed'],
      meaning: 'The SAML sign-in started in another browser. Start it again in this one.',
    },
    used_or_late: {
      codes: ['login_failed'],
      meaning: 'The SAML sign-in has already ended or took too long. Start it again.',
    },
    replay: {
      codes: ['login_failed'],
      meaning: 'The SAML assertion was already used. Start the sign-in again.',
    },
    encrypted_assertion: {
      codes: ['login_failed', 'too_many_requests'],
      meaning:
        'The encrypted SAML assertion cannot be used. No detail is given, because it would help attackers.',
    },
    signed_out: {
      codes: ['login_failed'],
      meaning:
        'The identity provider signed the user out after it issued the assertion. Start the sign-in again.',
    },
    no_account: {
      codes: ['permission_denied'],
      meaning:
        'No user belongs to the SAML account. The provider may not create users, or a user may have its address already. Users with another account can link it first: see `start_saml_auth`.',
    },
    no_template: {
      codes: ['permission_denied'],
      meaning:
        'The user template of the SAML provider does not exist, so no user can be created. An administrator must choose another one.',
    },
    invitation_ended: {
      codes: ['login_failed'],
      meaning:
        'The invitation that this sign-in was for was accepted, revoked or replaced, or has expired. Ask the inviter for a new one.',
    },
    invitation_mismatch: {
      codes: ['permission_denied'],
      meaning:
        'The provider did not confirm the address that was invited. Sign in with the account of that address, or accept the invitation another way.',
    },
    account_taken: {
      codes: ['conflict'],
      meaning:
        'The account at the SAML provider is already linked to another user. An account can belong to one user only.',
    },
    authorization_refused: {
      codes: ['invalid_request'],
      meaning:
        'The authorization is not valid, and the client or its redirect address is not known. The detail names the error of OAuth.',
    },
    authorization_expired: {
      codes: ['invalid_request'],
      meaning:
        'The authorization was completed, has expired, or was started in another browser. Start it again.',
    },
    table_busy: {
      codes: ['temporarily_unavailable'],
      meaning: 'The table has more requests than it serves. Nothing was changed.',
    },
    partly_changed: {
      codes: ['temporarily_unavailable'],
      meaning:
        'The table or a record was busy after the change was made, or a part of it. Read what was changed, and do what is left.',
    },
    out_of_time: {
      codes: ['temporarily_unavailable'],
      meaning: 'A request that only reads ran out of time. Nothing was changed. Send it again.',
    },
    outcome_unknown: {
      codes: ['temporarily_unavailable'],
      meaning:
        'A change ran out of time, or its table did not answer. It may have been made. The answer has no `Retry-After`. Read what the request is about, and send it again only if the change is missing.',
    },
    storage_full: {
      codes: ['temporarily_unavailable'],
      meaning: 'The disk with the data of local mode is full. Nothing was changed. Free space on it.',
    },
    sign_in_refused: {
      codes: ['login_incomplete'],
      meaning:
        'The hook `afterSignIn` of the product refused the person. `refusal` has its words for them, if there are some. See [Hooks](../concepts/hooks.md).',
    },
    sign_up_refused: {
      codes: ['permission_denied'],
      meaning:
        'The hook `beforeSignUp` of the product lets this person have no account. `refusal` has its words for them, if there are some. See [Hooks](../concepts/hooks.md).',
    },
    hook_failed: {
      codes: ['temporarily_unavailable'],
      meaning:
        'A hook of the product failed. Nothing was changed, and no code was used up. See [Hooks](../concepts/hooks.md).',
    },
    password_check_failed: {
      codes: ['temporarily_unavailable'],
      meaning:
        'The password of the user is still at the old system, which did not answer. Nothing was changed. See [Passwords that stay behind](../migrate/legacy-passwords.md).',
    },
    record_busy: {
      codes: ['too_many_requests'],
      meaning:
        'Other requests keep changing the same records, such as many parallel sign-ins to one account. Nothing was changed.',
    },
    resolve: {
      codes: ['upstream_failed'],
      meaning: 'The host of the metadata URL could not be resolved. Check the URL.',
    },
    connect: {
      codes: ['upstream_failed'],
      meaning: 'The connection to the host of the metadata URL failed.',
    },
    tls: { codes: ['upstream_failed'], meaning: 'The TLS certificate of the metadata host is not valid.' },
    answer: {
      codes: ['upstream_failed'],
      meaning: 'The metadata URL did not return a complete HTTP response.',
    },
    timeout: { codes: ['upstream_failed'], meaning: 'The metadata URL did not respond within 5 seconds.' },
    redirect: {
      codes: ['upstream_failed'],
      meaning: 'The metadata URL returned a redirect. Redirects are not followed.',
    },
    status: { codes: ['upstream_failed'], meaning: 'The metadata URL did not return status 200.' },
    size: { codes: ['upstream_failed'], meaning: 'The metadata is larger than 1 MiB.' },
    encoding: { codes: ['upstream_failed'], meaning: 'The metadata could not be decompressed.' },
  }),
)
