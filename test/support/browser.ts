import type { Answer } from './client.ts'
import type { TestService } from './service.ts'

interface Cookie {
  readonly value: string
  readonly path: string
  readonly sameSite: string
}

/** Where a request came from, as browsers tell and as cookies depend on (RFC 6265bis 5.2). */
export type Site = 'same-origin' | 'same-site' | 'cross-site' | 'none'

/**
 * A browser as far as sign-in knows one: it keeps cookies, sends them where their path and `SameSite` let it, and tells
 * which site a navigation came from. It follows nothing by itself, so that a test sees every step.
 */
export class TestBrowser {
  readonly #service: TestService
  readonly #cookies = new Map<string, Cookie>()

  constructor(service: TestService) {
    this.#service = service
  }

  /** Opens an address of the service: by its path, or by the public one that a redirect names. */
  get(address: string, site: Site = 'none'): Promise<Answer> {
    return this.#send('GET', address, site)
  }

  /** Posts a form, as the page of an identity provider does. */
  post(address: string, form: object, site: Site = 'cross-site'): Promise<Answer> {
    const raw = new URLSearchParams(Object.entries(form)).toString()
    return this.#send('POST', address, site, raw)
  }

  /** The value of the cookie whose name ends so. */
  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([own]) => own.endsWith(name))?.[1].value
  }

  /** Takes the cookies of an answer that a script of ours got. */
  keep({ cookies }: Answer): void {
    for (const line of cookies) this.#keep(line)
  }

  /** Copies all that it holds, as malware would. */
  clone(): TestBrowser {
    const copy = new TestBrowser(this.#service)
    for (const [name, cookie] of this.#cookies) copy.#cookies.set(name, cookie)
    return copy
  }

  /** The cookies that go along with a request. */
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

  async #send(method: 'GET' | 'POST', address: string, site: Site, raw?: string): Promise<Answer> {
    const path = this.#pathOf(address)
    const cookie = this.cookieHeader(address, site, method)
    const answer = await this.#service.client(method, path, {
      ...(raw === undefined ? {} : { raw }),
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
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
        const [key = '', given = ''] = text.split('=')
        return [key.toLowerCase(), given]
      }),
    )
    if (attributes['max-age'] === '0') this.#cookies.delete(name)
    else
      this.#cookies.set(name, {
        value,
        path: attributes['path'] ?? '/',
        sameSite: (attributes['samesite'] ?? 'lax').toLowerCase(),
      })
  }
}

const isSentAcross = (sameSite: string, method: string): boolean =>
  sameSite === 'none' || (sameSite === 'lax' && method === 'GET')
