import { noClientFields, referUserClientFields } from '../published-clients/stored-fields.ts'

/**
 * Values that the examples of several texts share. The credentials have the form of real ones, but say that they are
 * examples, and their checksums are wrong.
 */
export const exampleCredentials = {
  /** A session of the user `ada`. */
  session: 'lks_000007ThisIsAnExampleAndNotARealSession000000',
  /** A session that an access link opened. */
  linkSession: 'lks_00000FThisIsAnExampleAndNotARealSession000001',
  organizationToken: 'lkg_00000CThisIsAnExampleAndNotARealToken00000000',
  apiToken: 'lkp_000007ThisIsAnExampleAndNotARealToken00000000',
  ticket: 'lkt_000007ThisIsAnExampleAndNotARealTicket0000000',
  resetToken: 'lkr_000007ThisIsAnExampleAndNotARealReset00000000',
  accessLink: 'lka_000005ThisIsAnExampleAndNotARealLink000000000',
  secondFactorToken: 'lkf_000007ThisIsAnExampleAndNotARealFactor0000000',
  securityReport: 'lkn_000007ThisIsAnExampleAndNotARealReport0000000',
  jwt: 'eyJExample.ThisIsAnExampleAndNotARealJwt.Signature',
  clientSecret: 'lko_000002ThisIsAnExampleAndNotARealSecret0000000',
  invitation: 'lki_000008ThisIsAnExampleAndNotAnInvitation000000',
  signUp: 'lku_000000ThisIsAnExampleAndNotASignUpLink0000000',
  organizationInvitation: 'lkj_000006ThisIsAnExampleAndNotAnInvitation000000',
  samlSetup: 'lkx_000002ThisIsAnExampleAndNotASetUpLink00000000',
  scimToken: 'lkm_000002ThisIsAnExampleAndNotARealToken00000000',
  emailConfirmation: 'lkc_000007ThisIsAnExampleAndNotARealEmail00000000',
} as const

/** The password of the user `ada`. */
export const examplePassword = 'violin harbor mustard tent'
/** A password that meets the default policy. */
export const exampleNewPassword = 'violet tractor under nine moons'
/** A code that an authenticator app shows. */
export const exampleCode = '492039'
/** The code of an email, and the request that it belongs to. */
export const exampleEmailCode = '4829 1736'
export const exampleCodeRequest = 'ThisIsAnExampleRequestIdOf32Char'
/** The password of the access link. */
export const exampleLinkPassword = '4711-blue'

/** The key of the suppressed address `grace@example.com`. */
export const exampleSuppressedKey = 'Z3JhY2VAZXhhbXBsZS5jb20'
/** The key of a count of `addressFailures`. */
export const exampleRateLimitKey = 'addressFailures-ThisIsAnExampleAndNotTheHashOfAnyNetwork000'

/** Where the service is reached. */
export const exampleUrl = 'https://auth.example.com'
/** A product that uses the service. */
export const exampleProductUrl = 'https://shop.example.com'
/** Reserved for documentation: RFC 5737. */
export const exampleAddress = '203.0.113.7'
export const exampleUserAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** An OpenID Connect client in the protocol. */
export const exampleClientId = '2-This0Is0An0Example0Client'

/** A PNG image of 16 × 16 black pixels. */
export const exampleLogo = {
  data: 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC',
  hash: 'a59d4b29e72237bbc16e22e6db5cfbdc7e70a4e3782baffc9881e3c04ab049a0',
} as const

export const exampleIds = {
  administrator: 1,
  user: 7,
  otherUser: 18,
  guest: 15,
  group: 3,
  accessLink: 5,
  apiToken: 9,
  session: 1_839_201_744,
  rememberedDevice: 1_402_887_316,
  passkey: 6,
  client: 2,
  samlProvider: 2,
  oidcConnection: 3,
  companyAccount: 1_206_483_915,
  userTemplate: 4,
  linkPermission: 18,
  organization: 12,
  organizationInvitation: 6,
  organizationToken: 10,
  scimToken: 11,
} as const

/** In the order of events. */
export const exampleTimes = {
  created: '2026-03-02T08:15:00.000Z',
  linkCreated: '2026-11-18T16:20:00.000Z',
  signedIn: '2026-11-20T09:30:00.000Z',
  lastSeen: '2026-11-20T09:35:00.000Z',
  codeEnd: '2026-11-20T09:40:00.000Z',
  sessionEnd: '2026-12-04T09:30:00.000Z',
  end: '2027-12-31T23:00:00.000Z',
} as const

/** What the access link shares. */
export const exampleBundle = { id: 12, name: 'Summer campaign', root: 2, path: '/campaigns/summer' } as const
export const exampleDirectory = { id: 34, name: 'Press kit', root: 2, path: '/press' } as const

const exampleUserReferenceFields = referUserClientFields(noClientFields)

/** The user of the examples, as other objects show them. */
export const exampleUserMini = {
  id: exampleIds.user,
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  full_name: 'Ada Lovelace',
  is_external: false,
  username: 'ada',
  ...exampleUserReferenceFields,
}

/** The recipient of the access link. */
export const exampleGuestMini = {
  id: exampleIds.guest,
  display_name: 'grace@example.com',
  email: 'grace@example.com',
  full_name: null,
  is_external: true,
  username: 'guest-5f0c1d9e4b7a2f6830',
  ...exampleUserReferenceFields,
}

/** A random value that a passkey signs, in base64url. */
export const exampleChallenge = 'cUVMWmhkMnQ0ZVpsb2tXcGQ'

