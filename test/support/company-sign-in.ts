import type { Site, TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import { readHiddenFields } from './decisions.ts'
import { makeIdp } from './idp.ts'
import { addConnection, startUpstream } from './oidc-upstream.ts'
import { addSignedIn } from './people.ts'
import { addProvider } from './saml.ts'
import type { TestService } from './service.ts'

/** A company connection of either kind, as a browser meets it. */
export interface CompanySignIn {
  readonly id: number
  /** What audit events call it. */
  readonly target: string
  readonly startPath: string
  /** Changes the connection as an administrator. */
  readonly change: (fields: object) => Promise<void>
  readonly remove: () => Promise<void>
  /** Opens the start. The identity provider then signs the browser in as an account with this address, as often as it is asked. */
  readonly start: (browser: TestBrowser, options?: StartOptions) => Promise<PendingAnswer>
  readonly close: () => Promise<void>
}

interface StartOptions {
  readonly site?: Site
  readonly query?: string
}

/** The browser is at the identity provider, which answers with this account. */
export type PendingAnswer = (account: string) => Promise<Answer>

type StartService = (
  service: TestService,
  name: string,
  fields?: Readonly<Record<string, unknown>>,
) => Promise<CompanySignIn>

const addSaml: StartService = async (service, name, fields) => {
  const idp = await makeIdp()
  const provider = await addProvider(service, idp, { name, ...fields })
  const path = `/api/2/auth/saml/${provider.id}`
  return {
    id: provider.id,
    target: `saml:${provider.id}`,
    startPath: `${path}/sso`,
    ...changesOf(service, provider.admin, path),
    start: async (browser, { site = 'same-origin', query = '' } = {}) => {
      const started = await browser.get(provider.loginUrl + query, site)
      const target = idp.targetOf(idp.read(started.headers.get('location') ?? '', [provider.own.pem]))
      return async (account) => {
        const { form } = await idp.answer(target, { nameId: account, attributes: { email: [account] } })
        return browser.post(target.acsUrl, form)
      }
    },
    close: async () => {},
  }
}

const addOidc: StartService = async (service, name, fields) => {
  const upstream = await startUpstream()
  const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const { id } = await addConnection(service, bearer, upstream.issuer, {
    name,
    auto_create_users: true,
    ...fields,
  })
  const path = `/api/2/auth/oidc-connections/${id}`
  return {
    id,
    target: `oidc:${id}`,
    startPath: `${path}/start`,
    ...changesOf(service, bearer, path),
    start: async (browser, { site = 'same-origin', query = '' } = {}) => {
      const started = await browser.get(`${path}/start${query}`, site)
      const location = started.headers.get('location') ?? ''
      return (account) => {
        const { pathname, search } = upstream.authorize(location, { sub: account, email: account })
        return browser.get(pathname + search, 'cross-site')
      }
    },
    close: upstream.close,
  }
}

const changesOf = ({ client }: TestService, bearer: string, path: string) => {
  const require = async (answer: Promise<Answer>): Promise<void> => {
    const { status, text } = await answer
    if (status >= 300) throw new Error(text)
  }
  return {
    change: (body: object) => require(client('PATCH', path, { bearer, body })),
    remove: () => require(client('DELETE', path, { bearer })),
  }
}

/** Both kinds of connections, which share all rules of a sign-in. */
export const companyKinds: readonly { readonly kind: string; readonly add: StartService }[] = [
  { kind: 'SAML', add: addSaml },
  { kind: 'OpenID Connect', add: addOidc },
]

/** The page that asks about an answer, as the browser sees it after the redirect to it. */
export interface OpenQuestion {
  readonly path: string
  readonly page: Answer
}

/** Follows an answer of an identity provider to the page that asks about it. */
export const openQuestion = async (
  browser: TestBrowser,
  answer: Pick<Answer, 'headers' | 'text'>,
): Promise<OpenQuestion> => {
  const [, linked = ''] = /href="(\/sign-in-question\/[^"]+)"/.exec(answer.text) ?? []
  const path = linked || new URL(answer.headers.get('location') ?? '').pathname
  return { path, page: await browser.get(path, linked ? 'same-origin' : 'cross-site') }
}

/** Presses a button of the page. */
export const decide = (
  browser: TestBrowser,
  { path, page }: OpenQuestion,
  answer: 'yes' | 'no',
  site: Site = 'same-origin',
): Promise<Answer> => browser.post(path, { ...readHiddenFields(page), answer }, site)

/** Where the page after a decision leads at once. */
export const readNext = ({ headers }: Answer): string =>
  /^0; url=(.+)$/.exec(headers.get('refresh') ?? '')?.[1] ?? ''
