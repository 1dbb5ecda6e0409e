import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { readKnownDevice } from '../../http/device-cookie.ts'
import { createFlowCookie } from '../../http/flow-cookie.ts'
import type { RequestFacts } from '../../http/use-case.ts'
import { AppError, invalidRequest, notFound, requireFound } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { isAdministrator } from '../directory/rights/account-rights.ts'
import { consumeForNetwork, requireProofOfStart } from '../network-limits/rules.ts'
import { isSignedIn } from '../oauth/grants.ts'
import { isUidOfNewProof } from '../oauth/interaction-uid.ts'
import { providerPaths } from '../oauth/provider/provider-paths.ts'
import { destinationRule, resolveDestination } from '../sign-in/destinations.ts'
import { isRecentlyAuthenticated } from '../sign-in/recent-authentication.ts'
import { type Connection, type ConnectionKind, findConnectionOf } from './records.ts'
import { buildStartPath, leadToProof } from './retry-path.ts'
import type { SignInProtocol } from './sign-in-protocol.ts'
import type { StartQuery } from './start.models.ts'
import { requireRightToLink, type SignInOptions } from './start-sign-in.ts'

/** The request of a browser that starts a sign-in. */
interface StartRequest
  extends Pick<RequestFacts, 'acceptsHtml' | 'origin' | 'isFromOwnPage' | 'cookies' | 'context'> {
  readonly params: { readonly id: number }
  readonly query: StartQuery
  readonly principal: SessionPrincipal | undefined
}

/**
 * Redirects a browser to an identity provider to sign in. Sign-in also works with `disabled_in_client`, which only
 * hides the connection in clients, because administrators must be able to test it first.
 *
 * @throws AppError like `prepareStart`
 */
export const startSignIn = async <Record extends Connection>(
  protocol: Pick<SignInProtocol<Record>, 'stored' | 'start'>,
  request: StartRequest,
  services: Services,
) => {
  const start = await prepareStart(protocol.stored, request, services).catch((error: unknown) => {
    const { link, test, ...query } = request.query
    const { kind } = protocol.stored
    const path = buildStartPath({ kind, id: request.params.id }, toStartedOptions(query))
    const redirect = request.acceptsHtml && !link && !test && leadToProof(services.config, error, path)
    if (!redirect) throw error
    return redirect
  })
  if ('status' in start) return start
  const { connection, options } = start
  // A test signs no one in, so administrators can try a connection that is being set up.
  if (connection.setup && !options.isTest) throw notFound('connection')
  const { value, cookie } = createFlowCookie(services.config, request.cookies)
  const location = await protocol.start(services, connection, value, options)
  return { status: 303, headers: { location }, cookies: [cookie] } as const
}

/** What a start that is repeated with a proof still asks for. */
const toStartedOptions = ({ return_to: returnTo, force_authn: forceAuthn, multi_factor }: StartQuery) => ({
  returnTo: returnTo ?? null,
  forceAuthn: forceAuthn ?? false,
  wantsMultiFactor: multi_factor,
  link: null,
})

interface Start<Record> {
  readonly connection: Record
  readonly options: SignInOptions
}

/**
 * Finds the connection of a sign-in that starts, and decides what is asked of the identity provider. The rules are the same
 * for all kinds of connections.
 *
 * @throws AppError `invalid_request`, `too_many_requests`, `not_authenticated` or `permission_denied`
 */
const prepareStart = async <Record extends Connection>(
  kind: ConnectionKind<Record>,
  { params, query, principal, origin, isFromOwnPage, cookies, context }: StartRequest,
  services: Services,
): Promise<Start<Record>> => {
  const { config, table } = services
  const destination = query.return_to === undefined ? null : resolveDestination(config, query.return_to)
  if (destination === undefined) throw invalidRequest([{ field: 'return_to', message: destinationRule }])
  // Each start costs a signature or a fetch, and a stored sign-in, and the caller nothing.
  const isPaid = query.prove === true && (await requireProofOfStart(services, context, query.proof))
  const [found] = await Promise.all([
    findConnectionOf(table, kind, params.id),
    consumeForNetwork(services, 'samlStarts', {
      ...{ context, device: readKnownDevice(config, cookies), userId: principal?.user.id },
      ...{ proof: query.proof, isPaid },
    }),
  ])
  const connection = requireFound(found, 'connection')
  if (connection.organization_id !== null && destination && destination.origin !== config.publicUrl)
    throw invalidRequest([
      {
        field: 'return_to',
        message:
          'must be a page of this service, because the connection of an organization gives no tickets. Use an OpenID Connect client',
      },
    ])
  const linkTo = query.link ? await requireRightToLink(services, principal, { isFromOwnPage }) : undefined
  if (query.test) await requireRightToTest(services, principal, origin)
  const staysHere = destination?.origin === config.publicUrl && !query.test
  const needsNewProof = staysHere && leadsToNewProof(destination.pathname)
  // Someone who was redirected by a product comes from no page of this service.
  const provesAgain = staysHere && origin === 'own' && needsProofAgain(services, principal)
  return {
    connection,
    options: {
      returnTo: destination?.href ?? null,
      forceAuthn: query.force_authn || needsNewProof || provesAgain,
      wantsMultiFactor: query.multi_factor ?? false,
      linkTo: query.test ? undefined : linkTo,
      keeps: connection.organization_id !== null && !query.test ? findKeptSession(principal) : undefined,
      device: readKnownDevice(config, cookies),
      isTest: query.test ?? false,
      isPaid,
    },
  }
}

/** The session of the browser whose proofs a sign-in for an organization keeps. An impersonation has none of its own. */
const findKeptSession = (principal: SessionPrincipal | undefined): SessionPrincipal | undefined =>
  principal && isSignedIn(principal) && !principal.actor ? principal : undefined

/**
 * Whether the identity provider has to ask a user who signs in again on a page of this service. The service decides it,
 * because the person at the browser can remove a parameter. Such users prove their identity if their session is not recent.
 */
const needsProofAgain = (services: Services, principal: SessionPrincipal | undefined): boolean =>
  principal !== undefined && isSignedIn(principal) && !isRecentlyAuthenticated(services, principal.session)

/** Whether a path is that of an authorization of an OpenID Connect client that needs a new proof of identity. */
const leadsToNewProof = (path: string): boolean => {
  const start = `${providerPaths.interaction}/`
  return path.startsWith(start) && isUidOfNewProof(path.slice(start.length))
}

/**
 * Checks that the caller may test a provider: an administrator with a session of their own, on a page of this service.
 * Another site could otherwise start tests in their browser.
 *
 * @throws AppError `not_authenticated` or `permission_denied`
 */
const requireRightToTest = async (
  { table }: Services,
  principal: SessionPrincipal | undefined,
  origin: 'own' | 'foreign' | 'unknown',
): Promise<void> => {
  if (!principal)
    throw new AppError('not_authenticated', { detail: 'Sign in as an administrator first.', tryAgain: null })
  const { actor, session } = principal
  if (actor || session.accessLink || origin !== 'own' || !(await isAdministrator(table, principal)))
    throw new AppError('permission_denied', {
      detail: 'Only administrators can test a provider, from the page where they manage it.',
      tryAgain: null,
    })
}
