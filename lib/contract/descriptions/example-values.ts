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
  emailConfirmation: 'lkc_000007ThisIsAnExampleAndNotARealEmail00000000',
} as const

/** The password of the user `ada`. */
export const examplePassword = 'correct horse battery staple'
/** A password that meets the default policy. */
export const exampleNewPassword = 'violet tractor under nine moons'
/** A code that an authenticator app shows. */
export const exampleCode = '492039'