const encode = (text: string): string => Buffer.from(text).toString('base64url')

const encodeClientData = (type: 'webauthn.create' | 'webauthn.get'): string =>
  encode(
    JSON.stringify({
      type,
      challenge: exampleChallenge,
      origin: 'https://auth.example.com',
      crossOrigin: false,
    }),
  )

const id = encode('ThisIsAnExampleOfAPasskey')

/** What a browser returns for a new passkey. The attestation is cut short, because a real one has about 200 bytes. */
export const newPasskey = {
  id,
  rawId: id,
  type: 'public-key' as const,
  response: {
    clientDataJSON: encodeClientData('webauthn.create'),
    attestationObject: encode('ThisIsAnExampleAndNotARealAttestation'),
    transports: ['internal', 'hybrid'],
  },
}

/** What a browser returns for a passkey that the user used. */
export const usedPasskey = {
  id,
  rawId: id,
  type: 'public-key' as const,
  response: {
    clientDataJSON: encodeClientData('webauthn.get'),
    authenticatorData: encode('ThisIsAnExampleAndNotARealProof'),
    signature: encode('ThisIsAnExampleAndNotARealSignature'),
    userHandle: encode('ThisIsAnExampleUserHandle'),
  },
}

// Certificates of key pairs that no longer exist. The private keys were deleted at once.

/** What the SAML provider of the examples signs with. */
export const exampleCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBiTCCAS+gAwIBAgIUfPNwy8UG/hTPfxbOVmb6lQoy2cowCgYIKoZIzj0EAwIw',
  'GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMB4XDTI2MTEyMDIzMTU0NloXDTM2',
  'MTExNzIzMTU0NlowGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAE4lcEwaRMPNUQPLtW6snCtK0zWt6M37zZmnvb2Fj9',
  'sa++9XL4kuNrluWun79AawL1ElRhzvUQyVWBR6lonuDYjqNTMFEwHQYDVR0OBBYE',
  'FPmI5INbboFx2k3sCwRG7AW+hxNxMB8GA1UdIwQYMBaAFPmI5INbboFx2k3sCwRG',
  '7AW+hxNxMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAJkaw9rw',
  'UX/caXgel1Y1XURzKMr/IAdFQkuU7VTnvIS/AiA7cG6LMruMtocDQ5o7tj9FkbGZ',
  'KjD6TOqY0eloyOQZzQ==',
  '-----END CERTIFICATE-----',
].join('\n')

/** Its SHA-256. */
export const exampleFingerprint =
  '0E:E5:77:07:2B:19:5F:92:9E:68:BA:A7:2A:4A:3F:21:87:66:B4:1A:3B:0E:9A:CF:CC:3C:21:3F:AD:C2:2C:B7'

/** What this service signs with for that provider. */
export const exampleServiceCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIDFzCCAf+gAwIBAgIUfrpsB0fvtFtMP8xSVfD1wWYZ4SswDQYJKoZIhvcNAQEL',
  'BQAwGzEZMBcGA1UEAwwQYXV0aC5leGFtcGxlLmNvbTAeFw0yNjExMjAyMzE1NDZa',
  'Fw0zNjExMTcyMzE1NDZaMBsxGTAXBgNVBAMMEGF1dGguZXhhbXBsZS5jb20wggEi',
  'MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDNbBEY+nwraTV5lG987AVYT0jv',
  'k7iHob4ABQzeo+zqXNiCFJnJq5KfBvcPz9CXzeP/2hATxYl1FCwYvkB9N7y+YPtj',
  'Ikfx0tMu/Lz/Z1tzPKctLQ7dlfMR5j+/aTQX2aCkFfN35P0md5K9DxvRXfbSIffK',
  'J9HYNd/YvfnwCEjtWEythK0b9inUKHaS8T8IzyQsEycy+Ix4qljasNP5H/2BmmeZ',
  'Fa/egCjyJABwvpmSrAtMYW63Yjy8hkidJW2gYMP7amrgYdPlBDeBFncVg6OCLm/s',
  'n73Quo2Ef7SmNhQF2g70CEIvrZ38BuUhLZiBSBXfAwL0+NaxfB67YgONrL1bAgMB',
  'AAGjUzBRMB0GA1UdDgQWBBTc6++5LHXr8qchtzeJUn0VYP9ZxjAfBgNVHSMEGDAW',
  'gBTc6++5LHXr8qchtzeJUn0VYP9ZxjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3',
  'DQEBCwUAA4IBAQBgwL1tAxjL3PZ2LKQ5E7HLWNyi9Erpt0iHolC1vE8JH1N79A1a',
  'dElYyjNJ6oJP2EJV5A7uLXtsCzJ/hBYn/JPHkOc7U5eUp8nRXfBfBaB/CWVHwIaw',
  'bXSCWVviNDdk+YUnrvkcDkmDGL8qoP/qD+gThg2cCvPrwTxgp5rUmJ9gqDhEX4G9',
  '3WVII/w/a7/T1eftw5RFLJEWm/pD+b1eFV9Ix6UeLI+q8XGhuMPWHRWzqHdQ16a3',
  'Mu3TwHzK8LhpyOxeKl5z4iaDiN9c6COVlIibCvlzvREMYZLbjuUabV/YZ/s0kkv1',
  'PPWQZ1D0Eb+gxFJdx8u98FFs9zbq77sKcrP8',
  '-----END CERTIFICATE-----',
].join('\n')
