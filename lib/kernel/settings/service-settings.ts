import { auditPersonalMinDays, auditRetentionMaxDays, auditRetentionMinDays } from '../limits/limits.ts'
import { passwordMaxCost } from '../limits/password-limits.ts'
import { readRateLimits } from '../limits/rate-limits.ts'
import { readFunctionTarget } from './function-target.ts'
import { readJwtAudiences } from './jwt-audiences.ts'
import { readLastDay } from './last-day.ts'
import { readMailSender } from './mail-sender.ts'
import { passkeyName, passkeyTimeoutSeconds } from './passkey-settings.ts'
import { flag, list, oneOf, text, whole } from './schemas.ts'
import { readSecurityAddress } from './security-contact.ts'
import { defaultSessionLifetimes, readSessionLifetimes } from './session-lifetimes.ts'
import { orProblem, Problem, setting } from './setting.ts'
import { readTrustedProxies } from './trusted-proxies.ts'
import { readEndpoint, readOrigin, readWebUrl } from './urls.ts'

/*
 * The settings that functions read from their environment, in the order of the documentation. Everything else follows from
 * an entry: `AuthServiceProps`, the keys of stages, the variables of functions and of local mode, their checks, `Config`, and
 * `docs/reference/settings.md`. The comment of an entry is its documentation there and in editors. `stack-settings.ts` and
 * `local-settings.ts` have the settings that functions do not read.
 */

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Who gets the API reference: no one, readers, or readers who can also send calls from the page. */
const apiReferenceModes = ['off', 'read', 'try'] as const
/**
 * Who gets the API reference.
 *
 * @example
 * ```ts
 * import type { ApiReferenceMode } from '@latchkey/construct'
 *
 * export const apiReference: ApiReferenceMode = 'read'
 * ```
 */
export type ApiReferenceMode = (typeof apiReferenceModes)[number]

export const defaultRecentAuthenticationSeconds = 15 * 60

/** Lists in variables may have empty entries, such as after a comma at the end. */
const withoutEmpty = (entries: readonly string[]): readonly string[] =>
  entries.filter((entry) => entry !== '')

const readOrigins = (given: readonly string[]): readonly string[] | Problem => {
  const texts = withoutEmpty(given)
  const origins = texts.map(readOrigin).filter((origin) => origin !== undefined)
  return origins.length === texts.length ? origins : new Problem('must contain only http(s) origins')
}

