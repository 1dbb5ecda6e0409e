import { expect, it } from 'vitest'
import { findAuthenticatorName } from '../../web/kit/authenticator-name.ts'

const buildData = (aaguid: string) =>
  Buffer.concat([
    Buffer.alloc(37, 0xff),
    Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
    Buffer.alloc(90),
  ]).toString('base64url')

it.each([
  ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', 'Google Password Manager'],
  ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'Apple Passwords'],
  ['00000000-0000-0000-0000-000000000000', undefined],
  ['01020304-0506-0708-0102-030405060708', undefined],
])('names the authenticator %s %s', (aaguid, name) => {
  expect(findAuthenticatorName(buildData(aaguid))).toBe(name)
})

it('names nothing without data, or with data that is too short', () => {
  expect(findAuthenticatorName(undefined)).toBeUndefined()
  expect(findAuthenticatorName('AAAA')).toBeUndefined()
})
