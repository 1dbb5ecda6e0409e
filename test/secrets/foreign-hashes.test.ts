import { describe, expect, it } from 'vitest'
import { needsRehash, toStoredHash, validatePasswordHash } from '../../lib/kernel/secrets/password-hashes.ts'
import { verifyPassword } from '../../lib/kernel/secrets/passwords.ts'

const cost = 4

const keycloak = (algorithm: string, hashIterations: number, secret: object, parameters: object = {}) =>
  JSON.stringify({
    type: 'password',
    secretData: JSON.stringify({ ...secret, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters: parameters }),
  })

const phrase = 'lètmein avec une phrase'
const shortPhrase = 'my password'

/** Made by the systems themselves, or published by them. Weak ones are not stored as they are. */
const strong: readonly (readonly [name: string, password: string, text: string])[] = [
  [
    'Django, PBKDF2',
    phrase,
    'pbkdf2_sha256$260000$d0w3fj5TwyUYggv1fdAS7w$DgB/Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI=',
  ],
  [
    'Django, PBKDF2 with SHA-1',
    phrase,
    'pbkdf2_sha1$260000$NTQXWUFF5RVKt4IS6JNRoc$7D+WFgCJrSmTKkTyyh9BEcpPDjA=',
  ],
  [
    'Django, Argon2',
    phrase,
    'argon2$argon2id$v=19$m=102400,t=2,p=8$MjZGUk10aTJ4cG5RM2RMZXN1MjRLOA$GyJ3j+7iINwJQs7C4iTvFA',
  ],
  ['Passlib, PBKDF2 with SHA-1', phrase, '$pbkdf2$131000$UsqZEyLk3Nv7X4uRMubcuw$c4cFC6DHHIedtA4TEC2nC2ma1wc'],
  [
    'Passlib, scrypt',
    phrase,
    '$scrypt$ln=14,r=8,p=1$17p3ztk7R8hZi1EqReidsw$W8HO3UWXijrqqqJM7RFFcNRP37EmYnQ53K65LiiX4yw',
  ],
  [
    'Passlib, Argon2',
    phrase,
    '$argon2id$v=19$m=102400,t=2,p=8$VKpVynlPaQ2h9D5nbA2htA$ZSv3iJkyVE0bfQYGfwokYg',
  ],
  [
    'Better Auth',
    phrase,
    'a1762d2aa5105da0d43526ba6103d476:90b56f6fd6e0ee043591f36a726bb5f5c3f7adb02eaf9f9bb79167d35a86af489ef83ca765973359a78f8e127546ffc44780d68c78450b139fd130ff8d7bf6c3',
  ],
  [
    'OpenAuth',
    phrase,
    '{"hash":"PDGapuJTVpOk0SeQjkSho6Wv1Ar8HEkD5tvFKGHK4w0=","salt":"4+mrYbsFkjf9dK97oJ7RtA==","N":16384,"r":8,"p":1}',
  ],
  [
    'ASP.NET Identity 3',
    shortPhrase,
    'AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=',
  ],
  [
    'Firebase',
    'user1password',
    'scrypt-firebase$n=14,r=8,p=1,sep=Bw,key=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA,l=64$42xEC-ixf3L2lw$lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ',
  ],
]

const weak: typeof strong = [
  ['Django, SHA-1', phrase, 'sha1$liKlCm1hGhYnKVodnkxHv1$05cc2d782f3f8bb14a8ca75a5d242158bc894c99'],
  ['Django, MD5', phrase, 'md5$E2bm4Yy3xvOK4GsqOmPMMU$5ef6cc3e15a46672c80124a18ffb5cae'],
  [
    'Django, PBKDF2 of old',
    phrase,
    'pbkdf2_sha256$29000$blJ6mhaCMY8d$uS5mAvjP2pE0JgqFiSsL0wRfw1b1+YmaIVJipWYnH5g=',
  ],
  [
    'Passlib, PBKDF2 with SHA-256',
    phrase,
    '$pbkdf2-sha256$29000$u1eK8X5vbQ3h3Buj9N6bsw$K3Y6GS0I5tFgG/rTB6XLvJA2m8AJ.HepWoVgNbc/Fss',
  ],
  [
    'Passlib, PBKDF2 with SHA-512',
    phrase,
    '$pbkdf2-sha512$25000$F4KwNiaEsDbmfO89B8D4vw$mk.9AbpvmD6p0wCgpjbVzRYtIMSUjSEpbP/R0oaGoPrQTAXyzuPi45bKmLFAHyQ0RDGOFhgwBLOkwsfDYaD9Kg',
  ],
  ['WordPress before 6.8', phrase, '$P$B5LEFUC2ENMJfV4wD5AulchwyjfIKP/'],
  ['LDAP', phrase, '{SSHA}YHRuHyOzz/JTPzfLTL/PHNyj/HEKQWjt'],
  ['LDAP, SHA-256', phrase, '{SSHA256}0+lM88eSghhXXiSKAIDyyD7CY1rZOme900dQpUzfR4Xem1MqBaBUCg=='],
  [
    'LDAP, SHA-512',
    phrase,
    '{SSHA512}RXxMSsyt0tNZkez7qGW9anhBjk2asrCVgYQJ29IF6z0MyfgvbzPsN9l/3ytQHIjx6qI73I2TQwAk8g0wgPLk24JwTomxNiaE',
  ],
  ['ASP.NET Identity 2', shortPhrase, 'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg=='],
  [
    'ASP.NET Identity 3 with SHA-1',
    shortPhrase,
    'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
  ],
  [
    'Keycloak',
    'password',
    keycloak('pbkdf2-sha256', 27_500, {
      value: 'JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=',
      salt: 'P5rtFkGtPfoaryJ6PizUJw==',
    }),
  ],
  [
    'Keycloak, Argon2',
    phrase,
    keycloak(
      'argon2',
      2,
      // The digest is that of Passlib above, with fewer rounds than Keycloak has by default.
      { value: 'ZSv3iJkyVE0bfQYGfwokYg==', salt: 'VKpVynlPaQ2h9D5nbA2htA==' },
      { hashLength: ['16'], memory: ['102400'], type: ['id'], version: ['1.3'], parallelism: ['8'] },
    ),
  ],
]

