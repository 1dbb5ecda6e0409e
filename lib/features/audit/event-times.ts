import { minute } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { Times } from './survey.records.ts'

/** The times of the events that a list may show, in epoch milliseconds: those of its query, within the retention time. */
export const readEventTimes = (
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  { config, now }: Services,
): Times => ({
  sinceMs: Math.max(since === undefined ? 0 : Date.parse(since), now() - config.auditRetentionMs),
  // Events are never from the future, apart from small differences between clocks.
  untilMs: Math.min(until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until), now() + minute),
})
