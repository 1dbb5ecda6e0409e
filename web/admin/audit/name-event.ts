import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'

const t = messagesOf('events')

/** Names an event. A newer service can have events that this page does not know. */
export const nameEvent = (event: string): string => (isKnown(event) ? t(event) : event)

/** The names of all audit events as the API has them, in the order of their areas. */
export const listEvents = (): readonly string[] => listNames('events')

const isKnown = (event: string): event is keyof Catalogues['events'] => listEvents().includes(event)
