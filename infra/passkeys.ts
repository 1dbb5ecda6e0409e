import { Token } from 'aws-cdk-lib'
import { readPasskeySettings } from '../lib/core/passkey-settings.ts'

/** The props of the construct that concern passkeys. */
interface PasskeyProps {
  readonly passkeyRpId?: string
  readonly passkeyRpName?: string
  readonly passkeyOrigins?: readonly string[]
  readonly passkeyUserVerification?: string
  readonly passkeyTimeoutSeconds?: number
}

/**
 * Builds the variables of the functions for passkeys. Settings that are not given have their default there.
 *
 * @throws Error if a setting is invalid. This is checked at the start of a function if the URL is not known yet.
 */
export const buildPasskeyEnvironment = (
  props: PasskeyProps,
  publicUrl: string,
): Readonly<Record<string, string>> => {
  const given = {
    PASSKEY_RP_ID: props.passkeyRpId,
    PASSKEY_RP_NAME: props.passkeyRpName,
    PASSKEY_ORIGINS: props.passkeyOrigins?.join(','),
    PASSKEY_USER_VERIFICATION: props.passkeyUserVerification,
    PASSKEY_TIMEOUT_SECONDS: props.passkeyTimeoutSeconds?.toString(),
  }
  const environment = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  if (!Token.isUnresolved(publicUrl))
    readPasskeySettings(environment, publicUrl, { report, readOrigin: readHttpsOrigin })
  return environment
}

const report = (text: string): never => {
  throw new Error(`Passkeys: ${text.replaceAll('PUBLIC_URL', 'publicUrl')}.`)
}

const readHttpsOrigin = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.origin === text ? url.origin : undefined
}
