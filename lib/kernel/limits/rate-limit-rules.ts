import type { NetworkLimitName } from './rate-limit-subjects.ts'
import type { RateLimitName } from './rate-limits.ts'

/**
 * What a limit counts. `results` are sent emails, started sign-ins, new accounts and the rest that a request leads to: a request that is
 * refused before it changed anything is given back. `attempts` stay counted, because a refusal already says or costs something: guesses,
 * lookups, and questions to other systems.
 */
export type Counted = 'results' | 'attempts'

const counted: Readonly<Record<RateLimitName, Counted>> = {
  accountFailures: 'attempts',
  addressFailures: 'attempts',
  otpGuesses: 'attempts',
  legacyPasswordChecks: 'attempts',
  legacyPasswordOutages: 'attempts',
  hookNotices: 'attempts',
  passwordConfirmations: 'attempts',
  lookUpFailures: 'attempts',
  passkeyChallenges: 'results',
  knownBrowserUses: 'attempts',
  passwordToolUses: 'attempts',
  resetRequestsPerAccount: 'results',
  resetRequestsPerRequester: 'results',
  lockedSignInEmails: 'results',
  resetRequestsPerAddress: 'results',
  emailConfirmationsPerAccount: 'attempts',
  emailConfirmationsPerRecipient: 'results',
  emailCodesPerAccount: 'results',
  emailCodesPerRequester: 'results',
  emailCodeRequestsPerAddress: 'results',
  invitationsPerAccount: 'attempts',
  invitationsPerInviter: 'attempts',
  invitationsPerRecipient: 'results',
  invitationsPerRecipientAndOrganization: 'results',
  provenInvitationsPerRecipient: 'results',
  invitationsPerOrganization: 'results',
  invitationResends: 'results',
  joinCodesPerAccount: 'attempts',
  joinCodesPerRecipient: 'results',
  signUpsPerAddress: 'results',
  refusedSignUps: 'attempts',
  providerSignUpsPerNetwork: 'results',
  signUpsPerDomain: 'results',
  signUpsPerRecipient: 'results',
  signUpNoticesPerApprover: 'results',
  mailRequests: 'attempts',
  linkGuessesPerNetwork: 'attempts',
  linkGuesses: 'attempts',
  linkMailsPerRecipient: 'results',
  linkMailsPerUser: 'results',
  emailTextTests: 'results',
  securityNotices: 'results',
  authorizationStarts: 'attempts',
  clientDocuments: 'attempts',
  clientDocumentsPerRequester: 'attempts',
  clientDocumentRenewals: 'attempts',
  authorizationsPerSession: 'results',
  deviceStartsPerNetwork: 'results',
  deviceStartsPerClient: 'results',
  deviceCodeGuesses: 'attempts',
  deviceCodeGuessesPerNetwork: 'attempts',
  machineTokensPerClient: 'results',
  signInRoutes: 'attempts',
  samlStarts: 'results',
  domainChecks: 'attempts',
  upstreamLogouts: 'attempts',
  samlSetupChanges: 'attempts',
  samlDecryptionFailures: 'attempts',
  refusedAnswers: 'attempts',
  leakReports: 'attempts',
  scimRequests: 'attempts',
}

/** Whether a limit gives back what was refused. */
export const countsResults = (name: RateLimitName): boolean => counted[name] === 'results'

/**
 * How people get in whose network is above a limit, because of somebody else there.
 *
 * - `proof`: a proof of work admits a request, and known browsers have a share of their own
 * - `known_browsers`: known browsers have a share of their own. A proof would buy guesses
 * - `failures`: only failures are counted, and what is right is served at any time
 * - `guesses`: right ones are given back, and wrong ones close it for all users of the network
 * - `no_browser`: servers and devices come here, and no person waits in a browser
 */
export type NetworkRule = 'proof' | 'known_browsers' | 'failures' | 'guesses' | 'no_browser'

export const networkRules = {
  addressFailures: 'known_browsers',
  lookUpFailures: 'failures',
  passkeyChallenges: 'proof',
  resetRequestsPerAddress: 'proof',
  emailCodeRequestsPerAddress: 'proof',
  signUpsPerAddress: 'proof',
  providerSignUpsPerNetwork: 'proof',
  authorizationStarts: 'known_browsers',
  deviceStartsPerNetwork: 'no_browser',
  deviceCodeGuessesPerNetwork: 'guesses',
  signInRoutes: 'proof',
  samlStarts: 'proof',
  upstreamLogouts: 'no_browser',
  samlDecryptionFailures: 'failures',
  refusedAnswers: 'failures',
  leakReports: 'no_browser',
} as const satisfies Readonly<Record<NetworkLimitName, NetworkRule>>

type Rules = typeof networkRules
/** The limits of networks above which a proof of work admits. */
export type ProofLimitName = {
  [Name in NetworkLimitName]: Rules[Name] extends 'proof' ? Name : never
}[NetworkLimitName]
