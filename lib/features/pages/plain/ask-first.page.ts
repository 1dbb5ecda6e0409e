import { type Decision, isDecisionNamed, nameDecision } from '../../../accounts/callers/decisions.ts'
import type { Page } from '../../../http/page.ts'
import type { Language } from '../../../kernel/i18n/languages.ts'
import type { Services } from '../../../services.ts'
import { findBranding } from '../../branding/find-branding.ts'
import { allowFormTarget } from './form-target.ts'
import { loadTranslate, renderPlainPage, type Texts, type TranslatePlain } from './plain.page.ts'

interface Question extends Pick<Decision, 'question' | 'id' | 'principal'> {
  readonly language: Language
  /** Its form sends the hidden field `shown`, with the value of the same name. */
  readonly template: Page
  /** The texts of the template. */
  readonly describe: (t: TranslatePlain) => Texts
  /** What the answer has an effect on beyond the texts. */
  readonly facts?: Decision['shown']
  /** Where the browser goes after the answer, if that is another origin. */
  readonly leadsTo?: string
}

/**
 * Returns the page that asks a person, or undefined if `shown` names exactly this page. Both the request that shows the page and the
 * one that brings the answer call it, with what is there at that moment. If any text has changed in between, the person sees the page
 * again, with a notice, and nothing is decided.
 *
 * @example
 * ```ts
 * // The request that shows the page has no answer.
 * const page = await askFirst(
 *   services,
 *   { question: 'consent', id: interaction.id, principal, language, template: builtPages.consent, describe },
 *   answer?.shown,
 * )
 * if (page) return page
 * ```
 */
export const askFirst = async (
  services: Services,
  { language, template, describe, facts = {}, leadsTo, ...asked }: Question,
  shown: string | undefined,
) => {
  const t = await loadTranslate(language)
  const texts = describe(t)
  const decision: Decision = { ...asked, shown: { texts, ...facts } }
  if (shown !== undefined && isDecisionNamed(decision, shown)) return undefined
  const { html, headers } = await renderPlainPage(template, await findBranding(services), language, () => ({
    ...texts,
    shown: nameDecision(decision),
    changed: shown === undefined ? undefined : t('requestChanged'),
  }))
  return {
    status: 200,
    body: html,
    headers: leadsTo === undefined ? headers : allowFormTarget(headers, leadsTo),
  } as const
}
