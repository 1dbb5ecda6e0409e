import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { passkeyChallengeMs } from '../../kernel/settings/passkey-settings.ts'
import type { Services } from '../../services.ts'
import { consumeForNetwork } from '../network-limits/rules.ts'
import {
  findPasskeyChallenge,
  type PasskeyChallengeRecord,
  storePasskeyChallenge,
} from './challenges.records.ts'

/** What a challenge is for, and who must answer it. */
export type ChallengeBinding = Pick<PasskeyChallengeRecord, 'purpose' | 'userId' | 'holder'>

/**
 * Creates a random challenge, of which only a hash is stored. It can be answered once, for this purpose.
 *
 * @throws AppError `too_many_requests`
 */
export const mintChallenge = async (
  services: Services,
  context: RequestContext,
  binding: ChallengeBinding & Pick<PasskeyChallengeRecord, 'userHandle'>,
  proof?: string,
): Promise<string> => {
  const { userId } = binding
  await consumeForNetwork(services, 'passkeyChallenges', {
    ...{ context, device: context.device, proof },
    // The request proved already who they are. Only a sign-in can send a proof.
    ...(userId === null ? {} : { userId }),
    ...(['sign_in', 'second_factor'].includes(binding.purpose) ? {} : { canProve: false }),
  })
  const challenge = randomBytes(32).toString('base64url')
  await storePasskeyChallenge(services.table, {
    hash: hashChallenge(challenge),
    ...binding,
    expiresAt: services.now() + passkeyChallengeMs,
  })
  return challenge
}

export interface OpenChallenge {
  /** The challenge as the browser received it. */
  readonly value: string
  readonly record: PasskeyChallengeRecord
}

/**
 * Finds the challenge that a credential answers. Returns undefined if it is unknown, used or expired, if it was created
 * for another purpose, user or holder, or if a frame of another site answers.
 */
export const findChallenge = async (
  { table, now }: Services,
  clientDataJson: string,
  { purpose, userId, holder }: ChallengeBinding,
): Promise<OpenChallenge | undefined> => {
  const clientData = readClientData(clientDataJson)
  if (!clientData || isCrossOrigin(clientData)) return undefined
  const record = await findPasskeyChallenge(table, hashChallenge(clientData.challenge))
  if (!record || record.expiresAt <= now()) return undefined
  const isSame = record.purpose === purpose && record.userId === userId && record.holder === holder
  return isSame ? { value: clientData.challenge, record } : undefined
}

const hashChallenge = (challenge: string): string =>
  createHash('sha256').update(challenge).digest('base64url')

/** The part of the client data that is read here. The library checks type and origin (WebAuthn Level 3, section 5.8.1). */
const ClientData = z.object({
  challenge: z.string(),
  crossOrigin: z.optional(z.boolean()),
  topOrigin: z.optional(z.string()),
})
type ClientData = z.output<typeof ClientData>

/** Reads the client data of a credential, which the browser wrote. Returns undefined if it is not of this form. */
const readClientData = (clientDataJson: string): ClientData | undefined => {
  try {
    return z.safeParse(ClientData, JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** Whether a page in a frame of another site used the passkey. The user may not have seen which site asks. */
const isCrossOrigin = ({ crossOrigin, topOrigin }: ClientData): boolean =>
  crossOrigin === true || topOrigin !== undefined
