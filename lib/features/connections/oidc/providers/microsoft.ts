import { isAbsentOrSame, isAnotherThan, isOneOf } from './authority.ts'
import { fieldsOfPublic, withoutApple } from './field-rules.ts'
import {
  consumerTenant,
  isMicrosoftDiscovery,
  isMicrosoftIssuer,
  isSharedTenant,
  listMicrosoftIssuers,
  microsoftOrigin,
  nameMicrosoftAccount,
} from './microsoft-tenants.ts'
import type { ProviderRow } from './provider-row.ts'

const withCountries = (name: string, endings: string): readonly string[] =>
  endings.split(' ').map((ending) => `${name}.${ending}`)

/**
 * The domains of Outlook.com. There may be more: those that the configurations of Thunderbird do not list as well are left out, because
 * others could own them.
 */
const microsoftMail = new Set([
  ...withCountries('outlook', 'com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk'),
  ...withCountries('outlook', 'co.id co.il co.th com.ar com.au com.br com.gr com.tr com.vn'),
  ...withCountries('hotmail', 'com be ca de dk es fr it nl no se co.jp co.uk com.ar com.au com.br com.tr'),
  ...withCountries('live', 'com at be ca de dk fr ie it jp nl no se co.jp co.uk com.ar com.au com.mx com.pt'),
  'msn.com',
  'windowslive.com',
])

/** Whether the owner of the domain was verified. Optional claims can be a number or a text. */
const isOwnerVerified = isOneOf('xms_edov', true, 1, '1', 'true')

/** Accounts of Microsoft for everybody: personal ones, and those of work and school. */
export const microsoft: ProviderRow = {
  authorities: [
    { rules: [isOneOf('tid', consumerTenant), isOwnerVerified], domains: microsoftMail },
    // `xms_edov` is also true for guests, whose address belongs to another directory, or is that of a personal account.
    {
      rules: [
        isAnotherThan('tid', consumerTenant),
        isOwnerVerified,
        isOneOf('acct', 0, '0'),
        isAbsentOrSame('idp', 'iss'),
      ],
      domains: 'undelivered',
    },
  ],
  fields: { ...fieldsOfPublic, ...withoutApple },
  validateFields: () => [],
  others: {
    // An administrator of any tenant could otherwise assert any address. At the public provider, no address leads to an account.
    refuseIssuer: (issuer) =>
      isSharedTenant(issuer)
        ? 'must name one tenant of Entra ID by its ID, because everyone can have an account in the others'
        : undefined,
    needsHostedDomain: false,
  },
  isStandIn: (issuer) => listMicrosoftIssuers(URL.parse(issuer)?.origin ?? '').includes(issuer),
  // Without `profile`, Microsoft sends neither `tid` nor `oid`.
  requiredScopes: ['openid', 'profile'],
  toScopes: (scopes) => scopes,
  explainReturn: () => undefined,
  // It knows no `max_age`: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow, as read in November 2026.
  newSignIn: { prompt: 'login' },
  answer: { mode: 'query' },
  metadata: {
    from: 'template',
    origin: microsoftOrigin,
    isTemplateIssuer: isMicrosoftDiscovery,
    isTenantIssuer: isMicrosoftIssuer,
  },
  // What its userinfo says adds nothing to the ID token, and is not signed.
  user: { from: 'id_token', userinfo: 'never' },
  nameAccount: nameMicrosoftAccount,
  adaptFetch: async (...request) => (await import('./microsoft-keys.ts')).limitKeys(...request),
  madeSecret: null,
  keepsRefreshToken: false,
  sendsAppleNotifications: false,
}
