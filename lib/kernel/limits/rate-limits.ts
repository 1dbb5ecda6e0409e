import { day, hour, minute, second } from '../util/time.ts'

/** At most `max` events within any span of `windowMs`. */
export interface RateLimit {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

/** The default of every rate limit. `rateLimitDescriptions` says what each one counts. */
export const rateLimitDefaults = {
  accountFailures: { max: 100, windowMs: hour },
  addressFailures: { max: 100, windowMs: 10 * minute },
  otpGuesses: { max: 5, windowMs: 5 * minute },
  legacyPasswordChecks: { max: 600, windowMs: minute },
  legacyPasswordOutages: { max: 10, windowMs: 10 * minute },
  hookNotices: { max: 1, windowMs: hour },
  passwordConfirmations: { max: 5, windowMs: 5 * minute },
  lookUpFailures: { max: 600, windowMs: minute },
  passkeyChallenges: { max: 300, windowMs: minute },
  knownBrowserUses: { max: 10, windowMs: 10 * minute },
  passwordToolUses: { max: 60, windowMs: minute },
  resetRequestsPerAccount: { max: 9, windowMs: hour },
  resetRequestsPerRequester: { max: 3, windowMs: hour },
  lockedSignInEmails: { max: 3, windowMs: hour },
  resetRequestsPerAddress: { max: 20, windowMs: hour },
  emailConfirmationsPerAccount: { max: 5, windowMs: hour },
  emailConfirmationsPerRecipient: { max: 5, windowMs: hour },
  invitationsPerAccount: { max: 5, windowMs: hour },
  invitationsPerInviter: { max: 500, windowMs: day },
  invitationsPerRecipient: { max: 5, windowMs: hour },
  invitationsPerRecipientAndOrganization: { max: 2, windowMs: hour },
  provenInvitationsPerRecipient: { max: 5, windowMs: hour },
  invitationsPerOrganization: { max: 100, windowMs: day },
  invitationResends: { max: 5, windowMs: day },
  joinCodesPerAccount: { max: 5, windowMs: hour },
  joinCodesPerRecipient: { max: 5, windowMs: hour },
  emailCodesPerAccount: { max: 9, windowMs: hour },
  emailCodesPerRequester: { max: 3, windowMs: hour },
  emailCodeRequestsPerAddress: { max: 20, windowMs: hour },
  signUpsPerAddress: { max: 20, windowMs: hour },
  refusedSignUps: { max: 10, windowMs: hour },
  providerSignUpsPerNetwork: { max: 500, windowMs: hour },
  signUpsPerDomain: { max: 1000, windowMs: hour },
  signUpsPerRecipient: { max: 3, windowMs: hour },
  signUpNoticesPerApprover: { max: 10, windowMs: hour },
  mailRequests: { max: 600, windowMs: 10 * minute },
  linkGuessesPerNetwork: { max: 5, windowMs: 10 * minute },
  linkGuesses: { max: 100, windowMs: hour },
  linkMailsPerRecipient: { max: 10, windowMs: hour },
  linkMailsPerUser: { max: 200, windowMs: day },
  emailTextTests: { max: 20, windowMs: hour },
  securityNotices: { max: 5, windowMs: hour },
  authorizationStarts: { max: 300, windowMs: minute },
  clientDocuments: { max: 60, windowMs: 10 * minute },
  clientDocumentsPerRequester: { max: 20, windowMs: 10 * minute },
  clientDocumentRenewals: { max: 60, windowMs: 10 * minute },
  authorizationsPerSession: { max: 120, windowMs: 10 * minute },
  deviceStartsPerNetwork: { max: 60, windowMs: 10 * minute },
  deviceStartsPerClient: { max: 3000, windowMs: 10 * minute },
  deviceCodeGuesses: { max: 10, windowMs: 10 * minute },
  deviceCodeGuessesPerNetwork: { max: 100, windowMs: 10 * minute },
  machineTokensPerClient: { max: 120, windowMs: 10 * minute },
  signInRoutes: { max: 300, windowMs: minute },
  samlStarts: { max: 300, windowMs: minute },
  upstreamLogouts: { max: 600, windowMs: minute },
  domainChecks: { max: 120, windowMs: 10 * minute },
  samlSetupChanges: { max: 60, windowMs: 10 * minute },
  samlDecryptionFailures: { max: 20, windowMs: 10 * minute },
  refusedAnswers: { max: 600, windowMs: minute },
  leakReports: { max: 60, windowMs: minute },
  scimRequests: { max: 300, windowMs: 10 * second },
} as const

export type RateLimitName = keyof typeof rateLimitDefaults
export type RateLimits = Readonly<Record<RateLimitName, RateLimit>>

export const rateLimitNames = Object.keys(rateLimitDefaults) as readonly RateLimitName[]

const highestMax = 1_000_000
const longestSeconds = (7 * day) / 1000
/** Shorter windows would be less precise than the clocks of the servers. */
const shortestSeconds = 10

/**
 * Reads a list such as `otpGuesses=10/300, linkMailsPerUser=500/86400` (events per seconds). Limits that it does not
 * name keep their default. Returns an error text, to be put after the name of the setting, if the list is invalid.
 */
export const readRateLimits = (text: string): RateLimits | string => {
  const limits: Record<string, RateLimit> = Object.fromEntries(
    rateLimitNames.map((name) => {
      const { max, windowMs } = rateLimitDefaults[name]
      return [name, { name, max, windowMs }]
    }),
  )
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, given = '', max, seconds] = /^(\w+)=(\d{1,9})\/(\d{1,9})$/.exec(entry) ?? []
    const name = rateLimitNames.find((known) => known === given)
    if (!name) return `must be a list such as otpGuesses=5/300 of ${rateLimitNames.join(', ')}`
    const [most, span] = [Number(max), Number(seconds)]
    if (most < 1 || most > highestMax || span < shortestSeconds || span > longestSeconds)
      return `must set ${name} to 1 to ${highestMax} in ${shortestSeconds} to ${longestSeconds} seconds`
    limits[name] = { name, max: most, windowMs: span * 1000 }
  }
  return limits as RateLimits
}

