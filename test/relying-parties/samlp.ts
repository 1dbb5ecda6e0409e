import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { TestCertificate } from '../support/certificates.ts'

/*
 * An identity provider with an independent implementation: a server based on the library `samlp` by Auth0. The library
 * expects requests and responses of Express. This file provides the few methods that it uses.
 */

/** The user who is signed in at the identity provider. */
export interface Profile {
  readonly id: string
  readonly displayName: string
  readonly emails: readonly { readonly value: string }[]
  readonly name: { readonly givenName: string; readonly familyName: string }
  readonly [claim: string]: unknown
}

/** A service that the user has signed in to, in the format of the library. */
interface Participant {
  readonly serviceProviderId: string
  readonly serviceProviderLogoutURL: string
  readonly nameId: string
  readonly nameIdFormat: string
  readonly sessionIndex: string
  readonly cert: string
}

export interface SamlpIdp {
  readonly url: string
  readonly metadataUrl: string
  /** What is signed and encrypted from now on. */
  settings: { signResponse: boolean; signAssertion: boolean; encryptFor: string | undefined }
  readonly participants: Participant[]
  readonly close: () => Promise<void>
}

interface Service {
  readonly entityId: string
  readonly logoutUrl: string
  readonly certificate: string
}

type Request = IncomingMessage & {
  query: Record<string, string>
  body: Record<string, string>
  originalUrl: string
  protocol: string
}
type Response = ServerResponse & {
  set: (name: string, value: string) => void
  send: (content: string | number) => void
  redirect: (url: string) => void
}
type Handler = (req: Request, res: Response, next: (error?: unknown) => void) => void
type Callback<Value> = (error: unknown, value?: Value) => void

interface Library {
  readonly auth: (options: object) => Handler
  readonly logout: (options: object) => Handler
  readonly metadata: (options: object) => Handler
  readonly parseRequest: (
    req: Request,
    options: object,
    callback: Callback<{ readonly issuer: string; readonly assertionConsumerServiceURL: string }>,
  ) => void
}

const load = createRequire(import.meta.url)

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** Starts the identity provider. `serviceOf` describes the service that it trusts; it is called at each sign-in. */
export const startSamlpIdp = async (
  signer: TestCertificate,
  profile: Profile,
  serviceOf: () => Service,
): Promise<SamlpIdp> => {
  const library = load('samlp') as Library
  const Participants = load('samlp/lib/sessionParticipants') as new (all: readonly Participant[]) => object
  const participants: Participant[] = []
  const states = new Map<string, object>()
  const settings: SamlpIdp['settings'] = { signResponse: false, signAssertion: true, encryptFor: undefined }
  const own = { issuer: 'urn:samlp:idp', cert: signer.pem, key: signer.keyPem }

  const signIn: Handler = (req, res, next) => {
    const { entityId, certificate, logoutUrl } = serviceOf()
    const sent = { signature: req.query['Signature'], signingCert: certificate, deflate: true }
    library.parseRequest(req, { ...sent, relayState: req.query['RelayState'] }, (error, request) => {
      if (error || request?.issuer !== entityId) return next(error ?? new Error('unknown issuer'))
      const sessionIndex = `_session-${participants.length + 1}`
      participants.push({
        serviceProviderId: entityId,
        serviceProviderLogoutURL: logoutUrl,
        nameId: profile.id,
        nameIdFormat: emailFormat,
        sessionIndex,
        cert: certificate,
      })
      const { signResponse, signAssertion, encryptFor } = settings
      library.auth({
        ...own,
        signResponse,
        signAssertion,
        sessionIndex,
        signingCert: certificate,
        ...(encryptFor === undefined
          ? {}
          : { encryptionCert: encryptFor, encryptionPublicKey: publicKeyOf(encryptFor) }),
        recipient: request.assertionConsumerServiceURL,
        destination: request.assertionConsumerServiceURL,
        nameIdentifierFormat: emailFormat,
        getUserFromRequest: () => profile,
        getPostURL: (_audience: string, _request: unknown, _req: Request, done: Callback<string>) =>
          done(null, request.assertionConsumerServiceURL),
      })(req, res, next)
    })
  }

  const routes: Readonly<Record<string, Handler>> = {
    '/metadata': library.metadata({
      ...own,
      redirectEndpointPath: '/sso',
      postEndpointPath: '/sso',
      logoutEndpointPaths: { redirect: '/slo' },
    }),
    '/sso': signIn,
    '/slo': (req, res, next) =>
      library.logout({
        ...own,
        deflate: true,
        protocolBinding: redirectBinding,
        sessionParticipants: new Participants(participants),
        store: storeOf(states),
      })(req, res, next),
  }

  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', `http://${req.headers.host}`)
    const request: Request = Object.assign(req, {
      query: Object.fromEntries(url.searchParams),
      body: {},
      originalUrl: req.url ?? '',
      protocol: 'http',
    })
    const fail = (error?: unknown) => {
      res.statusCode = error instanceof Error ? 400 : 404
      res.end(error instanceof Error ? error.message : '')
    }
    const route = routes[url.pathname]
    if (route) route(request, responseOf(res), fail)
    else fail()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    metadataUrl: `${url}/metadata`,
    settings,
    participants,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const publicKeyOf = (pem: string): string =>
  new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString()

const responseOf = (res: ServerResponse): Response =>
  Object.assign(res, {
    set: (name: string, value: string) => res.setHeader(name, value),
    send: (content: string | number) => {
      if (typeof content === 'number') res.statusCode = content
      res.end(typeof content === 'number' ? '' : content)
    },
    redirect: (url: string) => {
      res.statusCode = 302
      res.setHeader('location', url)
      res.end()
    },
  })

/** Stores the state of the library between two redirects. */
const storeOf = (states: Map<string, object>) => ({
  save: (_req: Request, state: object, done: Callback<string>) => {
    const name = `state-${states.size + 1}`
    states.set(name, state)
    done(null, name)
  },
  load: (
    _req: Request,
    name: string,
    options: { destroy?: boolean } | Callback<object>,
    done?: Callback<object>,
  ) => {
    const state = states.get(name)
    const isLast = typeof options !== 'function' && options.destroy === true
    if (isLast) states.delete(name)
    const call = typeof options === 'function' ? options : done
    call?.(null, state)
  },
  update: (_req: Request, name: string, state: object, done: Callback<void>) => {
    states.set(name, state)
    done(null)
  },
})
