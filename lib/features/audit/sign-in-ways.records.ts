import { connectionKinds } from '../../kernel/contract/connection-kinds.ts'
import type { Item } from '../../kernel/table/transaction.ts'

/** The ways to sign in, with the beginning of the target of their events. All others are passwords. */
const ways = [
  ['passkey:', 'passkey'],
  ...connectionKinds.map((kind) => [`${kind}:`, kind] as const),
  ['email_code', 'emailCode'],
  ['invitation', 'invitation'],
] as const
export type SignInWay = (typeof ways)[number][1] | 'password'

const connectionTarget = new RegExp(`^(?:${connectionKinds.join('|')}):([1-9]\\d{0,8})(?: |$)`)

/** A passkey verifies its user, so it counts as two factors. */
const secondFactors = /^passkey:|(^| )(otp|recovery_code)$/

export interface CountedSignIn {
  readonly way: SignInWay
  readonly hasSecondFactor: boolean
  /** The ID of the company connection of any kind. */
  readonly connection: number | undefined
}

/** How a user signed in, or undefined for another event. The item may have been changed, so it can have any attributes. */
export const readSignIn = ({ event, target: given }: Item): CountedSignIn | undefined => {
  if (event !== 'login.succeeded') return undefined
  const target = String(given)
  const connection = connectionTarget.exec(target)?.[1]
  return {
    way: ways.find(([start]) => target.startsWith(start))?.[1] ?? 'password',
    hasSecondFactor: secondFactors.test(target),
    connection: connection === undefined ? undefined : Number(connection),
  }
}

/** How often what an event says happened. */
export const readCount = (item: Item): number =>
  Number.isSafeInteger(item['count']) ? Math.max(1, Number(item['count'])) : 1
