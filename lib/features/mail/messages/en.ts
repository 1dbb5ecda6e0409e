/** The texts of all emails. What users wrote appears in values only. */
export const en = {
  buttonHint: 'If the button does not work, copy this address into your browser:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Sign in',
  supportLink: 'Support',
  privacyLink: 'Privacy',
  termsLink: 'Terms',

  resetSubject: 'Choose a new password for {product}',
  resetRequested: 'A new password was requested for the account {username} at {host}.',
  resetInstruction: 'To choose a new password, open this link:',
  resetButton: 'Choose a new password',
  resetExpiry: 'The link works once and expires in {minutes, plural, one {# minute} other {# minutes}}.',
  resetIgnore: 'If you did not request this, you can ignore this email. Your password stays the same.',
  resetLockedSubject: 'Sign in to {product} again',
  resetLocked:
    'Someone entered the right password for the account {username} at {host}. The sign-in was refused, because there were too many failed attempts before. To sign in, choose a new password first.',
  resetBreached:
    'Someone entered the right password for the account {username} at {host}. This password appears in a data breach of another service, so others may know it. To sign in, choose a new password first.',
  resetLockedWarning: 'If this was not you, someone knows your password. Choose a new one now.',

  quoted: '“{text}”',
  confirmationSubject: 'Confirm your email address for {product}',
  confirmationEntered: 'This address was entered for the account {username} at {host}.',
  confirmationInstruction: 'If this is your account, confirm the address:',
  confirmationButton: 'Confirm this address',
  confirmationExpiry: 'The link works once and expires in {days, plural, one {# day} other {# days}}.',
  confirmationIgnore:
    'If this is not your account, open the link and choose “This is not my account”. The account then loses the address.',

  invitationSubject: 'You have been invited to {product}',
  invitationBy: '{inviter} invited you to {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'You were invited to {product}.',
  invitationAccount: 'Your account {username} at {host} is ready. Choose how you want to sign in:',
  invitationButton: 'Accept the invitation',
  invitationExpiry:
    'The link works once and expires in {days, plural, one {# day} other {# days}}. After that, ask for a new invitation.',
  invitationIgnore:
    'If you did not expect this invitation, you can ignore this email. Do not pass the link on.',

  organizationInvitationSubject: 'Invitation to {organization} at {product}',
  organizationInvitationBy: '{inviter} invited you to the organization {organization} at {host}.',
  organizationInvitationButton: 'See the invitation',
  organizationEndingSubject: '{organization} at {product} will be deleted',
  organizationEndingHeading: 'Your organization will be deleted',
  organizationEndingText:
    'An owner asked for the deletion of the organization {organization} at {host}. Its memberships, API tokens and company sign-in end with it. The accounts of its members stay.',
  organizationEndingDay: 'Deletion',
  organizationEndingKeep: 'Until then, each owner can keep the organization.',
  organizationEndingButton: 'See the settings',
  organizationEndingReason: 'You get this email because you are an owner of the organization.',

  signUpSubject: 'Create your account for {product}',
  signUpEntered: 'This address was entered to create an account at {host}. To go on, open this link:',
  signUpButton: 'Create an account',
  signUpExpiry: 'The link works once and expires in {hours, plural, one {# hour} other {# hours}}.',
  signUpIgnore: 'If this was not you, ignore this email. Without the link, no account is created.',
  signUpKnownSubject: 'You already have an account for {product}',
  signUpKnown:
    'This address was entered to create an account at {host}. You already have an account with it.',
  signUpKnownInstruction: 'Sign in with this address. If you forgot your password, choose a new one there:',
  signUpKnownIgnore: 'If this was not you, you can ignore this email. Nothing has changed.',
  signUpWaitingSubject: 'Someone waits for an account for {product}',
  signUpWaiting: '{person} wants an account at {host} and has confirmed this address.',
  signUpWaitingButton: 'Decide about the request',
  signUpWaitingReason: 'You get this email because the sign-up policy names you.',

  codeSubject: 'Your sign-in code for {product}',
  codeInstruction: 'Use this code to sign in to the account {username} at {host}:',
  codePlace: 'Enter it on the page where you asked for it. It works nowhere else.',
  codeExpiry: 'The code works once and expires in {minutes, plural, one {# minute} other {# minutes}}.',
  codeOrigin: 'It was requested from the address {address}.',
  codeIgnore: 'If this was not you, ignore this email and do not pass the code on.',
  joinCodeSubject: 'Your code to join {organization} at {product}',
  joinCodeInstruction:
    'Use this code to join the organization {organization} at {host} with the account {username}:',

  linkSubject: '{name} (via {product}): {subject}',
  linkHeading: '{name} shared something with you',
  linkHeadingObject: '{name} shared {object} with you',
  linkHeadingCount: '{name} shared {count, plural, one {# item} other {# items}} with you',
  linkBehalf: 'Sent on behalf of {account}, who has an account at {host}.',
  linkQuote: '{name} writes:',
  linkButton: 'Open the link',
  linkPassword: 'It is protected by a password, which is not in this email. Ask {name} for it.',
  linkSignIn: 'You need to sign in to open it.',
  linkSharing: 'Anyone with this link can open it. Don’t share it.',
  linkSharingWithPassword: 'Anyone with this link and its password can open it. Don’t share them.',
  linkViews: 'It can be opened {count, plural, one {once} other {# times}}.',
  linkExpiry: 'It works until {time}.',
  linkIgnore: 'If you don’t know {name} or did not expect this email, you can ignore it.',

  certificateExpiresSubject: 'A SAML certificate expires in {days, plural, one {a day} other {# days}}',
  certificateExpiredSubject: 'A SAML certificate has expired',
  certificateExpires:
    'A certificate for the SAML provider {provider} (ID {id}) at {host} expires on {time}. Sign-in through this provider may stop working if the certificate is not replaced.',
  certificateExpired:
    'A certificate for the SAML provider {provider} (ID {id}) at {host} expired on {time}. Sign-in through this provider may stop working if the certificate is not replaced.',
  certificateOfProvider:
    'The certificate belongs to the identity provider. When the provider has a new one, open the provider in the administration and refresh its metadata. If the metadata has an address, this happens automatically every day.',
  certificateOfService:
    'The certificate belongs to this service. Open the provider in the administration and publish a new key. When the identity provider has read the metadata again, switch to the new key there.',
  certificateButton: 'Open the provider',
  certificateReason: 'Administrators get this email 60, 30, and 7 days before a certificate expires.',

  setupMetadataSubject: 'Metadata was sent for {provider}',
  setupLiveSubject: '{provider} is live',
  setupMetadata:
    'Someone with your set-up link sent the metadata of an identity provider for {provider} (ID {id}) at {host}.',
  setupLive:
    'The connection {provider} (ID {id}) at {host} is live. People now sign in with this identity provider.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadata',
  setupPasted: 'pasted',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domain',
  setupCompare:
    'The owner of each certificate can sign in as the people of the company. Compare the certificates with the customer, and not by email. If one is wrong, delete the connection.',
  setupProposal:
    'The metadata at this address is not read again until you choose the address in the console.',
  setupReason: 'You get this email because you created the set-up link.',

  noticeAccount: 'Account',
  noticeAccountValue: '{username} at {host}',
  noticeTime: 'Time',
  noticeFrom: 'From',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'By',
  noticeByAdministrator: 'an administrator',
  noticeQuestion: 'If this was you, you can ignore this email. If it was not you, open this link:',
  noticeButton: 'This wasn’t me',
  noticePage: 'The page explains what happens before anything changes.',
  noticeExpiry: 'The link expires in {days, plural, one {# day} other {# days}}.',
  noticeAskAdministrator: 'If you did not expect this, ask your administrator.',
  noticeReason: 'You cannot turn off these emails, because they protect your account.',
  deviceWithBrowser: '{browser} on {system}',
  deviceWithoutBrowser: 'an unknown program on {system}',
  deviceUnknown: 'an unknown program',

  passwordChangedSubject: 'Your password was changed',
  passwordChangedText: 'The password of your account was changed. All other sessions were ended.',
  passwordResetSubject: 'Your password was reset',
  passwordResetText: 'A new password was set with a reset link. All sessions were ended.',
  passwordSetSubject: 'An administrator set a new password for you',
  passwordSetText: 'An administrator set a new password for your account. All sessions were ended.',
  emailChangedSubject: 'Your email address was changed',
  emailChangedText:
    'Your account now has another email address. Emails of your account no longer go to this address.',
  emailMovedSubject: 'Your email address moved to another account',
  emailMovedText:
    'Your company signed someone in with this address. The address now belongs to that account, and the account below no longer has it. Everything else in the account stays, and you still sign in to it as before. If both accounts are yours, ask an administrator to merge them.',
  secondFactorEnabledSubject: 'Your second factor was turned on',
  secondFactorEnabledText: 'Signing in now also requires a code from an authenticator app.',
  secondFactorDisabledSubject: 'Your second factor was turned off',
  secondFactorDisabledText: 'Signing in no longer requires a code from an authenticator app.',
  recoveryCodeUsedSubject: 'A recovery code was used',
  recoveryCodeUsedText:
    'A recovery code replaced the code from your authenticator app. It does not work again.',
  recoveryCodesRenewedSubject: 'Your recovery codes were replaced',
  recoveryCodesRenewedText: 'Your account has new recovery codes. The codes before no longer work.',
  deviceRememberedSubject: 'A browser is remembered',
  deviceRememberedText:
    'Sign-ins with your password in a browser where you used a second factor no longer ask for one, for a limited time.',
  rememberedDeviceReusedSubject: 'A remembered browser was ended',
  rememberedDeviceReusedText:
    'Someone who knew your password used an old copy of what a remembered browser keeps. The browser is no longer remembered. Change your password if you do not know why.',
  passkeyAddedSubject: 'A passkey was added',
  passkeyAddedText: 'A passkey was added to your account. It can now be used to sign in.',
  passkeyRemovedSubject: 'A passkey was removed',
  passkeyRemovedText:
    'A passkey of your account was removed. It no longer signs in, and other sessions were ended.',
  passkeyClonedSubject: 'A passkey was refused',
  passkeyClonedText:
    'A passkey of your account was refused, because a copy of it may exist. Remove this passkey if you do not know why.',
  passkeyRequiredSubject: 'Your password now requires a passkey',
  passkeyRequiredText: 'Signing in with your password now also requires a passkey.',
  passkeyOptionalSubject: 'Your password no longer requires a passkey',
  passkeyOptionalText: 'Signing in with your password no longer requires a passkey.',
  apiTokenCreatedSubject: 'An API token was created',
  apiTokenCreatedText:
    'A new API token was created for your account. Programs can use it to act with your permissions.',
  apiTokenRevokedSubject: 'An administrator deleted an API token of yours',
  apiTokenRevokedText:
    'An administrator deleted an API token of your account. It no longer works. If a program used it, ask the administrator why before you create a new one.',
  companyAccountLinkedSubject: 'Another account was linked to yours',
  companyAccountLinkedText:
    'An account at an identity provider was linked to your account. It can now be used to sign in.',
  companyAccountUnlinkedSubject: 'A linked account was removed from yours',
  companyAccountUnlinkedText:
    'An account at an identity provider was removed from your account. It no longer signs in, and other sessions were ended.',
  signInByCompanySubject: 'Your company now signs you in',
  signInByCompanyText:
    'Your account was connected to the sign-in of your company, because it has your company email address. All other ways to sign in ended: password, authenticator app, passkeys, API tokens and other connected accounts. Sign in through your company to add those that you need again.',
  credentialLeakedSubject: 'A credential of yours was leaked',
  credentialLeakedText:
    'A session, an API token or a link of your account was found where others could read it. It was ended and no longer works. If a program used it, create a new one. Remove the old one from where it was published.',
  signInLockedSubject: 'Too many failed attempts to sign in to your account',
  signInLockedText:
    'There were 100 failed attempts in a row to sign in to your account. You can sign in from browsers and networks that you used before. To sign in from elsewhere, reset your password.',
  emailRestoredSubject: 'Your email address was removed from an account',
  emailRestoredText:
    'The account has its previous email address again. Someone with access to that address reported that they did not change it. If that was wrong, ask an administrator.',
  administratorAddedSubject: 'A new administrator was added',
  administratorAddedText: 'An account got administrator access. Its user can now do everything here.',
  administratorGroupChangedSubject: 'A group of administrators was changed',
  administratorGroupChangedText:
    'A group got administrator access, or a group with it got new members. The members can now do everything here.',
  administratorSignInSetSubject: 'The sign-in of an administrator was changed',
  administratorSignInSetText:
    'Someone else changed the password, the email address, or another way to sign in of an administrator.',
  accountDeletionRequestedSubject: 'The deletion of your account was requested',
  accountDeletionRequestedText:
    'Someone who is signed in to your account asked for its deletion. Until it happens, you can withdraw the request on the page of your account.',
  accountDeletionWithdrawnSubject: 'The deletion of your account was withdrawn',
  accountDeletionWithdrawnText:
    'Someone who is signed in to your account withdrew the request for its deletion. The account stays. If you still want it deleted, ask for it again on the page of your account.',
  accountDeletionAskedSubject: 'A user asks for the deletion of their account',
  accountDeletionAskedText: 'A user wants to leave, and this service lets administrators decide.',
  accountDeletionAskedAct:
    'The user cannot delete the account alone. Delete it in the administration, or ask the user if something is not clear.',
  accountDeletionAskedButton: 'Open the user',
  administratorNoticeGroup: 'Group',
  administratorNoticeAct:
    'If you did not expect this, look at the audit log, and end the sessions of the person who did it.',
  administratorNoticeButton: 'Open the audit log',
  administratorNoticeReason: 'Administrators cannot turn off these emails, because they protect the service.',
  organizationOwnerAddedSubject: 'A new owner was added to an organization',
  organizationOwnerAddedText: 'An organization has a new owner. Owners can do everything in it.',
  organizationTokenCreatedSubject: 'An API token of an organization was created',
  organizationTokenCreatedText:
    'An organization has a new API token. Programs use it to act for the organization, also after its maker has left.',
  organizationSignInAddedSubject: 'A company sign-in was added to an organization',
  organizationSignInAddedText:
    'An organization has a new connection to an identity provider. Once it works, people can become members by it.',
  organizationDomainProvenSubject: 'A domain of an organization was proven',
  organizationDomainProvenText:
    'An organization has a new proven domain. People with addresses of this domain can sign in by its company sign-in.',
  organizationRolesReportedSubject: 'An owner or member reported a theft of their account',
  organizationRolesReportedText:
    'Someone in an organization reported that changes of their account were not theirs. Their API tokens and open invitations since then have ended. They gave these members their roles since then. The roles stay until you change them.',
  directoryOwnerKeptSubject: 'The last owner of an organization left its directory',
  directoryOwnerKeptText:
    'The directory of an organization ended its last owner. Their sessions and their sign-in there have ended. The membership stays until somebody else is an owner: make another member an owner, and the directory ends it with its next request.',
  directoryPeopleLeftSubject: 'Many people left the directory of a connection',
  directoryPeopleLeftText:
    'Within ten minutes, the directory of a connection ended more than 50 people, and more than a fifth of all. What they held has ended. If this was a mistake, stop the directory on the page of the connection, and bring the people back there.',
  signInHookFailedSubject: 'People cannot sign in, because a function of a product fails',
  signInHookFailedText:
    'The service asks a function of a product at each sign-in, and it gives no usable answer. Only administrators can sign in, with a passkey or a second factor. The account below did so. Repair the function, or turn off the hook in the settings of the service.',
  directoryPeopleLeftButton: 'See the connection',
  ownerNoticeOrganization: 'Organization',
  ownerNoticeConcerns: 'Concerns',
  ownerNoticeRoles: 'Roles given',
  ownerNoticeAct: 'If you did not expect this, look at it and end it.',
  ownerNoticeButton: 'See the organization',
  signInEndedSubject: 'You need to set up your sign-in again',
  signInEndedText:
    'Your account got new permissions. Someone who does not have them, or your company’s sign-in, decided before how you sign in. So what they set no longer works. You will get a link to choose a new password, or your administrator will help you. Then you can connect your company account again on your account page.',
  newDeviceSubject: 'New sign-in to your account',
  newDeviceText: 'Your account was used to sign in from a device that was not used before.',
} as const
