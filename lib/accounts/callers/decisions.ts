import { AppError } from '../../kernel/errors/errors.ts'
import { hashCredential, isSameHash } from '../../kernel/secrets/credentials.ts'
import type { Principal } from './principal.ts'

type Fact = string | number | boolean | null | undefined | readonly Fact[] | { readonly [name: string]: Fact }

/** What a person is asked, with all that the page or dialog shows them about it. */
export interface Decision {
  /** The kind of question, such as `consent`. An answer to one question never answers another. */
  readonly question: string
  /** The identifier of this one occasion, such as that of the waiting authorization. */
  readonly id: string | number
  /** Who is signed in, and so decides. */
  readonly principal: Pick<Principal, 'user' | 'actor'> | undefined
  /** What the person reads before they answer, and what the answer has an effect on. */
  readonly shown: Readonly<Record<string, Fact>>
}

/**
 * Names a decision by a hash of all that was shown. A form carries the name, and its answer is only accepted for a decision with the
 * same name. So what lies behind an open page cannot be swapped: the person has to read it first.
 *
 * @example
 * ```ts
 * const decision = { question: 'consent', id: interaction.id, principal, shown: { app, target, scopes } }
 * // The page: <input type="hidden" name="shown" value="{{shown}}">
 * const shown = nameDecision(decision)
 * // The answer: the same facts, read again.
 * if (!isDecisionNamed(decision, body.shown)) return showPageAgain(decision)
 * ```
 */
export const nameDecision = ({ question, id, principal, shown }: Decision): string =>
  hashCredential(JSON.stringify([question, id, principal?.user.id, principal?.actor?.id, sortFields(shown)]))

/** Whether an answer names this decision. The duration reveals nothing about the right name. See `nameDecision`. */
export const isDecisionNamed = (decision: Decision, named: string): boolean =>
  isSameHash(nameDecision(decision), named)

/**
 * Checks that a dialog showed what is there now. The dialog sends the facts themselves. Programs, which show nothing, leave them out.
 *
 * @throws AppError `conflict` with the reason `decision_changed`
 */
export const requireShown = (shown: Decision['shown'] | undefined, present: Decision['shown']): void => {
  if (shown === undefined || JSON.stringify(sortFields(shown)) === JSON.stringify(sortFields(present))) return
  throw new AppError('conflict', {
    reason: 'decision_changed',
    detail: 'What was shown has changed. Read it again, and send what is there now.',
  })
}

/** The order in which facts are collected has no meaning. */
const sortFields = (shown: Decision['shown']) =>
  Object.entries(shown).toSorted(([a], [b]) => (a < b ? -1 : 1))
