import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { isFailure } from '../../../lib/kernel/contract/audit-events.ts'
import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { findFact } from './event-changes.tsx'
import { findObject, loadObjectName } from './event-object.tsx'
import { describeEvent } from './event-text.tsx'

const t = messagesOf('audit')
const sentences = messagesOf('sentences')

/** What happened, in a sentence with who did it and to what. */
export const EventSentence = ({ event }: { readonly event: AuditEvent }) => {
  const found = findObject(event)
  const { value: object } = useLoaded(
    async () => found && (await loadObjectName(found)),
    found ? `${found.kind} ${found.id}` : '',
  )
  return <>{describeInSentence(event, object)}</>
}

const hasSentence = (event: string): event is keyof Catalogues['sentences'] =>
  listNames('sentences').includes(event)

const describeInSentence = (event: AuditEvent, object: string | undefined): string => {
  const isFirstStep = event.event === 'login.failed' && !isFailure(event)
  // A newer service can have events that this page does not know.
  if (isFirstStep || !hasSentence(event.event)) return describeEvent(event)
  const { user, user_name: userName, actor, actor_name: actorName, username_tried: tried, ip, target } = event
  const person = userName ?? (user === null ? (tried ?? t('someone')) : t('deletedUser'))
  const unknownActor = ip ? t('someone') : t('theService')
  const names = {
    user: person,
    actor: actorName ?? (actor === null ? unknownActor : t('deletedUser')),
    object: object ?? target ?? '–',
    subject: user === null ? (object ?? target ?? '–') : person,
  }
  const fact = findFact(event)
  const sentence = fact ? t(fact.name, { ...names, values: fact.values }) : sentences(event.event, names)
  const isName = [t('someone'), t('theService'), t('deletedUser')].every((word) => !sentence.startsWith(word))
  return isName ? sentence : sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
