import type { Answer } from './client.ts'
import type { TestService } from './service.ts'

interface Cookie {
  readonly value: string
  readonly path: string
  readonly sameSite: string
}

/** The site that a request came from. Browsers report it, and cookies depend on it (RFC 6265bis 5.2). */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none'

/**
 * A browser with the features that sign-in depends on. It stores cookies, sends them according to their path and
 * `SameSite`, and reports the site of a navigation. It follows no redirects, so that a test sees every step.
 */
export class TestBrowser {
  readonly #service: TestService
  readonly #cookies = new Map<string, Cookie>()

  constructor(service: TestService) {
    this.#service = service
  }

  /** Opens a path of the service, or a public URL from a redirect. */
  get(address: string, site: Site = 'none'): Promise<Answer> {
    return this.#send('GET', address, site)
  }

  /** Posts a form, like the page of an identity provider. */
  post(address: string, form: object, site: Site = 'cross-site'): Promise<Answer> {
    return this.#send('POST', address, site, { form })
  }

  /** Posts a form from a script, which gets a problem body with the details for administrators instead of a page. */
  postByScript(address: string, form: object): Promise<Answer> {
    return this.#send('POST', address, 'cross-site', { form, accept: 'application/json' })
  }

  /** Returns the value of the cookie whose name ends with `name`. */
  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([cookieName]) => cookieName.endsWith(name))?.[1].value
  }

  /** Stores the cookies of a response that a script received. */
  keep({ cookies }: Pick<Answer, 'cookies'>): void {
    for (const line of cookies) this.#keep(line)
  }

  /** Copies the browser with all cookies, as malware would. */
  clone(): TestBrowser {
    const copy = new TestBrowser(this.#service)
    for (const [name, cookie] of this.#cookies) copy.#cookies.set(name, cookie)
    return copy
  }

  /** Returns the cookies for a request. */
  cookieHeader(address: string, site: Site, method: 'GET' | 'POST'): string {
    const path = this.#pathOf(address)
    return [...this.#cookies]
      .filter(([, { path: under }]) => path.startsWith(under))
      .filter(([, { sameSite }]) => site !== 'cross-site' || isSentAcross(sameSite, method))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  #pathOf(address: string): string {
    const { publicUrl } = this.#service.services.config
    const path = address.startsWith(publicUrl) ? address.slice(publicUrl.length) : address
    if (!path.startsWith('/')) throw new Error(`${address} is not an address of the service`)
    return path
  }

  async #send(
    method: 'GET' | 'POST',
    address: string,
    site: Site,
    {
      form,
      accept = 'text/html,application/xhtml+xml,*/*;q=0.8',
    }: { readonly form?: object; readonly accept?: string } = {},
  ): Promise<Answer> {
    const path = this.#pathOf(address)
    const cookie = this.cookieHeader(address, site, method)
    const raw = form && new URLSearchParams(Object.entries(form)).toString()
    const answer = await this.#service.client(method, path, {
      ...(raw !== undefined && { raw }),
      headers: {
        accept,
        'sec-fetch-site': site,
        ...(method === 'POST' ? { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(cookie === '' ? {} : { cookie }),
      },
    })
    this.keep(answer)
    return answer
  }

  #keep(line: string): void {
    const [pair = '', ...rest] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/)
    const attributes = Object.fromEntries(
      rest.map((text) => {
        const [key = '', attribute = ''] = text.split('=')
        return [key.toLowerCase(), attribute]
      }),
    )
    if (attributes['max-age'] === '0') this.#cookies.delete(name)
    else
      this.#cookies.set(name, {
        value,
        path: attributes['path'] ?? '/',
        sameSite: (attributes['samesite'] ?? 'missing').toLowerCase(),
      })
  }
}

/** Chromium sends a cookie without `SameSite` with forms of other sites while it is new (RFC 6265bis 5.6.7.1). */
const isSentAcross = (sameSite: string, method: string): boolean =>
  sameSite === 'none' || sameSite === 'missing' || (sameSite === 'lax' && method === 'GET')
