import { deliverableAddress } from '../mail/address.ts'
import type { Services } from '../services.ts'
import { findSuppression } from '../store/suppressed-addresses.ts'
import { fitsKey, foldEmail } from './names.ts'

/** Where a mail goes to. */
export interface Recipient {
  /** As it is sent to. */
  readonly address: string
  /** As it is counted and remembered: every spelling of one mailbox that we can know of is one. */
  readonly folded: string
}

/** The recipient behind an address as somebody wrote it; undefined for what mail can't be sent to. */
export const recipientOf = (email: string): Recipient | undefined => {
  const address = deliverableAddress(email)
  const folded = foldEmail(address ?? '')
  return address !== undefined && fitsKey(folded) ? { address, folded } : undefined
}

/** Whether mail to the recipient came back, or the recipient complained of it: then none is sent. */
export const isSuppressed = async ({ table, now }: Services, { folded }: Recipient): Promise<boolean> =>
  (await findSuppression(table, folded, now())) !== undefined
