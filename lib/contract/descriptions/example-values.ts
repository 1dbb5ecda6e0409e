/**
 * Values that the examples of several texts share. The credentials have the form of real ones, but say that they are
 * examples, and their checksums are wrong.
 */
export const exampleCredentials = {
  /** A session of the user `ada`. */
  session: 'lks_000007ThisIsAnExampleAndNotARealSession000000',
  /** A session that an access link opened. */
  linkSession: 'lks_00000FThisIsAnExampleAndNotARealSession000001',
  apiToken: 'lkp_000007ThisIsAnExampleAndNotARealToken00000000',
  ticket: 'lkt_000007ThisIsAnExampleAndNotARealTicket0000000',
  resetToken: 'lkr_000007ThisIsAnExampleAndNotARealReset00000000',
  accessLink: 'lka_000005ThisIsAnExampleAndNotARealLink000000000',
  secondFactorToken: 'lkf_000007ThisIsAnExampleAndNotARealFactor0000000',
  securityReport: 'lkn_000007ThisIsAnExampleAndNotARealReport0000000',
  jwt: 'eyJExample.ThisIsAnExampleAndNotARealJwt.Signature',
  oidcClientSecret: 'lko_000002ThisIsAnExampleAndNotARealSecret0000000',
  invitation: 'lki_000008ThisIsAnExampleAndNotAnInvitation000000',
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
  guest: 15,
  group: 3,
  accessLink: 5,
  apiToken: 9,
  session: 1_839_201_744,
  passkey: 6,
  oidcClient: 2,
  samlProvider: 2,
  samlAccount: 1_206_483_915,
  userTemplate: 4,
  mediaRoot: 2,
  mediaRootPermission: 18,
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

/** The user of the examples, as other objects show them. */
export const exampleUserMini = {
  id: exampleIds.user,
  display_name: 'Ada Lovelace',
  email: 'ada@example.com',
  full_name: 'Ada Lovelace',
  is_external: false,
  is_cloud: false,
  username: 'ada',
}

/** The recipient of the access link. */
export const exampleGuestMini = {
  id: exampleIds.guest,
  display_name: 'grace@example.com',
  email: 'grace@example.com',
  full_name: null,
  is_external: true,
  is_cloud: false,
  username: 'guest-5f0c1d9e4b7a2f6830',
}
