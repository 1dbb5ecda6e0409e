import type { DeviceCookie, RequestContext } from '../../accounts/callers/request-context.ts'
import { countUse, rateLimited, tryRefund } from '../../accounts/callers/throttle.ts'
import type { ProofLimitName } from '../../kernel/limits/rate-limit-rules.ts'
import { getEventCount, rateKey } from '../../kernel/rates/rates.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import type { Services } from '../../services.ts'
import { loadKnownBrowsers, networkProofs } from '../network-proofs.ts'
import type { NetworkProof } from './network-proof.ts'

/** The operations that email anyone, with the limit of each network. */
const limitOf = {
  request_sign_up: 'signUpsPerAddress',
  request_password_reset: 'resetRequestsPerAddress',
  request_email_code: 'emailCodeRequestsPerAddress',
  // People enter addresses of others in their own accounts, which they get for as much as a sign-up.
  change_own_email: 'signUpsPerAddress',
  send_email_confirmation: 'signUpsPerAddress',
} as const satisfies Readonly<Record<string, ProofLimitName>>

/**
 * Counts a request that emails anyone against the limit of its network. Above half of this limit, or while the whole service has
 * more of these requests than `mailRequests`, it also has to prove work. Below, it takes one table call and no proof.
 *
 * @throws AppError `too_many_requests`, with the reason `proof_required` and a new challenge
 */
export const consumeWithProof = async (
  services: Services,
  operation: keyof typeof limitOf,
  context: RequestContext,
  proof: string | undefined,
): Promise<void> => {
  const name = limitOf[operation]
  const { max } = services.config.rateLimits[name]
  const use = { purpose: operation, context, device: context.device, proof }
  await admit(services, name, use, { free: Math.ceil(max / 2), isEmail: true })
}

/** A request that anyone may send, and what it can show if its network is above the limit. */
interface NetworkUse {
  readonly context: RequestContext
  /** The device cookie of its browser. */
  readonly device: DeviceCookie | undefined
  /** A user whom the request proves already. */
  readonly userId?: number | undefined
  readonly proof?: string | undefined
  /** False for requests that cannot carry a proof. They name a user. */
  readonly canProve?: false
  /** Whether the proof was given before, at the start of the same sign-in. */
  readonly isPaid?: boolean | undefined
}

/**
 * Counts a request against the limit of its network. Above it, one of three admits the request: the share of a known user or browser, a
 * proof of work, or a proof that was given before.
 *
 * @throws AppError `too_many_requests`, with the reason `proof_required` and a new challenge
 */
export const consumeForNetwork = (services: Services, name: ProofLimitName, use: NetworkUse): Promise<void> =>
  admit(services, name, { ...use, purpose: name }, { free: services.config.rateLimits[name].max })

interface Free {
  /** The uses of a network that need no proof. */
  readonly free: number
  /** Whether the pressure of all requests for emails on the whole service counts as well. */
  readonly isEmail?: boolean
}

/**
 * What is admitted is counted, and so are the proofs that the next ones cost. What is refused is not, so that nobody can close an operation,
 * or raise its price, with requests that they do not pay for.
 */
const admit = async (
  services: Services,
  name: ProofLimitName,
  { purpose, context, device, userId, proof, canProve, isPaid }: NetworkUse & { readonly purpose: string },
  { free, isEmail = false }: Free,
): Promise<void> => {
  const network = getNetwork(context.address)
  const { rateLimits } = services.config
  const networkProof = findProof(services)
  const emails = isEmail && networkProof ? await networkProof.countAsked(services) : noPressure
  const noteAdmitted = async (): Promise<void> => {
    if (isEmail) await networkProof?.countAdmitted(services)
  }
  // A storm on the whole service writes nothing.
  if (networkProof && emails.asked > 1 && proof === undefined) {
    const limit = rateLimits[name]
    const count = 1 + getEventCount(await services.table.get(rateKey(limit, network)), limit, services.now())
    throw await networkProof.createError(services, {
      ...{ purpose, pressure: Math.max(count / free, emails.admitted) },
      waitSeconds: rateLimits.mailRequests.windowMs / 1000,
    })
  }
  const use = await countUse(services, name, network)
  const ofNetwork = use.count / (networkProof ? free : use.limit.max)
  const pressure = Math.max(ofNetwork, emails.asked)
  if (pressure <= 1 || isPaid) return noteAdmitted()
  if (emails.asked <= 1 && (await isKnown(services, name, { device, userId }))) {
    await tryRefund(services, use.refund)
    return noteAdmitted()
  }
  if (!networkProof || canProve === false) {
    await use.refuse()
    throw rateLimited(use.retryAfterSeconds)
  }
  if (proof !== undefined && (await networkProof.accept(services, purpose, proof))) return noteAdmitted()
  if (use.count > use.limit.max) await use.refuse()
  else await tryRefund(services, use.refund)
  throw await networkProof.createError(services, {
    ...{ purpose, pressure: Math.max(ofNetwork, emails.admitted) },
    waitSeconds: ofNetwork > 1 ? use.retryAfterSeconds : rateLimits.mailRequests.windowMs / 1000,
  })
}

const noPressure = { asked: 0, admitted: 0 }

/** The proof that this service asks for. Undefined for one that has none, or does not want it. */
const findProof = ({ config }: Services): NetworkProof | undefined =>
  config.proofOfWork ? networkProofs[0] : undefined

const isKnown = async (
  services: Services,
  name: ProofLimitName,
  { device, userId }: Pick<NetworkUse, 'device' | 'userId'>,
): Promise<boolean> => {
  const { admitKnownBrowser, admitUser } = await loadKnownBrowsers()
  return userId === undefined ? admitKnownBrowser(services, name, device) : admitUser(services, name, userId)
}

/**
 * Accepts the proof for a whole sign-in through an identity provider, which the browser gives before it starts. It costs what the limits
 * of starts and of first sign-ins ask now, whether they are reached or not. Returns false in a service that asks for no proofs.
 *
 * @throws AppError `too_many_requests`, with the reason `proof_required` and a new challenge
 */
export const requireProofOfStart = async (
  services: Services,
  { address }: RequestContext,
  proof: string | undefined,
): Promise<boolean> => {
  const network = getNetwork(address)
  const networkProof = findProof(services)
  if (!networkProof) return false
  const purpose = 'samlStarts' satisfies ProofLimitName
  if (proof !== undefined && (await networkProof.accept(services, purpose, proof))) return true
  const { table, config, now } = services
  const limits = startLimits.map((name) => config.rateLimits[name])
  const uses = await Promise.all(limits.map((limit) => table.get(rateKey(limit, network))))
  const pressures = limits.map((limit, at) => getEventCount(uses[at], limit, now()) / limit.max)
  throw await networkProof.createError(services, {
    ...{ purpose, pressure: Math.max(1, ...pressures) },
    waitSeconds: Math.max(...limits.map(({ windowMs }) => windowMs)) / 1000,
  })
}

const startLimits = [
  'samlStarts',
  'providerSignUpsPerNetwork',
  'signUpsPerAddress',
] as const satisfies readonly ProofLimitName[]
