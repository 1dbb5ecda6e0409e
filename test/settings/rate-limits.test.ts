import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'

const limitsOf = (text?: string) =>
  readConfig({
    TABLE_NAME: 't',
    PUBLIC_URL: 'https://auth.example.com',
    ...(text === undefined ? {} : { RATE_LIMITS: text }),
  }).rateLimits

describe('rate limits', () => {
  it('have the documented defaults', () => {
    const shown = Object.values(limitsOf()).map(
      ({ name, max, windowMs }) => `${name} ${max}/${windowMs / 1000}`,
    )
    expect(shown).toEqual([
      'accountFailures 100/3600',
      'addressFailures 100/600',
      'otpGuesses 5/300',
      'legacyPasswordChecks 600/60',
      'legacyPasswordOutages 10/600',
      'hookNotices 1/3600',
      'passwordConfirmations 5/300',
      'lookUpFailures 600/60',
      'passkeyChallenges 300/60',
      'knownBrowserUses 10/600',
      'passwordToolUses 60/60',
      'resetRequestsPerAccount 9/3600',
      'resetRequestsPerRequester 3/3600',
      'lockedSignInEmails 3/3600',
      'resetRequestsPerAddress 20/3600',
      'emailConfirmationsPerAccount 5/3600',
      'emailConfirmationsPerRecipient 5/3600',
      'invitationsPerAccount 5/3600',
      'invitationsPerInviter 500/86400',
      'invitationsPerRecipient 5/3600',
      'invitationsPerRecipientAndOrganization 2/3600',
      'provenInvitationsPerRecipient 5/3600',
      'invitationsPerOrganization 100/86400',
      'invitationResends 5/86400',
      'joinCodesPerAccount 5/3600',
      'joinCodesPerRecipient 5/3600',
      'emailCodesPerAccount 9/3600',
      'emailCodesPerRequester 3/3600',
      'emailCodeRequestsPerAddress 20/3600',
      'signUpsPerAddress 20/3600',
      'refusedSignUps 10/3600',
      'providerSignUpsPerNetwork 500/3600',
      'signUpsPerDomain 1000/3600',
      'signUpsPerRecipient 3/3600',
      'signUpNoticesPerApprover 10/3600',
      'mailRequests 600/600',
      'linkGuessesPerNetwork 5/600',
      'linkGuesses 100/3600',
      'linkMailsPerRecipient 10/3600',
      'linkMailsPerUser 200/86400',
      'emailTextTests 20/3600',
      'securityNotices 5/3600',
      'authorizationStarts 300/60',
      'clientDocuments 60/600',
      'clientDocumentsPerRequester 20/600',
      'clientDocumentRenewals 60/600',
      'authorizationsPerSession 120/600',
      'deviceStartsPerNetwork 60/600',
      'deviceStartsPerClient 3000/600',
      'deviceCodeGuesses 10/600',
      'deviceCodeGuessesPerNetwork 100/600',
      'machineTokensPerClient 120/600',
      'signInRoutes 300/60',
      'samlStarts 300/60',
      'upstreamLogouts 600/60',
      'domainChecks 120/600',
      'samlSetupChanges 60/600',
      'samlDecryptionFailures 20/600',
      'refusedAnswers 600/60',
      'leakReports 60/60',
      'scimRequests 300/10',
    ])
    expect(limitsOf('')).toEqual(limitsOf())
  })

  it('change only where they are set', () => {
    expect(limitsOf(' otpGuesses=10/600 ,linkGuesses=1000000/604800,')).toEqual({
      ...limitsOf(),
      otpGuesses: { name: 'otpGuesses', max: 10, windowMs: 600_000 },
      linkGuesses: { name: 'linkGuesses', max: 1_000_000, windowMs: 604_800_000 },
    })
  })

  it.each([
    'otp=5/300',
    'otpGuesses',
    'otpGuesses=5',
    'otpGuesses=-1/300',
    'otpGuesses=5/300s',
    'toString=5/300',
    '__proto__=5/300',
    'otpGuesses=5/300;linkGuesses=1/60',
    'otpGuesses=9999999999/300',
  ])('stop the start if set as %s', (text) => {
    expect(() => limitsOf(text)).toThrow(
      /RATE_LIMITS must be a list such as otpGuesses=5\/300 of accountFailures/,
    )
  })

  it.each(['otpGuesses=0/300', 'otpGuesses=1000001/300', 'otpGuesses=5/9', 'otpGuesses=5/604801'])(
    'reject values out of range, such as %s',
    (text) => {
      expect(() => limitsOf(text)).toThrow('must set otpGuesses to 1 to 1000000 in 10 to 604800 seconds')
    },
  )
})
