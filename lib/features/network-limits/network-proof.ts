import type { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'

/** A proof that a refused request is asked for. */
export interface AskedProof {
  /** The operation or the limit that it is for. */
  readonly purpose: string
  /** How many times more than free requests were admitted. Below 1, a proof costs the least. */
  readonly pressure: number
  readonly waitSeconds: number
}

/** How many requests for emails the whole service has, in relation to its limit. */
export interface EmailPressure {
  /** Of all requests. Above 1, each of them needs a proof. */
  readonly asked: number
  /** Of those that went through. It says what a proof costs. */
  readonly admitted: number
}

/** What admits a request above the limit of its network. `lib/features/network-proofs.ts` lists the features that do it. */
export interface NetworkProof {
  /** Counts a request for an email. */
  readonly countAsked: (services: Services) => Promise<EmailPressure>
  /** Counts a request for an email that was admitted. */
  readonly countAdmitted: (services: Services) => Promise<void>
  /** Checks and uses a proof. Returns false for one that does not count. */
  readonly accept: (services: Services, purpose: string, proof: string) => Promise<boolean>
  /** Builds the refusal that says how to prove. */
  readonly createError: (services: Services, asked: AskedProof) => Promise<AppError>
}
