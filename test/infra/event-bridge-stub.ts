import { accessDenied, actionOf } from './dynamodb-proxy.ts'
import { type StubAnswer, type StubRequest, startStub } from './stub-server.ts'

/** An entry of PutEvents. */
export interface BusEvent {
  readonly EventBusName: string
  readonly Source: string
  readonly DetailType: string
  readonly Detail: string
}

export interface StubEventBridge {
  readonly url: string
  /** The entries of each call that was allowed, also the refused ones. */
  readonly calls: readonly (readonly BusEvent[])[]
  /** The events on the bus, in order of arrival. */
  readonly events: readonly BusEvent[]
  /** Decides about the following entries: the code of a refusal, or undefined to take the entry. */
  refuse: (entry: BusEvent) => string | undefined
  /** Replaces the answer to the next calls, after their entries were taken. */
  readonly answersInstead: StubAnswer[]
  /** Forgets all calls, and takes all following entries. */
  readonly clear: () => void
  readonly close: () => Promise<void>
}

/** Starts a stub of EventBridge. `may` decides whether a request may put events on a bus. */
export const startEventBridge = async (
  may: (request: StubRequest, busName: string) => boolean = () => true,
): Promise<StubEventBridge> => {
  const calls: BusEvent[][] = []
  const events: BusEvent[] = []
  const answersInstead: StubAnswer[] = []
  const { url, close } = await startStub((request) => {
    const entries: readonly BusEvent[] = JSON.parse(request.body).Entries
    if (actionOf(request) !== 'PutEvents' || !entries.every(({ EventBusName }) => may(request, EventBusName)))
      return accessDenied('events:PutEvents')
    const bytes = Buffer.byteLength(
      entries.map((entry) => entry.Source + entry.DetailType + entry.Detail).join(''),
    )
    if (entries.length === 0 || entries.length > 10 || bytes > 256 * 1024)
      return { status: 400, body: JSON.stringify({ __type: 'ValidationException', message: 'too much' }) }
    calls.push([...entries])
    const answers = entries.map((entry) => {
      const code = stub.refuse(entry)
      if (code !== undefined) return { ErrorCode: code, ErrorMessage: code }
      events.push(entry)
      return { EventId: String(events.length) }
    })
    const FailedEntryCount = answers.filter((answer) => 'ErrorCode' in answer).length
    return (
      answersInstead.shift() ?? { status: 200, body: JSON.stringify({ FailedEntryCount, Entries: answers }) }
    )
  })
  const clear = () => {
    for (const list of [calls, events, answersInstead]) list.length = 0
    stub.refuse = () => undefined
  }
  const stub: StubEventBridge = {
    url,
    calls,
    events,
    refuse: () => undefined,
    answersInstead,
    clear,
    close,
  }
  return stub
}
