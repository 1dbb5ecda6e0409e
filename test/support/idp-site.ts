import { createServer } from 'node:http'
import { type AnswerFacts, makeIdp, type TestIdp } from './idp.ts'
import { listenOnLoopback } from './listen-on-loopback.ts'
import { plainMetadata } from './saml-metadata.ts'

/** A test identity provider that real browsers can open. */
export interface IdpSite {
  readonly idp: TestIdp
  readonly ssoUrl: string
  readonly metadataUrl: string
  readonly metadata: () => string
  /** How the next responses look. */
  readonly answerWith: (facts: AnswerFacts) => void
  /** Sets the certificates of the service, which signs its requests. */
  readonly trust: (certificates: readonly string[]) => void
  readonly close: () => Promise<void>
}

/** Starts the site on loopback. It signs people in with a button that is called "Go on". */
export const startIdpSite = async (): Promise<IdpSite> => {
  const idp = await makeIdp()
  let facts: AnswerFacts = {}
  let certificates: readonly string[] = []
  const describe = (): string =>
    plainMetadata({
      entityId: idp.entityId,
      ssoUrl: `${origin}/sso`,
      certificates: [idp.signer],
    })
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://idp')
    if (pathname === '/metadata') {
      response.setHeader('content-type', 'application/samlmetadata+xml').end(describe())
      return
    }
    // Browsers also request an icon.
    if (pathname !== '/sso') {
      response.writeHead(404).end()
      return
    }
    const target = idp.targetOf(idp.read(idp.ssoUrl + search, certificates))
    void idp.answer(target, facts).then(({ form }) => {
      const fields = Object.entries(form).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      )
      response.setHeader('content-type', 'text/html')
      response.end(
        `<form method="post" action="${target.acsUrl}">${fields.join('')}<button>Go on</button></form>`,
      )
    })
  })
  const { url, close } = await listenOnLoopback(server)
  // For a browser, this is another site than that of the service.
  const origin = url.replace('127.0.0.1', 'localhost')
  return {
    idp,
    ssoUrl: `${origin}/sso`,
    metadataUrl: `${url}/metadata`,
    metadata: describe,
    answerWith: (next) => {
      facts = next
    },
    trust: (next) => {
      certificates = next
    },
    close,
  }
}