describe('a hash of another system', () => {
  it.each([...strong, ...weak])(
    'of %s matches only its password, and is renewed',
    async (_, password, text) => {
      expect(validatePasswordHash(text)).toBeUndefined()
      const stored = await toStoredHash(text)
      expect(await verifyPassword(password, stored, cost)).toBe(true)
      expect(await verifyPassword(`${password}.`, stored, cost)).toBe(false)
      expect(needsRehash(stored, cost)).toBe(true)
      // An export can be imported again.
      expect(validatePasswordHash(stored)).toBeUndefined()
      expect(await toStoredHash(stored)).toBe(stored)
    },
  )

  it.each([...strong, ...weak].filter(([name]) => ['Better Auth', 'WordPress before 6.8'].includes(name)))(
    'of %s matches neither an empty nor a huge password',
    async (_, __, text) => {
      const stored = await toStoredHash(text)
      for (const password of ['', 'x'.repeat(100_000)])
        expect(await verifyPassword(password, stored, cost)).toBe(false)
    },
  )

  it('of WordPress 6.8 is checked as bcrypt', async () => {
    const text = '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES'
    expect(validatePasswordHash(text)).toBeUndefined()
    expect(await verifyPassword('admin', text, cost)).toBe(true)
    expect(await verifyPassword('admim', text, cost)).toBe(false)
  })

  it.each(weak.filter(([name]) => name !== 'Keycloak, Argon2'))(
    'of %s is weak, so its digest is not in what is stored',
    async (_, __, text) => {
      const stored = await toStoredHash(text)
      expect(stored).toMatch(/^wrapped\$.*\$2b\$10\$/)
      expect(await toStoredHash(text)).not.toBe(stored)
      const digest = /[A-Za-z\d+/.]{20,}=*$/.exec(text)?.[0]
      if (digest) expect(stored).not.toContain(Buffer.from(digest, 'base64').toString('base64url'))
    },
  )

  it.each([
    ['rounds of PBKDF2', 'pbkdf2_sha256$2000001$salt$DgB/Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI='],
    ['rounds of PBKDF2 with SHA-512', `$pbkdf2-sha512$700001$c2FsdHNhbHQ$${'A'.repeat(85)}.`],
    ['no rounds', 'pbkdf2_sha256$0$salt$DgB/Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI='],
    [
      'memory of scrypt',
      '$scrypt$ln=20,r=8,p=1$17p3ztk7R8hZi1EqReidsw$W8HO3UWXijrqqqJM7RFFcNRP37EmYnQ53K65LiiX4yw',
    ],
    [
      'time of scrypt',
      '$scrypt$ln=16,r=8,p=16$17p3ztk7R8hZi1EqReidsw$W8HO3UWXijrqqqJM7RFFcNRP37EmYnQ53K65LiiX4yw',
    ],
    ['no power of 2', 'scrypt$16385$salt$8$1$DgB/Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI='],
    ['memory of Argon2', '$argon2id$v=19$m=1048576,t=2,p=8$VKpVynlPaQ2h9D5nbA2htA$ZSv3iJkyVE0bfQYGfwokYg'],
    ['time of Argon2', '$argon2id$v=19$m=131072,t=32,p=8$VKpVynlPaQ2h9D5nbA2htA$ZSv3iJkyVE0bfQYGfwokYg'],
    [
      'too little memory of Argon2',
      '$argon2id$v=19$m=32,t=2,p=8$VKpVynlPaQ2h9D5nbA2htA$ZSv3iJkyVE0bfQYGfwokYg',
    ],
    ['rounds for a long digest', `pbkdf2_sha1$1000000$salt$${Buffer.alloc(64).toString('base64')}`],
    ['a digest of another algorithm', 'sha1$salt$5ef6cc3e15a46672c80124a18ffb5cae'],
    ['a short salt of Argon2', '$argon2id$v=19$m=1024,t=2,p=1$VKpVyg$ZSv3iJkyVE0bfQYGfwokYg'],
    ['cost of phpass', '$P$S5LEFUC2ENMJfV4wD5AulchwyjfIKP/'],
    ['a short digest', 'pbkdf2_sha256$260000$salt$DgB/'],
    [
      'an exported one beyond the limits',
      'pbkdf2-sha256$i=9000000,l=32$c2FsdA$DgB_Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI',
    ],
  ])('is refused with %s, so that no import makes sign-ins take long', (_, text) => {
    expect(validatePasswordHash(text)).toMatch(/^must /)
  })

  it.each([
    '{"credentialData":"{}","secretData":"{}"}',
    '{"__proto__":{"hash":"x"}}',
    '{"',
    'pbkdf2_md5$1000$salt$DgB/Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI=',
    'pbkdf2-sha256$i=1000,i=1,l=32$c2FsdA$DgB_Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI',
    'pbkdf2-sha256$l=32,i=1000$c2FsdA$DgB_Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI',
    'pbkdf2-sha256$i=1000,l=31$c2FsdA$DgB_Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI',
    'constructor$i=1,l=32$c2FsdA$DgB_Ier3PtGJnUhaequJ2ncA79MSCAzXL09GjO3bdLI',
    'wrapped$phpass$c=13,l=16$c2FsdA$plain',
    'wrapped$$2b$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES',
    'AQAAAAEAACcQ/////wABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
  ])('is refused if it is none: %s', async (text) => {
    expect(validatePasswordHash(text)).toMatch(/^must be/)
    expect(await verifyPassword('x', text, cost)).toBe(false)
  })
})

