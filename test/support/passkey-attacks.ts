import { randomBytes } from 'node:crypto'
import type { Deviation } from './passkeys.ts'

/** What no ceremony may accept, with or without a right signature. */
export const passkeyAttacks: readonly [string, Deviation][] = [
  ['another origin', { origin: 'https://attacker.example.com' }],
  ['the origin with another port', { origin: 'http://127.0.0.1:1' }],
  ['an origin that only begins alike', { origin: 'http://127.0.0.1.attacker.example.com' }],
  ['another RP ID', { rpId: 'attacker.example.com' }],
  ['a challenge of its own', { challenge: randomBytes(32).toString('base64url') }],
  ['an empty challenge', { challenge: '' }],
  ['the data of another ceremony', { type: 'webauthn.other' }],
  ['a frame on another site', { crossOrigin: true }],
  ['a frame that names the site around it', { crossOrigin: true, topOrigin: 'https://attacker.example.com' }],
  ['a site around it without a frame', { topOrigin: 'https://attacker.example.com' }],
  ['no user present', { isPresent: false }],
  ['a backup of a key that cannot be backed up', { isBackupEligible: false, isBackedUp: true }],
]
