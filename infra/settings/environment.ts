import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import type { FrontDoorProps } from '../front-door/front-door-props.ts'
import type { AuthServiceProps } from './auth-service-props.ts'

/**
 * Builds the variables that all functions have, from the props of the construct. Their names are those of the props, in
 * upper case. A prop that is not given has its default in the functions.
 */
export const buildEnvironment = (
  props: AuthServiceProps,
  { tableName, publicUrl }: { readonly tableName: string; readonly publicUrl: string },
): Readonly<Record<string, string>> => ({
  TABLE_NAME: tableName,
  PUBLIC_URL: publicUrl,
  ALLOWED_ORIGINS: props.allowedOrigins?.join(',') ?? '',
  SIGN_IN_URL: props.signInUrl ?? '',
  LOG_LEVEL: props.logLevel ?? 'info',
  RATE_LIMITS: props.rateLimits ?? '',
  SIGN_IN_BY_EMAIL: String(props.signInByEmail ?? true),
  ALLOW_MIXED_SCRIPTS: String(props.allowMixedScripts ?? false),
  ALLOW_LOOKALIKE_USERNAMES: String(props.allowLookalikeUsernames ?? false),
  HSTS_INCLUDE_SUBDOMAINS: String(props.hstsIncludeSubdomains ?? false),
  SESSION_LIFETIMES: props.sessionLifetimes ?? '',
  HSTS_PRELOAD: String(props.hstsPreload ?? false),
  ...omitUndefined({
    RECENT_AUTHENTICATION_SECONDS: props.recentAuthenticationSeconds?.toString(),
    LINK_URL: props.linkUrl || undefined,
    JWT_AUDIENCES: props.jwtAudiences?.join(',') || undefined,
    PASSKEY_RP_ID: props.passkeyRpId || undefined,
    PASSKEY_RP_NAME: props.passkeyRpName || undefined,
    PASSKEY_ORIGINS: props.passkeyOrigins?.join(',') || undefined,
    PASSKEY_USER_VERIFICATION: props.passkeyUserVerification,
    PASSKEY_TIMEOUT_SECONDS: props.passkeyTimeoutSeconds?.toString(),
    TRUSTED_PROXIES: props.trustedProxies?.join(',') || undefined,
    BREACH_ENDPOINT: props.breachEndpoint,
    API_REFERENCE: props.apiReference,
  }),
})

/** Builds the variables about the front door, which only functions behind the API have. */
export const buildFrontDoorEnvironment = (
  frontDoor: FrontDoorProps | undefined,
  originSecrets: string | undefined,
): Readonly<Record<string, string>> =>
  frontDoor && originSecrets
    ? {
        ORIGIN_SECRETS: originSecrets,
        ALLOW_DIRECT_REQUESTS: String(frontDoor.allowDirectRequests ?? false),
      }
    : {}
