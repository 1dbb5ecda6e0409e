import { randomBytes, randomInt } from 'node:crypto'
import { hashCredential, isSameHash } from '../../../kernel/secrets/credentials.ts'
import type { Config } from '../../../kernel/settings/config.ts'

/*
 * A user code has 8 of 20 letters without vowels, so that it is no word (RFC 8628 6.1). A device code is the user code with a secret
 * of 256 bits: by the first part the table finds the device, and the second part proves it.
 */

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8
const userCodePattern = new RegExp(`^[${letters}]{${userCodeLength}}$`)
const deviceCodePattern = new RegExp(`^([${letters}]{${userCodeLength}})\\.([\\w-]{43})$`)
/** More characters than a person types. */
const longestInput = 64

export const createUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => letters[randomInt(letters.length)]).join('')

/** Writes a user code as people read it. */
export const formatUserCode = (userCode: string): string => `${userCode.slice(0, 4)}-${userCode.slice(4)}`

/** Reads what a person typed, with any case, spaces and dashes. Undefined if it cannot be a user code. */
export const readUserCode = (text: string): string | undefined => {
  if (text.length > longestInput) return undefined
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
  return userCodePattern.test(code) ? code : undefined
}

export interface DeviceCode {
  readonly userCode: string
  readonly secret: string
}

export const createDeviceSecret = (): string => randomBytes(32).toString('base64url')

export const formatDeviceCode = ({ userCode, secret }: DeviceCode): string => `${userCode}.${secret}`

/** Undefined if the text cannot be a device code. */
export const readDeviceCode = (text: string): DeviceCode | undefined => {
  const [, userCode, secret] = deviceCodePattern.exec(text) ?? []
  return userCode === undefined || secret === undefined ? undefined : { userCode, secret }
}

/** Whether a hash is that of a secret. The duration reveals nothing about the secret. */
export const isDeviceSecret = (hash: string, secret: string): boolean =>
  isSameHash(hash, hashCredential(secret))

const devicePath = '/device'

/** The address at which a user enters the code of their device, or finds it entered. */
export const buildDeviceUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, userCode?: string): string =>
  `${publicUrl}${devicePath}${userCode === undefined ? '' : `?user_code=${formatUserCode(userCode)}`}`
