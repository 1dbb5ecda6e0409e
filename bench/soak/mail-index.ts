import { setTimeout as sleep } from 'node:timers/promises'
import { emailCodeLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import type { Mailbox, ReceivedMail } from '../../test/support/mailbox.ts'
import type { Ledger } from './ledger.ts'

/** A mail job waits 90 seconds for a mailer that stopped. The soak does not wait for that. */
const waitMs = 4000
const pollMs = 20

export type MailedSecret = 'token' | 'code'

/** Finds the emails of an address, and checks that none of them arrives twice. */
export const createMailIndex = ({ mails }: Mailbox, ledger: Ledger) => {
  const byAddress = new Map<string, ReceivedMail[]>()
  const secrets = new Set<string>()
  /** What someone waited for, by address, and since when. */
  const awaited = new Map<string, { readonly kind: MailedSecret; readonly since: number }>()
  let read = 0

  const update = (): void => {
    for (; read < mails.length; read++) {
      const mail = mails[read]
      for (const address of mail?.to ?? []) {
        const earlier = byAddress.get(address) ?? []
        if (mail) byAddress.set(address, [...earlier, mail])
      }
      for (const [, secret = ''] of mail?.text.matchAll(/#token=(\S+)/g) ?? []) {
        if (secrets.has(secret)) ledger.report('an email arrived twice')
        secrets.add(secret)
      }
    }
  }

  const find = (address: string, kind: MailedSecret): string | undefined => {
    update()
    const pattern = kind === 'token' ? /#token=(\S+)/ : /^(\d{4} \d{4})$/m
    return byAddress
      .get(address)
      ?.map(({ text }) => pattern.exec(text)?.[1])
      .findLast((secret) => secret !== undefined)
  }

  return {
    /** Waits for the latest token or code of an address. Returns undefined if none arrives soon. */
    waitFor: async (address: string, kind: MailedSecret): Promise<string | undefined> => {
      awaited.set(address, { kind, since: performance.now() })
      const deadline = performance.now() + waitMs
      for (;;) {
        const secret = find(address, kind)
        if (secret !== undefined || performance.now() > deadline) return secret
        await sleep(pollMs)
      }
    },
    /** The addresses that someone waited for and that got no email so far. A code is not sent after its request expired. */
    listMissing: (): readonly string[] => {
      update()
      const hasExpired = (address: string): boolean => {
        const { kind, since = 0 } = awaited.get(address) ?? {}
        return kind === 'code' && performance.now() - since >= emailCodeLifetimeMs - waitMs
      }
      return [...awaited.keys()].filter((address) => !byAddress.has(address) && !hasExpired(address))
    },
  }
}

export type MailIndex = ReturnType<typeof createMailIndex>