export const serviceSettings = {
  /**
   * The origin of the service. Links in emails and redirects are built from it. A deployed service needs https, and its
   * default is the domain, else the URL of the API. In local mode the default is `http://localhost:PORT`.
   */
  publicUrl: setting({
    schema: text,
    default: '',
    on: ['stack', 'local'],
    read: (given) =>
      readOrigin(given) ??
      new Problem('must be an http(s) origin such as https://auth.example.com. A path is not possible'),
  }),

  /**
   * The origins of your products. Their pages may call the service, and users may be redirected to them. Stages for development may
   * name `http://localhost:5173`.
   */
  allowedOrigins: setting({
    schema: list,
    default: [],
    on: ['stack', 'local'],
    read: readOrigins,
  }),

  /** The address of the sign-in page of your product, if it has one. */
  signInUrl: setting({
    schema: text,
    on: ['stack', 'local'],
    read: (given) => readWebUrl(given) ?? new Problem('must be an http(s) URL'),
  }),

  /**
   * The page of your product that access links lead to, or several as `name=URL`, separated by commas. Their origins
   * must be in `allowedOrigins`. See [Access links](../concepts/access-links.md#lead-into-your-product).
   */
  linkUrl: setting({ schema: text, default: '', on: ['stack', 'local'] }),

  /**
   * The sender of emails, as an address or `Name <address>`. For a deployed service, SES must have verified it. Without
   * it, a deployed service sends no email.
   */
  mailFrom: setting({
    schema: text,
    localDefault: 'Latchkey <no-reply@localhost>',
    on: ['stack', 'local', 'parts'],
    read: (given) =>
      readMailSender(given) ? given : new Problem('must be name@example.com or Name <name@example.com>'),
  }),

  /**
   * How long sessions last, in seconds after the sign-in / idle seconds, such as `users=1209600/86400,
   * administrators=86400/3600`. See [Sessions](../concepts/sessions.md#lifetime).
   */
  sessionLifetimes: setting({
    schema: text,
    default: defaultSessionLifetimes,
    on: ['stack', 'local'],
    read: orProblem(readSessionLifetimes),
  }),

  /**
   * Whether only administrators see connections with `disabled_in_client` in `get_all_saml_providers` and `get_saml_provider`, so that
   * strangers do not learn who your customers are. Without it, everyone does, because published clients may show them.
   */
  hidesConnections: setting({ schema: flag, default: false, on: ['stack', 'local'] }),

  /** How many seconds users may change credentials after they proved their identity. */
  recentAuthenticationSeconds: setting({
    // Short enough to stop a thief, and long enough to complete a change.
    schema: whole(60, 86_400),
    default: defaultRecentAuthenticationSeconds,
    on: ['stack', 'local'],
  }),

  /** Whether users may sign in with their verified email address instead of their username. */
  signInByEmail: setting({ schema: flag, default: true, on: ['stack', 'local'] }),

  /** Whether new usernames may have letters of several scripts, such as Latin and Cyrillic. */
  allowMixedScripts: setting({ schema: flag, default: false, on: ['stack', 'local'] }),

  /** Whether new usernames may look like those of other users, such as `rnaria` next to `maria`. */
  allowLookalikeUsernames: setting({ schema: flag, default: false, on: ['stack', 'local'] }),

  /**
   * The servers that JWTs may be for, besides `publicUrl`: URLs or names. See [JWTs](../concepts/jwts.md#audiences).
   */
  jwtAudiences: setting({
    schema: list,
    default: [],
    on: ['stack', 'local'],
    read: (given) => orProblem(readJwtAudiences)(given.join(',')),
  }),

  /**
   * The domain that passkeys belong to: the host of `publicUrl` (the default) or a domain that it belongs to. If you
   * change it, no passkey works any more. Browsers accept `localhost` but no IP address.
   */
  passkeyRpId: setting({ schema: text, on: ['stack', 'local'] }),

  /** The name of your service that browsers show with passkeys. */
  passkeyRpName: setting({
    schema: text,
    default: passkeyName.default,
    on: ['stack', 'local'],
    read: (given) =>
      given.length > passkeyName.maxLength
        ? new Problem(`must have at most ${passkeyName.maxLength} characters`)
        : given,
  }),

  /** More origins of your products whose pages may use passkeys. If `passkeyRpId` is the host of `publicUrl`, they may be of other domains. Otherwise they must be within `passkeyRpId`. */
  passkeyOrigins: setting({ schema: list, default: [], on: ['stack', 'local'], read: withoutEmpty }),

  /**
   * With `required`, each passkey verifies its user, such as by a fingerprint or PIN. With `preferred`, keys that
   * cannot do that may follow a password.
   */
  passkeyUserVerification: setting({
    schema: oneOf(['required', 'preferred']),
    default: 'required',
    on: ['stack', 'local'],
  }),

  /** How many seconds browsers wait for the user of a passkey. */
  passkeyTimeoutSeconds: setting({
    schema: whole(passkeyTimeoutSeconds.min, passkeyTimeoutSeconds.max),
    default: passkeyTimeoutSeconds.max,
    on: ['stack', 'local'],
  }),

  /** Changed [rate limits](rate-limits.md), such as `otpGuesses=10/300` for 10 events in 300 seconds. */
  rateLimits: setting({
    schema: text,
    default: '',
    on: ['stack', 'local'],
    read: orProblem(readRateLimits),
  }),

  /**
   * Whether requests for emails need a proof of work while a network or the whole service sends many. See
   * [Bots](../concepts/bots.md).
   */
  proofOfWork: setting({ schema: flag, default: true, on: ['stack', 'local'] }),

  /**
   * Addresses and CIDR ranges of your proxies before the service. Their `X-Forwarded-For` names the address of users.
   * See [Proxies](../configuration.md#proxies).
   */
  trustedProxies: setting({
    schema: list,
    default: [],
    on: ['stack', 'local'],
    read: (given) => orProblem(readTrustedProxies)(withoutEmpty(given)),
  }),

  /**
   * The range API that reports breached passwords, Have I Been Pwned by default. It receives five hex digits of a hash.
   * An empty value turns the lookup off.
   */
  breachEndpoint: setting({
    schema: text,
    default: 'https://api.pwnedpasswords.com/range/',
    on: ['stack', 'local'],
    canBeEmpty: true,
    read: (given) =>
      given === '' ? undefined : (readEndpoint(given) ?? new Problem('must be an http(s) URL')),
  }),

  /**
   * Checks passwords that the old system could not export: the ARN of a Lambda function, or in local mode a URL such as
   * `http://127.0.0.1:4000/check`. It requires `legacyPasswordCheckUntil`. See [Passwords that stay
   * behind](../migrate/legacy-passwords.md).
   */
  legacyPasswordCheck: setting({
    schema: text,
    on: ['stack', 'local', 'parts'],
    read: orProblem(readFunctionTarget),
  }),

  /** The last day, in UTC, on which `legacyPasswordCheck` is asked, such as `2027-03-31`. */
  legacyPasswordCheckUntil: setting({
    schema: text,
    on: ['stack', 'local', 'parts'],
    read: orProblem(readLastDay),
  }),

  /**
   * Where people report vulnerabilities of your service: an address with `mailto:` or `https:`, which `/.well-known/security.txt` shows
   * (RFC 9116). It requires `securityContactUntil`.
   */
  securityContact: setting({
    schema: text,
    on: ['stack', 'local'],
    read: orProblem(readSecurityAddress),
  }),

  /**
   * The last day, in UTC, on which `securityContact` is right, such as `2027-03-31`. RFC 9116 asks for less than a year. Afterwards the
   * file is a 404, and a deployment warns you.
   */
  securityContactUntil: setting({
    schema: text,
    on: ['stack', 'local'],
    read: orProblem(readLastDay),
  }),

  /** The API reference at `/docs`: `read` shows it, `try` also lets readers send calls from it, `off` hides it. */
  apiReference: setting({
    schema: oneOf(apiReferenceModes),
    default: 'read',
    localDefault: 'try',
    on: ['stack', 'local'],
  }),

  /** Whether browsers must use HTTPS for all hosts below the host of `publicUrl`, too, if that is an https URL. */
  hstsIncludeSubdomains: setting({ schema: flag, default: false, on: ['stack', 'local'] }),

  /** Whether browser vendors may list the host as HTTPS only. Requires `hstsIncludeSubdomains`. */
  hstsPreload: setting({ schema: flag, default: false, on: ['stack', 'local'] }),

  /**
   * The level of the log. `info` logs a line for each request. `silent` is for local mode only, because alarms need the
   * log.
   */
  logLevel: setting({
    schema: oneOf(logLevels),
    default: 'info',
    localDefault: 'warn',
    on: ['stack', 'local'],
  }),

  /**
   * How many days audit events are kept. It applies to new events, and lists show no older ones. See [Keep audit events
   * longer](../operate.md#keep-audit-events-longer).
   */
  auditRetentionDays: setting({
    schema: whole(auditRetentionMinDays, auditRetentionMaxDays),
    default: 400,
    on: ['stack', 'local'],
  }),

  /**
   * How many days audit events keep the names, addresses and attributes of people before and after a change. They end with the person, or
   * after this time, and the event stays. Never longer than `auditRetentionDays`.
   */
  auditPersonalDays: setting({
    schema: whole(auditPersonalMinDays, auditRetentionMaxDays),
    default: 90,
    on: ['stack', 'local'],
  }),

  /** The URL of a DynamoDB that already runs. Without it, local mode starts its own engine. */
  dynamodbEndpoint: setting({
    schema: text,
    on: ['local'],
    read: (given) => readWebUrl(given) ?? new Problem('must be an http(s) URL'),
  }),

  /** The bcrypt cost of new password hashes. Hashes with a lower cost are renewed at sign-in. */
  passwordCost: setting({ schema: whole(4, passwordMaxCost), default: 12, on: ['local'] }),

  /**
   * Whether metadata of SAML and documents of clients may come from loopback addresses, on any port and without TLS, if
   * `publicUrl` is plain http.
   * For tests only.
   */
  allowPrivateMetadata: setting({ schema: flag, default: false, on: ['local'] }),
}
