import { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import type { TestService } from './service.ts'

/** The page of a set-up link in a browser: its script sends the token, and the cookies go along. */
export class SetupBrowser {
  readonly browser: TestBrowser
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
    this.browser = new TestBrowser(service)
  }

  /** Opens a link, like the page does when it loads. */
  open(token: string): Promise<Answer> {
    return this.use(token)
  }

  /** Takes the connection live as the page shows it now. */
  async finish(token: string): Promise<Answer> {
    const { body } = await this.open(token)
    return this.use(token, '/finish', { shown: body.shown })
  }

  async use(token: string, rest = '', fields: object = {}): Promise<Answer> {
    const path = `/api/2/auth/saml-setup${rest}`
    const cookie = this.browser.cookieHeader(path, 'same-origin', 'POST')
    const answer = await this.#service.client('POST', path, {
      body: { token, ...fields },
      headers: cookie === '' ? {} : { cookie },
    })
    this.browser.keep(answer)
    return answer
  }
}
