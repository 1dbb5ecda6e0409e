import { randomUUID } from 'node:crypto'
import { clientId, startUpstream, type TestUpstream } from './oidc-upstream.ts'

/*
 * Microsoft, as learn.microsoft.com describes it in November 2026: the discovery documents of `common`, `organizations` and `consumers`, "ID
 * token claims reference" and "Optional claims reference".
 */

export const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
export const template = '{tenantid}'

export const startMicrosoft = (): Promise<TestUpstream> =>
  startUpstream({
    paths: ['/common/v2.0', '/organizations/v2.0', '/consumers/v2.0'],
    namesIssuer: false,
    discovery: (url, path) => ({
      issuer: `${url}/${path.startsWith('/consumers/') ? consumerTenant : template}/v2.0`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      subject_types_supported: ['pairwise'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    }),
  })

/** The issuer of a tenant, or of those of one kind. */
export const issuerAt = ({ issuer }: Pick<TestUpstream, 'issuer'>, tenant: string): string =>
  `${new URL(issuer).origin}/${tenant}/v2.0`

/** The claims of a member of a directory. Its `sub` is another one for each client. */
export const newMicrosoftAccount = (
  upstream: TestUpstream,
  claims: Readonly<Record<string, unknown>> = {},
) => {
  const { tid = randomUUID(), email = `${randomUUID()}@contoso.example` } = claims
  return {
    iss: issuerAt(upstream, String(tid)),
    ver: '2.0',
    azp: clientId,
    sub: randomUUID().replaceAll('-', 'A'),
    oid: randomUUID(),
    tid,
    email,
    email_verified: undefined,
    xms_edov: true,
    acct: 0 as unknown,
    preferred_username: email,
    name: 'Grace Hopper',
    rh: '0.AAAA',
    uti: randomUUID(),
    auth_time: undefined,
    ...claims,
  }
}