/** What each rate limit counts. `npm run docs` builds the reference page from it, and bundles of functions leave it out. */
export const rateLimitDescriptions: Readonly<Record<RateLimitName, string>> = {
  accountFailures:
    'Failed sign-ins per account from all unknown networks. Above it, only browsers and networks that signed in before may try.',
  addressFailures:
    'Failed sign-ins per address, for all accounts together. Above it, only users who signed in from the address or with the browser before may try.',
  otpGuesses:
    'Wrong one-time passwords per user. Each known browser or network, signed-in callers, and all others are counted apart.',
  legacyPasswordChecks:
    'Questions to the old system whether a password is right, for all users together. It protects the old system from load.',
  legacyPasswordOutages:
    'Such questions without an answer per user and network. They are no failed sign-ins, so this limits them instead.',
  hookNotices: 'Emails to all administrators that the hook `afterSignIn` fails, for the whole service.',
  passwordConfirmations:
    'Wrong current passwords per user, to change the password or to confirm an identity. Each known browser or network, and all others, are counted apart.',
  lookUpFailures:
    'Failed lookups of tickets, access links and reset tokens, and wrong secrets of clients, per address. Good ones are served at any time.',
  passkeyChallenges: 'Challenges for passkeys per address. Each sign-in page that is opened takes one.',
  knownBrowserUses:
    'What a user may do at one door in the browsers that they signed in with before, while their network is above the limit of the door.',
  passwordToolUses: 'Generated or evaluated passwords per user. Both take CPU time.',
  resetRequestsPerAccount:
    'Password reset emails per account that are requested from unknown networks, all together.',
  resetRequestsPerRequester:
    'Password reset emails per account and requester: a browser or a network. Those that signed in before have only this limit.',
  lockedSignInEmails:
    'Emails per account with a link for the owner who entered the right password while sign-in was locked, or one that is in a data breach.',
  resetRequestsPerAddress: 'Password reset requests per address.',
  emailConfirmationsPerAccount: 'Requests per account for an email that confirms an address.',
  emailConfirmationsPerRecipient: 'Emails per address that confirm it, for all accounts together.',
  invitationsPerAccount: 'Invitations per invited user.',
  invitationsPerInviter: 'Invitations that one user sends.',
  invitationsPerRecipient:
    'Emails with an invitation per address, for all accounts and organizations together.',
  invitationsPerRecipientAndOrganization: 'Emails with an invitation of one organization to one address.',
  provenInvitationsPerRecipient:
    'Emails with an invitation per address that organizations with a proven domain send beyond `invitationsPerRecipient`, so that strangers cannot use up their share.',
  invitationsPerOrganization: 'Invitations that one organization sends, also again.',
  invitationResends: 'How often one invitation to an organization is sent again.',
  joinCodesPerAccount: 'Requests per account for a code to join an organization.',
  joinCodesPerRecipient: 'Emails per address with a code to join an organization.',
  emailCodesPerAccount:
    'Emails with a sign-in code per account that are requested from unknown networks, all together.',
  emailCodesPerRequester:
    'Emails with a sign-in code per account and requester: a browser or a network. Those that signed in before have only this limit.',
  emailCodeRequestsPerAddress: 'Requests for a sign-in code per address.',
  signUpsPerAddress:
    'Requests to sign up, and for a link to an address that people enter in their own account, per address. First sign-ins with a public provider of the preset `oidc` count as well.',
  refusedSignUps:
    'Accounts that the hook `beforeSignUp` refused, or did not answer about, per proved address or identity. Above it, the hook is not asked.',
  providerSignUpsPerNetwork:
    'First sign-ins per network with Google, Apple, Microsoft or GitHub. It is high, because a whole university or carrier can share an address.',
  signUpsPerDomain: 'Emails with a link to sign up per domain of the recipients.',
  signUpsPerRecipient: 'Emails with a link to sign up per recipient.',
  signUpNoticesPerApprover: 'Emails per approver about people who wait for their account.',
  mailRequests:
    'Requests of all networks together to sign up, to reset a password, for a sign-in code, and for a link to an address that people enter in their own account. Above it, each needs a [proof of work](../concepts/bots.md). It is estimated.',
  linkGuessesPerNetwork:
    'Wrong passwords per access link and network. It is the lower of the two, so that an attacker locks out their own network first.',
  linkGuesses: 'Wrong passwords per access link from all networks.',
  linkMailsPerRecipient: 'Emails per access link and recipient.',
  linkMailsPerUser: 'Access link emails that one user sends.',
  emailTextTests: 'Emails per administrator that try own words of emails.',
  securityNotices: 'Security emails per user and kind of change.',
  authorizationStarts:
    'OpenID Connect authorizations per network, of users who have to sign in for them, and of strangers also those that are refused. It is high, because a whole company can share an address.',
  clientDocuments:
    'New documents of clients per host, once for users who are signed in and once for everybody else. Above the latter, users sign in before the document is read.',
  clientDocumentsPerRequester: 'New documents of clients per user who is signed in, or else per network.',
  clientDocumentRenewals:
    'Requests for each document of a client that was read before. Above it, what the document said before counts for a day.',
  authorizationsPerSession: 'OpenID Connect authorizations per session that give a client a code.',
  deviceStartsPerNetwork: 'Codes per network that devices ask for to sign a user in.',
  deviceStartsPerClient:
    'Codes per OpenID Connect client that devices ask for. It is high, because anyone can ask in the name of a public client.',
  deviceCodeGuesses: 'Wrong codes of devices per user who enters them.',
  deviceCodeGuessesPerNetwork:
    'Wrong codes of devices per network. It is high, because a whole company can share an address.',
  machineTokensPerClient:
    'Access tokens that an OpenID Connect client gets for itself. A token can be used until it expires.',
  signInRoutes:
    'Lookups per network of the identity provider that a domain leads to. It is high, because a whole company can share an address.',
  samlStarts:
    'Started SAML sign-ins per network. Each costs a signature. It is high, because a whole company can share an address.',
  upstreamLogouts:
    'Logout tokens of identity providers, and notifications of Apple, per network. It is high, because a provider signs out many people from one address.',
  domainChecks: 'Lookups of TXT records of email domains that one administrator starts.',
  samlSetupChanges:
    'Changes and lookups that the holders of the set-up links of one SAML provider start, all together.',
  refusedAnswers:
    'Answers of identity providers per network that were refused before the provider proved who signs in. Good ones are served at any time.',
  samlDecryptionFailures:
    'Encrypted assertions per network that could not be used. It stops attacks that need many attempts to decrypt.',
  scimRequests: 'Requests of the directory of a connection.',
  leakReports: 'Reports of leaked credentials per address. Each report can contain 100 credentials.',
}
