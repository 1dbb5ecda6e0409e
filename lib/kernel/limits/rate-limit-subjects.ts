import type { RateLimitName } from './rate-limits.ts'

/** Whom a rate limit slows down, as far as administrators may see it. Names that were typed in are never shown. */
export interface RateLimitSubject {
  /** The ID of a user. */
  readonly user?: number
  /** A network, as `getNetwork` returns it. */
  readonly network?: string
  /** The ID of an access link. */
  readonly accessLink?: number
}

type Reader = (subject: string) => RateLimitSubject

const leadingId = (subject: string): number => Number(/^\d+/.exec(subject)?.[0])
const user: Reader = (subject) => ({ user: leadingId(subject) })
const network: Reader = (subject) => ({ network: subject })
const accessLink: Reader = (subject) => ({ accessLink: leadingId(subject) })

/** How a kind of subject is read from the text that counts are distinguished by. */
const readers = {
  user,
  network,
  accessLink,
  linkAndNetwork: (subject: string) => ({ ...accessLink(subject), network: subject.replace(/^\d+ /, '') }),
  requester: (subject: string) => (/^\d+$/.test(subject) ? user : network)(subject),
  nothing: () => ({}),
} satisfies Readonly<Record<string, Reader>>

/** The subject of each limit. */
const subjects = {
  // The text is the name that was typed in, which can be a password in the wrong field.
  accountFailures: 'nothing',
  addressFailures: 'network',
  otpGuesses: 'nothing',
  legacyPasswordChecks: 'nothing',
  legacyPasswordOutages: 'user',
  hookNotices: 'nothing',
  passwordConfirmations: 'user',
  lookUpFailures: 'network',
  passkeyChallenges: 'network',
  knownBrowserUses: 'user',
  passwordToolUses: 'user',
  resetRequestsPerAccount: 'user',
  resetRequestsPerRequester: 'user',
  lockedSignInEmails: 'user',
  resetRequestsPerAddress: 'network',
  emailConfirmationsPerAccount: 'user',
  emailConfirmationsPerRecipient: 'nothing',
  emailCodesPerAccount: 'user',
  emailCodesPerRequester: 'user',
  emailCodeRequestsPerAddress: 'network',
  invitationsPerAccount: 'user',
  invitationsPerInviter: 'user',
  invitationsPerRecipient: 'nothing',
  invitationsPerRecipientAndOrganization: 'nothing',
  provenInvitationsPerRecipient: 'nothing',
  invitationsPerOrganization: 'nothing',
  invitationResends: 'nothing',
  joinCodesPerAccount: 'user',
  joinCodesPerRecipient: 'nothing',
  signUpsPerAddress: 'network',
  refusedSignUps: 'nothing',
  providerSignUpsPerNetwork: 'network',
  signUpsPerDomain: 'nothing',
  signUpsPerRecipient: 'nothing',
  signUpNoticesPerApprover: 'nothing',
  mailRequests: 'nothing',
  linkGuessesPerNetwork: 'linkAndNetwork',
  linkGuesses: 'accessLink',
  linkMailsPerRecipient: 'accessLink',
  linkMailsPerUser: 'user',
  emailTextTests: 'user',
  securityNotices: 'user',
  authorizationStarts: 'network',
  clientDocuments: 'nothing',
  clientDocumentsPerRequester: 'requester',
  clientDocumentRenewals: 'nothing',
  authorizationsPerSession: 'user',
  deviceStartsPerNetwork: 'network',
  deviceStartsPerClient: 'nothing',
  deviceCodeGuesses: 'user',
  deviceCodeGuessesPerNetwork: 'network',
  machineTokensPerClient: 'nothing',
  signInRoutes: 'network',
  samlStarts: 'network',
  domainChecks: 'user',
  upstreamLogouts: 'network',
  samlSetupChanges: 'nothing',
  samlDecryptionFailures: 'network',
  refusedAnswers: 'network',
  leakReports: 'network',
  scimRequests: 'nothing',
} as const satisfies Readonly<Record<RateLimitName, keyof typeof readers>>

type Subjects = typeof subjects
/** The limits that count a network, so that one of its people can reach them for all. */
export type NetworkLimitName = {
  [Name in RateLimitName]: Subjects[Name] extends 'network' ? Name : never
}[RateLimitName]

/** Reads whom a limit slows down from the text that it counts. */
export const readRateLimitSubject = (name: RateLimitName, subject: string): RateLimitSubject =>
  readers[subjects[name]](subject)
