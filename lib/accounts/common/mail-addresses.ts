import { deliverableAddress } from '../../mail/address.ts'
import type { Services } from '../../services.ts'
import { findSuppression } from '../../store/records/suppressed-addresses.ts'
import { fitsKey, foldEmail } from './names.ts'

/** Where a mail goes to. */
export interface MailAddress {
  /** As it is sent to. */
  readonly address: string
  /** As it is counted and remembered: every spelling of one mailbox that we can know of is one. */
  readonly folded: string
}

/** An address as somebody wrote it; undefined for what mail can't be sent to. */
export const mailAddressOf = (email: string): MailAddress | undefined => {
  const address = deliverableAddress(email)
  const folded = foldEmail(address ?? '')
  return address !== undefined && fitsKey(folded) ? { address, folded } : undefined
}

/** Whether mail to an address came back, or its owner complained of it: then none is sent. */
export const isSuppressed = async ({ table, now }: Services, { folded }: MailAddress): Promise<boolean> =>
  (await findSuppression(table, folded, now())) !== undefined
