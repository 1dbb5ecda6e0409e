import { toDeliverableAddress } from '../../mail/address.ts'
import type { Services } from '../../services.ts'
import { findSuppression } from '../../store/records/suppressed-addresses.ts'
import { fitsKey, normalizeEmail } from './names.ts'

/** Where a mail goes to. */
export interface MailAddress {
  /** As it is sent to. */
  readonly address: string
  /** As it is counted and remembered: every spelling of one mailbox that we can know of is one. */
  readonly normalized: string
}

/** An address as somebody wrote it; undefined for what mail can't be sent to. */
export const findMailAddress = (email: string): MailAddress | undefined => {
  const address = toDeliverableAddress(email)
  const normalized = normalizeEmail(address ?? '')
  return address !== undefined && fitsKey(normalized) ? { address, normalized } : undefined
}

/** Whether mail to an address came back, or its owner complained of it: then none is sent. */
export const isSuppressed = async ({ table, now }: Services, { normalized }: MailAddress): Promise<boolean> =>
  (await findSuppression(table, normalized, now())) !== undefined
