import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { isFailure } from '../../../lib/kernel/contract/audit-events.ts'
import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { isUnnamedGuest } from '../kit/guest-name.ts'
import { isByToken, loadActor, nameActor, namePerson, toMidSentence } from './event-actor.ts'
import { describeFacts, findFact } from './event-facts.ts'
import { findObject, loadObjectName } from './event-object.tsx'
import { describeEvent } from './event-text.tsx'
import { importFieldNames } from './import-field-names.ts'

const consoleText = messagesOf('console')
const t = messagesOf('audit')
const sentences = messagesOf('sentences')
const acts = messagesOf('acts')

interface Parts {
  /** Who acted. Undefined if nobody is known. */
  readonly actor: string | undefined
  readonly object: string | undefined
  /** What changed. Empty without changes. */
  readonly facts: string
}

/** What happened, in a sentence with who did it and to what. */
export const EventSentence = ({ event }: { readonly event: AuditEvent }) => {
  const found = findObject(event)
  const { value } = useLoaded(async (): Promise<Parts> => {
    const [actor, object, facts] = await Promise.all([
      loadActor(event),
      found && loadObjectName(found),
      event.changes && !findFact(event) ? importFieldNames(event) : undefined,
    ])
    return { actor, object, facts: facts ? describeFacts(event, facts) : '' }
  }, event.id)
  return <>{describeInSentence(event, value ?? { actor: nameActor(event), object: undefined, facts: '' })}</>
}

const hasSentence = (event: string): event is keyof Catalogues['sentences'] =>
  listNames('sentences').includes(event)
const hasAct = (event: string): event is keyof Catalogues['acts'] => listNames('acts').includes(event)

/** What a directory sent, without the connection, which the actor names. */
const omitDirectory = (target: string): string => target.replace(/^\d+ (?=[\da-f-]{36}$)/, '')

const describeInSentence = (event: AuditEvent, { actor, object, facts }: Parts): string => {
  const isFirstStep = event.event === 'login.failed' && !isFailure(event)
  // A newer service can have events that this page does not know.
  if (isFirstStep || !hasSentence(event.event)) return describeEvent(event)
  const { user, username_tried: tried, ip } = event
  const target = event.target && omitDirectory(event.target)
  const person = namePerson(user, event.user_name) ?? tried ?? t('someone')
  const unknownActor = ip ? t('someone') : t('theService')
  const names = {
    user: person,
    actor: actor ?? unknownActor,
    object: object ?? target ?? '–',
    subject: user === null ? (object ?? target ?? '–') : person,
  }
  const fact = findFact(event)
  const sentence = fact ? t(fact.name, { ...names, values: fact.values }) : describeAct(event, names)
  const whole = facts ? t('sentenceWithFacts', { sentence: sentence.replace(/[.。]$/, ''), facts }) : sentence
  return toSentenceCase(whole)
}

/** Begins with a capital letter, unless it begins with a name. */
export const toSentenceCase = (text: string): string =>
  isName(text) ? text : text.charAt(0).toUpperCase() + text.slice(1)

const isName = (sentence: string): boolean => !actorWords().some((word) => sentence.startsWith(word))

/** What the names of actors begin with that are no names. */
const actorWords = (): readonly string[] => {
  const name = '\u0000'
  const phrases = [
    ...[t('someone'), t('theService'), t('deletedUser'), toMidSentence(consoleText('guest'))],
    ...[t('tokenActor', { name }), t('tokenOf', { name }), t('stackActor', { name })],
    ...[t('roleActor', { name }), t('organizationTokenActor', { name })],
    t('organizationTokenById', { id: name }),
    ...[t('directoryActor', { name }), t('directoryById', { id: name })],
  ]
  return phrases.map((phrase) => phrase.split(name)[0] ?? '').filter(Boolean)
}

type Names = Readonly<Record<'user' | 'actor' | 'object' | 'subject', string>>

/** Says who did it, if that was somebody else than the person themselves. */
const describeAct = (event: AuditEvent, names: Names): string => {
  const name = event.event as keyof Catalogues['sentences']
  const { actor, user, actor_principal: principal } = event
  const isKnown = actor !== null || principal !== undefined
  if (isKnown && name === 'user.created' && isUnnamedGuest(event.user_name ?? ''))
    return t('guestCreated', { actor: names.actor })
  const isByAnother = isKnown && (actor !== user || isByToken(event))
  return isByAnother && hasAct(name) ? acts(name, names) : sentences(name, names)
}
