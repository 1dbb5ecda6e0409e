/** A browser without pages: it keeps cookies by their host, and follows redirects like a person who opens an address. */
export interface CookieBrowser {
  /** Opens an address, and follows its redirects. */
  readonly open: (url: string, init?: RequestInit) => Promise<OpenedPage>
  /** Sends one request. */
  readonly send: (url: string, init?: RequestInit) => Promise<Response>
  /** Sends a form of the page at the same origin, and follows redirects. */
  readonly submit: (url: string, fields?: Readonly<Record<string, string>>) => Promise<OpenedPage>
}

interface OpenedPage {
  readonly url: URL
  readonly status: number
  readonly text: string
}

const maxRedirects = 10

export const createCookieBrowser = (): CookieBrowser => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string): Map<string, string> => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const keep = (url: string, response: Response): void => {
    const jar = jarOf(url)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
  }
  const send: CookieBrowser['send'] = async (url, init = {}) => {
    const headers = new Headers(init.headers)
    const cookie = [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    keep(url, response)
    return response
  }
  const open: CookieBrowser['open'] = async (url, init) => {
    let response = await send(url, init)
    let current = new URL(url)
    for (let count = 0; response.status >= 300 && response.status < 400; count++) {
      if (count === maxRedirects) throw new Error(`Too many redirects, the last one from ${current}.`)
      current = new URL(response.headers.get('location') ?? '', current)
      response = await send(current.href)
    }
    return { url: current, status: response.status, text: await response.text() }
  }
  return {
    open,
    send,
    submit: (url, fields = {}) => {
      const headers = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' }
      return open(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
    },
  }
}