/**
 * What a core takes for a part of a hash: a check of bcrypt with the default cost, which is that of an unknown user, has 1. Measured
 * with Node.js 24 on an Intel Xeon.
 */
const work = {
  sha1: 132 / 290 / 1_000_000,
  sha256: 141 / 290 / 1_000_000,
  sha512: 398 / 290 / 1_000_000,
  scryptMiB: 627 / 290 / 256,
  argon2MiB: 551 / 290 / 512,
}

describe('the costliest hash that an import accepts', () => {
  const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64').replaceAll('=', '')
  const pbkdf2 = (algorithm: string, rounds: number, bytes: number) =>
    `$pbkdf2${algorithm === 'sha1' ? '' : `-${algorithm}`}$${rounds}$${base64(16).replaceAll('+', '.')}$${base64(bytes).replaceAll('+', '.')}`
  const scrypt = (ln: number, p: number) => `$scrypt$ln=${ln},r=8,p=${p}$${base64(16)}$${base64(32)}`
  const argon2 = (m: number, t: number) => `$argon2id$v=19$m=${m},t=${t},p=1$${base64(16)}$${base64(32)}`
  const mebi = 1024

  it.each([
    [
      'PBKDF2 with SHA-1',
      pbkdf2('sha1', 2_000_000, 20),
      pbkdf2('sha1', 2_000_001, 20),
      2_000_000 * work.sha1,
    ],
    [
      'PBKDF2 with SHA-256',
      pbkdf2('sha256', 2_000_000, 32),
      pbkdf2('sha256', 2_000_001, 32),
      2_000_000 * work.sha256,
    ],
    [
      'PBKDF2 with SHA-512',
      pbkdf2('sha512', 700_000, 64),
      pbkdf2('sha512', 700_001, 64),
      700_000 * work.sha512,
    ],
    ['scrypt', scrypt(17, 1), scrypt(17, 2), 128 * work.scryptMiB],
    ['scrypt with less memory', scrypt(14, 8), scrypt(14, 9), 128 * work.scryptMiB],
    ['Argon2', argon2(128 * mebi, 2), argon2(128 * mebi, 3), 256 * work.argon2MiB],
    ['Argon2 with less memory', argon2(64 * mebi, 4), argon2(64 * mebi, 5), 256 * work.argon2MiB],
  ])('of %s takes no longer than the check of an unknown user', (_, accepted, refused, parts) => {
    expect(validatePasswordHash(accepted)).toBeUndefined()
    expect(validatePasswordHash(refused)).toMatch(/^must /)
    expect(parts).toBeLessThanOrEqual(1.1)
  })
})
