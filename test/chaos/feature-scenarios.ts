import * as soakDirectory from '../../bench/soak/directory-scenarios.ts'
import * as oneTime from '../../bench/soak/one-time-scenarios.ts'
import * as credentials from './credential-lives.ts'
import * as directory from './directory-lives.ts'
import type { Scenario } from './driver.ts'
import * as memberships from './membership-lives.ts'

/** What happens to the records of a feature while the table is disturbed: in `npm run chaos`, and in the soak of `npm run bench`. */
interface Scenarios {
  readonly chaos: readonly Scenario[]
  readonly soak: readonly oneTime.Scenario[]
}

/** A feature without a scenario of its own, and why. */
interface Without {
  readonly why: string
}

/** Accounts, and each feature that stores records by the name of its folder in `lib/features`. Both storms take their scenarios from here. */
export const featureScenarios: Readonly<Record<string, Scenarios | Without>> = {
  'access-links': { chaos: [credentials.redeemLink], soak: [soakDirectory.shareLink] },
  'api-tokens': { chaos: [credentials.useApiToken], soak: [soakDirectory.useApiToken] },
  audit: { why: 'Each scenario names the events of its requests, and both storms compare them at the end.' },
  branding: { why: 'One record with a version. Nothing else is written with it but its event.' },
  configuration: {
    why: 'The command sends requests of other features, and continues after an interruption.',
  },
  connections: { chaos: [], soak: [oneTime.replaySamlResponse] },
  directory: {
    chaos: Object.values(directory),
    soak: [soakDirectory.renameUsers, soakDirectory.changeGroups],
  },
  impersonation: { why: 'It changes one session, which ends as any other one does.' },
  invitations: { chaos: [credentials.acceptInvitation], soak: [oneTime.acceptInvitation] },
  mail: {
    why: 'Own words and their history are one transaction with a version, as test/attacks/two-writers.test.ts shows.',
  },
  'leaked-credentials': { why: 'A report revokes what scenarios of tokens and sessions revoke.' },
  accounts: {
    why: 'Each scenario changes accounts, and those of invitations wait for the emails that the outbox sends.',
  },
  oauth: { chaos: [credentials.rotateTokens], soak: [oneTime.exchangeOAuthCode] },
  organizations: { chaos: Object.values(memberships), soak: [] },
  passkeys: {
    why: 'A challenge is deleted in the transaction that uses it, as test/attacks/two-writers.test.ts shows.',
  },
  passwords: { chaos: [], soak: [oneTime.resetPassword] },
  'proof-of-work': { why: 'test/attacks/bot-storm.test.ts uses proofs by the thousand.' },
  provisioning: {
    why: 'test/scim races sign-ins and requests about one person, and each condition is tried in test/attacks/two-writers.test.ts.',
  },
  'remembered-devices': {
    why: 'test/attacks/remembered-device.test.ts loses answers and sends secrets again.',
  },
  scim: {
    why: 'Its records are tokens, which are stored and deleted in one transaction as those of organizations.',
  },
  'second-factor': { chaos: [], soak: [oneTime.useRecoveryCode] },
  'sign-in': {
    chaos: [credentials.signInAndOut],
    soak: [soakDirectory.signInAndOut, oneTime.signInByEmail],
  },
  tickets: { chaos: [credentials.exchangeTicket], soak: [oneTime.exchangeTicket] },
}

/** The scenarios of all features in one of the storms. */
export const chaosScenarios: readonly Scenario[] = Object.values(featureScenarios).flatMap((one) =>
  'chaos' in one ? one.chaos : [],
)
