import type { Services } from '../../../services.ts'
import type { EmailTextKind } from './kinds.models.ts'
import { type ParsedWords, parseWords } from './markup.ts'
import { listOwnDomains } from './own-domains.ts'
import { type EmailTextName, type EmailTextOwner, findFirstEmailText, nameOwner } from './records.ts'

/** The own words of an email. */
export interface EmailText {
  readonly kind: EmailTextKind
  readonly words: ParsedWords
}

/**
 * Finds the own words of an email: those of the first owner who has some in the language of its recipient. It never fails: words that
 * cannot be read, or that the rules of this release refuse, count as none, and the log says so.
 */
export const findEmailText = async (
  services: Services,
  { owners, kind, language }: Omit<EmailTextName, 'owner'> & { readonly owners: readonly EmailTextOwner[] },
): Promise<EmailText | undefined> => {
  const { table, log } = services
  try {
    const found = await findFirstEmailText(
      table,
      owners.map((owner) => ({ owner, kind, language })),
    )
    if (!found) return undefined
    const { owner } = found.name
    const own = await listOwnDomains(services, owner)
    const { words, problems } = parseWords(kind, found.words, own)
    if (problems.length === 0 && (own.isProven || !found.words.needsDomain)) return { kind, words }
    log.error('mail.own_words_refused', { owner: nameOwner(owner), kind, language, problems })
  } catch (error) {
    log.error('mail.own_words_not_read', { kind, language, error })
  }
  return undefined
}
