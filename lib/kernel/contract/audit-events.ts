/** The target of the event of a user who is the guest of an access link, and no account. */
export const guestTarget = 'guest'

/**
 * Every audit event with its meaning. The names are stable, because products filter and alarm by them.
 * `npm run docs` builds the reference page from this table.
 */
export const auditEvents = {
  'login.succeeded':
    'A user signed in and got a session. `target` is the way, such as `passkey:` and its ID, followed by `otp` or `recovery_code` for a second factor. A password has none.',
  'login.failed':
    'A sign-in was refused. `outcome` is the reason, `username_tried` the name. `too_many_requests` has a `count`. After `otp_required` or `passkey_required` the sign-in goes on with the second factor.',
  'logout.succeeded': 'A user ended their own session.',
  'session.ended':
    'Sessions of a user were ended other than by their own logout. `target` is the session ID, or `all`.',
  'security.reported':
    'The recipient of a security email reported that a change was not theirs. `target` is the kind of change.',
  'session.reauthenticated': 'A user confirmed their identity in a session. `target` is the session ID.',
  'hook.failed':
    'A hook gave no usable answer. `target` is its name, `user` the person, if they have an account. `outcome` is `timeout`, `connect`, `status`, `error`, `size`, `answer`, or `circuit` while it is not called, with a `count`.',
  'hook.refused':
    'A hook let a person have no account. `target` is its name. Nobody is named, because there is no account.',
  'hook.bypassed':
    'An administrator signed in with a passkey or second factor although the hook failed. `target` is its name.',
  'ticket.created': 'A user got a one-time ticket. `target` is its audience, if it has one.',
  'ticket.exchanged':
    'A server exchanged a ticket for its user. `target` is the audience that it named, `actor` the impersonator.',
  'ticket.refused':
    'A ticket was refused. `outcome` is `not_found`, `already_used`, `expired`, `revoked` or `wrong_audience`, with a `count`.',
  'credential.leaked':
    'A credential was reported as leaked, which ended it. `target` is its kind and ID, `user` its owner or the creator of the link.',
  'access.denied': 'A caller lacked a permission. `target` is the operation.',
  'api_token.created': 'An API token was created. `target` is its ID.',
  'api_token.changed': 'An API token was renamed. `target` is its ID.',
  'api_token.shortened': 'An API token expires earlier than before. `target` is its ID.',
  'api_token.deleted': 'An API token was deleted. `target` is its ID.',
  'access_token.created': 'An access link was created. `target` is its ID.',
  'access_token.handed_over':
    'An access link got another creator. `user` is the one before. `target` is the ID of the link.',
  'access_token.deleted': 'An access link and its sessions were deleted. `target` is its ID.',
  'access_token.redeemed': 'An access link was redeemed for a session. `target` is its ID.',
  'access_token.refused': 'A wrong password was entered for an access link. `target` is its ID.',
  'access_token.not_found': 'An unknown, expired or used-up access link was opened, with a `count`.',
  'access_token.mailed':
    'An email with an access link was attempted. `target` is its ID, `outcome` the result.',
  'mail.suppressed':
    'An address no longer receives email. `target` is `bounce` or `complaint`, `user` the owner of the address.',
  'mail.suppression_lifted':
    'An administrator or user manager let an address receive email again. `target` is why it did not, `user` its owner.',
  'mail.given_up':
    'An email could not be made, or was rejected, in every attempt. `target` is the kind of email, or `unreadable`. `outcome` is `unknown` if it may have been sent.',
  'rate_limit.lifted':
    'An administrator or user manager let requests pass again. `target` is the rate limit, followed by the network if it counts one.',
  'password.changed': 'A user changed their own password.',
  'password.refused': 'A signed-in user entered a wrong current password.',
  'password.taken_over':
    'A user signed in with the password of the old system, which is stored as a hash from now on.',
  'password.check_failed':
    'The old system did not answer whether a password is right, so the sign-in was refused. `outcome` is the reason, with a `count`.',
  'password.set': 'An administrator or user manager set the password of another user.',
  'password.reset_requested': 'An administrator or user manager requested a reset email for another user.',
  'password.reset_link_made': 'A password reset link was created and is about to be emailed.',
  'password.reset_sent':
    'A reset email was attempted. `outcome` is `succeeded`, `not_sent`, or `unknown` if no answer came back.',
  'password.reset_not_possible':
    'A reset was requested for a name without an account, or for an account that cannot get a link. `username_tried` is the name.',
  'password.reset_refused': 'An unknown, used or expired reset link was opened, with a `count`.',
  'password.reset': 'A user chose a new password with a reset link.',
  'password_policy.changed': 'The password policy was changed. `target` lists the changed fields.',
  'email_code.sent':
    'An email with a code was attempted. `target` is `organization_invitation` and its ID for a code to join an organization; all others are to sign in. `outcome` is `succeeded`, `not_sent`, or `unknown` if no answer came back.',
  'email_code.refused':
    'A signed-in user entered a wrong, used or expired code of an email, with a `count`. `target` is `organization_invitation` and its ID.',
  'sign_in_policy.changed': 'The sign-in policy was changed. `target` lists the changed fields.',
  'managed.unlocked':
    'An administrator let people change what a configuration document manages, until it is applied again. `target` is the kind, followed by the key.',
  'managed.transferred':
    'An administrator gave something that a configuration manages, or the key of something deleted, to another owner. `target` is the kind, the key, and the owners before and after.',
  'branding.changed':
    'A branding, or own words of emails, were changed. `target` is `service`, `product:` and the name, or `organization:` and the ID, followed by the changed fields.',
  'branding.reset':
    'A branding returned to the default, or that of a product to that of the service. `target` is `service`, or `product:` and the name.',
  'email.change_requested': 'A user chose a new email address, which waits for a confirmation.',
  'email.confirmation_requested':
    'A user or user manager requested the email that confirms an address again.',
  'email.confirmation_link_made':
    'A link that confirms an email address was created and is about to be emailed.',
  'email.confirmation_sent':
    'An email that confirms an address was attempted. `outcome` is `succeeded`, `not_sent`, or `unknown` if no answer came back.',
  'email.confirmed': 'An email address was confirmed with the link that was sent to it.',
  'email.claim_ended':
    'A user lost an email address, because it belongs to another user. It was unconfirmed, or only a public provider had vouched for it. `target` is `not_mine` if the person who reads its mailbox said that the account is not theirs.',
  'totp.enabled': 'A user turned on their second factor.',
  'totp.synced': 'The clock drift of an authenticator app was measured and stored.',
  'totp.disabled': 'A second factor was turned off.',
  'totp.recovery_codes_renewed': 'A user replaced their recovery codes.',
  'totp.refused': 'A signed-in user entered a wrong one-time code.',
  'totp.recovery_code_used': 'A user signed in with a recovery code, which is now used.',
  'remembered_device.created':
    'A sign-in with a second factor had its browser remembered, so that the next ones there do without. `target` is the ID of the device.',
  'remembered_device.ended':
    'A remembered device was ended by its user or a user manager. `target` is its ID.',
  'remembered_device.reused':
    'A remembered device was ended because someone sent a secret that was used before, so a copy of it may exist. `target` is its ID.',
  'passkey.added': 'A user added a passkey. `target` is its ID.',
  'passkey.renamed': 'A user renamed a passkey. `target` is its ID.',
  'passkey.removed': 'A passkey was removed. `target` is its ID.',
  'passkey.cloned':
    'A passkey was refused because its counter went back, so a copy of it may exist. `target` is its ID.',
  'passkey.second_factor_changed':
    'A user decided whether their password also requires a passkey. `target` is `required` or `optional`.',
  'impersonation.started': 'An administrator started to impersonate a user. `actor` is the administrator.',
  'impersonation.stopped': 'An impersonation ended.',
  'user.created': 'A user was created. `target` is `guest` for a guest of an access link.',
  'user.changed': 'A user was changed. `target` lists the changed fields.',
  'user.renamed':
    'The username of a user was the email address of another, who proved it. The service gave the user another username. `target` is the ID of the other user.',
  'user.started_anew':
    'A user got permissions that someone lacks who had set their password or address, or a company connection connected their account by its address. The ways to sign in that were there before ended.',
  'user.rescued':
    'An operator made a user an administrator from the command line, and got a link to set their password.',
  'user.deleted':
    'A user was deleted. `target` is `merged` and the ID of the user whom they became part of, if so.',
  'user.deletion_requested':
    'A user asked for the deletion of their own account. `target` is the mode of the policy.',
  'user.deletion_withdrawn':
    'The request to delete an account ended: its user withdrew it, or reported that it was someone else.',
  'user.everything_ended':
    'Everything that a user held was ended. `changes` has the number of each kind before, which is 0 from then on, except for `kept_api_tokens`: API tokens that work until they expire.',
  'user.merged':
    'Another user became part of the user. `target` is the ID and the username of the other one.',
  'user.invited': 'A user was invited, or invited again. `actor` is the inviter.',
  'invitation.link_made': 'The link of an invitation was created and is about to be emailed.',
  'invitation.sent':
    'An email with an invitation was attempted. `outcome` is `succeeded`, `not_sent`, or `unknown` if no answer came back.',
  'invitation.revoked': 'An invitation was revoked before it was accepted.',
  'invitation.accepted':
    'A user accepted their invitation. `target` is `password`, `passkey`, or `saml:` and the provider ID.',
  'invitation.refused':
    'An unknown, used, revoked or expired invitation was opened or accepted, with a `count`.',
  'sign_up.completed':
    'Someone created their own account with a verified address. `target` is the version of the terms that they accepted.',
  'sign_up.waiting':
    'Someone with a verified address waits for the approval of their account. `target` is the ID of the request.',
  'sign_up.approved':
    'A request to sign up was approved, which created the user. `target` is the ID of the request.',
  'sign_up.refused': 'A request to sign up was refused. `target` is its ID.',
  'sign_up.link_refused': 'An unknown, used or expired link to sign up was opened, with a `count`.',
  'agent_policy.changed': 'The hosts of agents were changed. `target` lists the changed fields.',
  'sign_up_policy.changed': 'The sign-up policy was changed. `target` lists the changed fields.',
  'admin_access.given':
    '`system:admin-access` was granted to the user, or to the group whose ID is in `target`.',
  'admin_access.taken':
    '`system:admin-access` was removed from the user, or from the group whose ID is in `target`.',
  'group.created': 'A group was created. `target` is its ID.',
  'group.changed': 'A group was changed. `target` is its ID, followed by the changed fields.',
  'group.deleted': 'A group was deleted. `target` is its ID.',
  'group.member_added': 'A change of a group added the user to it. `target` is the group ID.',
  'group.member_removed': 'A change of a group removed the user from it. `target` is the group ID.',
  'organization.created': 'An organization was created. `target` is its ID.',
  'organization.changed': 'An organization was changed. `target` is its ID, followed by the changed fields.',
  'organization.deleted':
    'An organization was deleted: by an administrator, or without an actor because an owner had asked for it. `target` is its ID.',
  'organization.slug_released':
    'A holder of `organizations:manage` released a former slug of an organization. `target` is its ID, followed by the slug.',
  'organization.ending_requested':
    'An owner asked for the deletion of an organization after the grace period. `target` is its ID.',
  'organization.ending_withdrawn': 'The deletion of an organization was called off. `target` is its ID.',
  'organization.restored':
    'The table was restored without the one that it replaces, so memberships, roles and the state of the organization are those of the backup. `target` is its ID. There is no actor: an operator ran `table end-credentials`.',
  'organization.member_added':
    'A user became a member of an organization. `target` is its ID, followed by the roles.',
  'organization.member_changed':
    'The roles of a member of an organization were changed. `target` is its ID, followed by the present roles.',
  'organization.member_removed':
    'A membership of an organization ended. `target` is its ID, followed by the roles.',
  'organization.recounted':
    'The stored numbers of members and owners of an organization were wrong, and were repaired. `target` is its ID, followed by the former numbers and the present ones.',
  'organization.invited':
    'An organization invited an address. `target` is its ID, followed by that of the invitation and the roles.',
  'organization.invitation_resent':
    'An invitation to an organization was sent again, so its former link stopped working. `target` is the ID of the organization, followed by that of the invitation and the roles.',
  'organization.invitation_revoked':
    'An invitation to an organization was revoked. `target` is the ID of the organization, followed by that of the invitation and the roles.',
  'organization.invitation_accepted':
    'The user accepted an invitation to an organization. `target` is the ID of the organization, followed by that of the invitation and the roles. The field `proof` in `changes` is `link`, `code` or `company_sign_in`.',
  'organization.invitation_declined':
    'The user declined an invitation to an organization. `target` is the ID of the organization, followed by that of the invitation and the roles.',
  'organization.api_token_created':
    'An API token of an organization was created. `target` is the ID of the organization, followed by that of the token.',
  'organization.api_token_deleted':
    'An API token of an organization was deleted. `target` is the ID of the organization, followed by that of the token.',
  'organization_roles.changed':
    'The roles that members of organizations can have were changed. `target` lists the keys of those that differ.',
  'organization_policy.changed':
    'What organizations may do for themselves was changed. `target` lists the fields that differ.',
  'user_attributes.changed':
    'The attributes that users can have were changed. `target` lists those that differ.',
  'user_template.created': 'A user template was created. `target` is its ID.',
  'user_template.changed': 'A user template was changed. `target` is its ID, followed by the changed fields.',
  'user_template.deleted': 'A user template was deleted. `target` is its ID.',
  'saml_provider.created': 'A SAML provider was created. `target` is its ID.',
  'saml_provider.changed': 'A SAML provider was changed. `target` is its ID, followed by the changed fields.',
  'saml_provider.deleted':
    'A SAML provider and the sessions opened through it were deleted. `target` is its ID.',
  'saml_provider.refreshed':
    'The metadata of a SAML provider was fetched again. `target` is its ID, followed by what changed.',
  'saml_provider.refresh_failed': 'The metadata of a SAML provider could not be fetched. `target` is its ID.',
  'saml_provider.sp_key_added':
    'A new service provider key was generated for a SAML provider. `target` is its ID.',
  'saml_provider.sp_key_switched':
    'The new service provider key of a SAML provider replaced the old one. `target` is its ID.',
  'saml_provider.certificate_ending':
    'A certificate of a SAML provider expires soon. `target` is its ID, whose certificate, and the days left.',
  'connection.domain_added':
    'An email domain was added to a company connection. `target` is its ID, followed by the domain.',
  'connection.domain_proven':
    'The TXT record that proves a domain of a company connection was found. `target` is its ID, followed by the domain.',
  'connection.domain_lost':
    'The TXT record that proved a domain of a company connection is missing now. `target` is its ID, followed by the domain.',
  'connection.domain_vouched':
    'An administrator vouched for a domain of a company connection. `target` is its ID, followed by the domain.',
  'connection.domain_removed':
    'An email domain was removed from a company connection. `target` is its ID, followed by the domain.',
  'connection.approval_requested':
    'An organization finished a company connection that an administrator has to approve. `target` is the ID of the connection.',
  'connection.approved':
    'An administrator approved the company connection of an organization. `target` is its ID.',
  'connection.stopped':
    'An administrator stopped the company connection that an organization brought, until it is approved again. `target` is its ID.',
  'saml_setup.link_created':
    'An administrator created a link with which a customer sets up a SAML provider. `target` is the ID of the provider, followed by that of the link.',
  'saml_setup.link_revoked':
    'An administrator revoked a set-up link. `target` is the ID of the provider, followed by that of the link.',
  'saml_setup.link_opened':
    'A browser opened a set-up link first, so that no other can use it. `target` is the ID of the provider, followed by that of the link.',
  'saml_setup.link_refused':
    'An unknown, used, revoked or expired set-up link was used, or a set-up link in another browser than the one that opened it first, with a `count`. `outcome` says which.',
  'saml_setup.changed':
    'The holder of a set-up link changed a SAML provider. `target` is its ID, the ID of the link, that of the administrator who created it, and what changed. For metadata and at going live, that is its entity ID, its source, and the SHA-256 of each certificate.',
  'scim.changed':
    'What the directory of a company connection may do was changed. `target` is the ID of the connection.',
  'scim.token_created':
    'A token of the directory of a company connection was created. `target` is the ID of the connection, followed by that of the token.',
  'scim.token_deleted':
    'A token of the directory of a company connection was deleted. `target` is the ID of the connection, followed by that of the token.',
  'scim.user_created':
    'The directory of a company connection sent a person. `target` is the ID of the connection, followed by that of the person.',
  'scim.user_changed':
    'The directory of a company connection changed a person, or a sign-in showed whose account it is. `target` is the ID of the connection, followed by that of the person.',
  'scim.user_deleted':
    'The directory of a company connection deleted a person. `target` is the ID of the connection, followed by that of the person.',
  'scim.user_ended':
    'The directory of a company connection ended a person: nobody signs in as them through it. `target` is the ID of the connection, followed by that of the person.',
  'scim.user_returned':
    'The directory of a company connection brought a person back. `target` is the ID of the connection, followed by that of the person.',
  'scim.user_assigned':
    'Somebody said whose account a person of a directory is. `target` is the ID of the connection, followed by that of the person.',
  'scim.owner_kept':
    'The directory of a company connection ended the last owner of its organization, whose membership stays until somebody else is an owner. `target` is the ID of the connection, followed by that of the person.',
  'scim.changes_agreed':
    'A user let the directory of a company connection keep the name of their account up to date. `target` is the ID of the connection, followed by that of the person.',
  'scim.changes_declined':
    'A user did not let the directory of a company connection change their account, or took back that they had. `target` is the ID of the connection, followed by that of the person.',
  'scim.group_created':
    'The directory of a company connection sent a group. `target` is the ID of the connection, followed by that of the group.',
  'scim.group_changed':
    'The directory of a company connection changed a group or its members. `target` is the ID of the connection, followed by that of the group.',
  'scim.group_deleted':
    'The directory of a company connection deleted a group. `target` is the ID of the connection, followed by that of the group.',
  'oidc_connection.created': 'An OpenID Connect connection was created. `target` is its ID.',
  'oidc_connection.changed':
    'An OpenID Connect connection was changed. `target` is its ID, followed by the changed fields.',
  'oidc_connection.deleted':
    'An OpenID Connect connection and the sessions opened through it were deleted. `target` is its ID.',
  'protected_api.created': 'An API was registered. `target` is its ID.',
  'protected_api.changed': 'An API was changed. `target` is its ID, followed by the changed fields.',
  'protected_api.deleted': 'An API was deleted, so that no client gets tokens for it. `target` is its ID.',
  'oidc_client.created': 'An OpenID Connect client was registered. `target` is its ID.',
  'oidc_client.described':
    'An OpenID Connect client that no administrator registered was stored, as its document describes it. `target` is its ID.',
  'oidc_client.changed':
    'An OpenID Connect client was changed. `target` is its ID, followed by the changed fields.',
  'oidc_client.deleted': 'An OpenID Connect client was deleted, which ended its tokens. `target` is its ID.',
  'oidc_client.secret_renewed': 'An OpenID Connect client got a new secret. `target` is its ID.',
  'oidc_client.secret_ended':
    'A secret of an OpenID Connect client was ended. `target` is the ID of the client, followed by that of the secret.',
  'oidc_client.authorized':
    'A user signed in at an OpenID Connect client, which got a code for tokens. `target` is the ID of the client.',
  'oidc_client.device_approved':
    'A user let a device sign in at an OpenID Connect client. `target` is the ID of the client.',
  'oidc_client.device_denied':
    'A user refused a device that waited for a sign-in at an OpenID Connect client. `target` is the ID of the client.',
  'oidc_client.token_issued':
    'An OpenID Connect client got an access token for itself, without a user. `target` is the ID of the client.',
  'oidc_client.access_ended':
    'The access of an OpenID Connect client to a user was ended, with its tokens. `target` is the ID of the client.',
  'oidc_client.token_reused':
    'A used code or refresh token was presented again, which ended all tokens of that sign-in. `target` is the ID of the client.',
  'signing_key.created':
    'A key that signs JWTs was created and published. `target` is its `kid`. It signs later.',
  'signing_key.withdrawn':
    'An operator withdrew a key that signs JWTs. `target` is its `kid`. JWTs that it signed are no longer valid.',
  'oidc_client.logout_failed':
    'An OpenID Connect client could not be informed for hours that a session ended. `target` is its ID, `outcome` the last problem.',
  'oidc_connection.token_not_revoked':
    'The token of a user at Apple was given up without having been revoked, so Apple still shows the service as used. `target` is `oidc:` and the ID of the connection, `outcome` the last problem, or `connection_removed` or `unreadable`.',
  'company_account.created':
    'A first sign-in through a company connection created a user. `target` is `saml:` or `oidc:`, and the ID of the connection.',
  'company_account.linked':
    'A user linked their account at a company connection. `target` is `saml:` or `oidc:`, and the ID of the connection, followed by `address` if a first sign-in did it by the address.',
  'company_account.unlinked':
    'An account at a company connection was removed from its user. `target` is `saml:` or `oidc:`, and the ID of the connection.',
  'company_account.notified':
    'Apple reported a change of the account of a user there. `target` is `oidc:` and the ID of the connection, followed by `consent_revoked`, `account_deleted`, `email_disabled` or `email_enabled`.',
  'saml_logout.received':
    'An identity provider requested the logout of a user. `target` is `saml:` or `oidc:` and the ID of the connection.',
  'saml_logout.answered':
    'An identity provider answered a logout request. `target` is `saml:` and the provider ID, `outcome` its result.',
  'users.imported': 'A user was imported.',
  'users.exported':
    'All users were exported with their password hashes and authenticator keys. With the `target` `without_secrets`, an administrator exported them without these.',
} as const

export type AuditEventName = keyof typeof auditEvents

/** What an answer of an identity provider can lead to. */
export const providerAnswerEvents = [
  'login.succeeded',
  'email.confirmed',
  'email.claim_ended',
  'user.renamed',
  'user.created',
  'user.changed',
  'invitation.accepted',
  'group.created',
  'company_account.created',
  'company_account.linked',
  'user.started_anew',
  'company_account.unlinked',
  'passkey.removed',
  'api_token.deleted',
  'organization.member_added',
  'organization.member_changed',
  'organization.invitation_accepted',
  'login.failed',
  'hook.failed',
  'hook.refused',
  'hook.bypassed',
] as const satisfies readonly AuditEventName[]

/** Outcomes of `login.failed` after which the sign-in goes on: the client asks for what is missing, and sends the request again. */
export const openSignInSteps: readonly string[] = [
  'otp_required',
  'passkey_required',
  'password_change_required',
  'second_factor_setup_required',
]

/** Whether an event is no success, and no step of a sign-in that goes on. */
export const isFailure = ({
  event,
  outcome,
}: {
  readonly event: unknown
  readonly outcome: unknown
}): boolean =>
  outcome !== 'succeeded' && !(event === 'login.failed' && openSignInSteps.includes(String(outcome)))
