import { toDeliverableAddress } from '../../mail/address.ts'
import type { Services } from '../../services.ts'
import { findSuppression } from '../../store/mail/suppressed-addresses.ts'
import { fitsKey, normalizeEmail } from './names.ts'

/** The address of a mailbox. */
export interface MailAddress {
  /** The form that mail is sent to. */
  readonly address: string
  /** The form for limits and suppressions. Every known way to write the mailbox has the same one. */
  readonly normalized: string
}

/** Returns undefined for a text that mail cannot be sent to. */
export const parseMailAddress = (email: string): MailAddress | undefined => {
  const address = toDeliverableAddress(email)
  const normalized = normalizeEmail(address ?? '')
  return address !== undefined && fitsKey(normalized) ? { address, normalized } : undefined
}

/** Whether mail to an address bounced, or its owner complained. Such an address gets no mail. */
export const isSuppressed = async ({ table, now }: Services, { normalized }: MailAddress): Promise<boolean> =>
  (await findSuppression(table, normalized, now())) !== undefined
